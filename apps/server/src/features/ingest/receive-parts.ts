import type { Multipart } from '@fastify/multipart';
import { maxIngestFiles } from '@redoubt/contract';
import { badField, badRequest, RedoubtError, tooLarge } from '@redoubt/errors';
import type { Readable } from 'node:stream';
import { optionParts, writeParts } from './ingest-options.ts';

/** The text parts of an upload. */
export const uploadTexts = [
  'datasetId',
  ...optionParts,
  ...writeParts,
  'columnSecurityLabelInfo',
  'customMetadata',
  'processAsDocument',
  'ocrLanguages',
] as const;
const maxTexts = uploadTexts.length;
const fileParts = 'files';

/** Maximum number of bytes of a text part. */
const maxTextBytes = 1024 * 1024;
const maxNameLength = 255;

/** The limits for the multipart parser. Each is one higher than ours, so that our own check produces the error. */
export const partLimits = {
  fieldNameSize: 100,
  fieldSize: maxTextBytes,
  fields: maxTexts + 1,
  files: maxIngestFiles + 1,
  parts: maxTexts + maxIngestFiles + 2,
  fileSize: Infinity,
};

export interface PartReceiver<Name extends string> {
  /** Called with the text parts so far, before each file is received. */
  beforeFile(texts: ReadonlyMap<Name, string>): Promise<void>;
  /** Receives all bytes of a file. */
  file(name: string, content: Readable & { truncated?: boolean }): Promise<void>;
}

const unknownPart = (name: string, texts: readonly string[]): Error =>
  badRequest(
    `The parts of this form must be ${[...texts, fileParts].join(', ')}, got ${JSON.stringify(name.slice(0, 80))}. Leave it out.`,
  );

const readText = <Name extends string>(
  part: Extract<Multipart, { type: 'field' }>,
  names: readonly Name[],
): [Name, string] => {
  const { fieldname, value } = part;
  if (fieldname === fileParts) {
    throw badField(
      fileParts,
      'must be a file, got a text. Send a part with a file name, as in files=@data.csv.',
    );
  }
  const name = names.find((each) => each === fieldname);
  if (name === undefined || part.fieldnameTruncated) throw unknownPart(fieldname, names);
  if (part.valueTruncated) {
    throw tooLarge(`${name} must have at most ${String(maxTextBytes)} bytes, got more. Send a shorter text.`);
  }
  if (typeof value !== 'string') {
    throw badField(
      name,
      'must be text, got the content type application/json. Send it without a content type.',
    );
  }
  return [name, value];
};

const readName = (sent: string | undefined): string => {
  const name = (sent ?? '').replaceAll('\0', '').toWellFormed();
  if (name === '')
    throw badField(fileParts, 'must have file names, got a file without one. Send its name with it.');
  if (name.length > maxNameLength) {
    throw badField(
      fileParts,
      `must have file names of at most ${maxNameLength} characters, got ${name.length}. Shorten the name.`,
    );
  }
  return name;
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Converts errors of the multipart parser to errors of the API. */
const toRequestError = (error: unknown): unknown => {
  if (error instanceof RedoubtError || !(error instanceof Error)) return error;
  switch (codeOf(error)) {
    case 'FST_FILES_LIMIT':
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return tooLarge(
        `The upload has too many parts. Send up to ${String(maxIngestFiles)} files in one request.`,
      );
    case 'FST_MP_PREMATURE_CLOSE':
      return badRequest(
        'The request ended before all of the upload had arrived. Nothing was stored; send it again.',
      );
    case 'FST_PROTO_VIOLATION':
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return badRequest(`The upload has a part that cannot be read: ${error.message}.`);
    default:
      return /multipart|terminated early|boundary|header/i.test(error.message)
        ? badRequest(
            `The body is no complete multipart/form-data: ${error.message}. Nothing was stored; send it again.`,
          )
        : error;
  }
};

/**
 * Reads the parts of an upload one after another, to the end of the body.
 * @param names the names of the text parts that are allowed
 * @returns the text parts by name
 * @throws RedoubtError 400 or 413 for parts that are repeated, unknown, truncated, or of the wrong kind
 */
export const receiveParts = async <Name extends string>(
  parts: AsyncIterable<Multipart>,
  names: readonly Name[],
  receiver: PartReceiver<Name>,
): Promise<ReadonlyMap<Name, string>> => {
  const texts = new Map<Name, string>();
  let files = 0;
  try {
    for await (const part of parts) {
      if (part.type === 'file') {
        if (names.some((name) => name === part.fieldname)) {
          throw badField(part.fieldname, 'must be text, got a file. Send it without a file name.');
        }
        if (part.fieldname !== fileParts) throw unknownPart(part.fieldname, names);
        if (files === maxIngestFiles)
          throw tooLarge(
            `files must contain at most ${String(maxIngestFiles)} files, got more. Send the others in another request.`,
          );
        const name = readName(part.filename);
        await receiver.beforeFile(texts);
        files++;
        await receiver.file(name, part.file);
      } else {
        const [name, text] = readText(part, names);
        if (texts.has(name)) throw badField(name, 'must be sent once, got it twice. Leave one out.');
        texts.set(name, text);
      }
    }
  } catch (error) {
    throw toRequestError(error);
  }
  if (files === 0)
    throw badField(fileParts, 'must contain a file, got none. Send at least one, as in files=@data.csv.');
  return texts;
};
