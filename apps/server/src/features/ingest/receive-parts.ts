import { maxIngestFiles, maxPartBytes, maxUnnamedPartBytes, type TextPart } from '@redoubt/contract';
import { badField, badRequest, tooLarge } from '@redoubt/errors';
import type { Part } from '../../platform/http/multipart/multipart.ts';

const fileParts = 'files';
const maxNameLength = 255;

export interface PartReceiver<Name extends TextPart> {
  /** The text parts that are allowed. */
  names: readonly Name[];
  /**
   * Called as soon as the dataset is named, before anything after it is read: it must check the right to write. With
   * it, the dataset must be named before the first file.
   */
  dataset?: (datasetId: string) => Promise<void>;
  /** Receives all bytes of a file. */
  file(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

const unknownPart = (name: string, texts: readonly string[]): Error =>
  badRequest(
    `The parts of this form must be ${[...texts, fileParts].join(', ')}, got ${JSON.stringify(name.slice(0, 80))}. Leave it out.`,
  );

/** @throws RedoubtError 400 for a part that is not one of these texts */
const requireText = <Name extends TextPart>(part: Part, names: readonly Name[]): Name => {
  if (part.name === fileParts) {
    throw badField(
      fileParts,
      'must be a file, got a text. Send a part with a file name, as in files=@data.csv.',
    );
  }
  const name = names.find((each) => each === part.name);
  if (name === undefined) throw unknownPart(part.name, names);
  if (part.mediaType !== undefined && part.mediaType !== 'text/plain') {
    throw badField(
      name,
      `must be text, got the content type ${part.mediaType}. Send it without a content type.`,
    );
  }
  return name;
};

/** @throws RedoubtError 400 for a part that is not one of the files */
const requireFileName = ({ name: part, fileName }: Part, names: readonly TextPart[]): string => {
  if (names.some((each) => each === part)) {
    throw badField(part, 'must be text, got a file. Send it without a file name.');
  }
  if (part !== fileParts) throw unknownPart(part, names);
  const name = (fileName ?? '').replaceAll('\0', '').toWellFormed();
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

/**
 * Reads the parts of an upload one after another, to the end of the body.
 * @returns the text parts by name
 * @throws RedoubtError 400 or 413 for parts that are repeated, unknown, too long, or of the wrong kind
 */
export const receiveParts = async <Name extends TextPart>(
  parts: AsyncIterable<Part>,
  { names, dataset, file }: PartReceiver<Name>,
): Promise<ReadonlyMap<Name, string>> => {
  const texts = new Map<Name, string>();
  let files = 0;
  let isNamed = dataset === undefined;
  let unnamedBytes = 0;

  const receiveText = async (part: Part): Promise<void> => {
    const name = requireText(part, names);
    if (texts.has(name)) throw badField(name, 'must be sent once, got it twice. Leave one out.');
    const text = await part.readText(
      isNamed ? maxPartBytes[name] : Math.min(maxPartBytes[name], maxUnnamedPartBytes),
    );
    texts.set(name, text);
    if (name === 'datasetId') {
      await dataset?.(text);
      isNamed = true;
    } else if (!isNamed) {
      unnamedBytes += Buffer.byteLength(text);
      if (unnamedBytes > maxUnnamedPartBytes)
        throw tooLarge(
          `datasetId must follow texts of at most ${String(maxUnnamedPartBytes)} bytes together, got more before it. Send datasetId first.`,
        );
    }
  };

  for await (const part of parts) {
    if (part.fileName === undefined) {
      await receiveText(part);
      continue;
    }
    const name = requireFileName(part, names);
    if (!isNamed)
      throw badField('datasetId', 'must be sent before the first file, got a file. Send datasetId first.');
    if (files === maxIngestFiles)
      throw tooLarge(
        `files must contain at most ${String(maxIngestFiles)} files, got more. Send the others in another request.`,
      );
    files++;
    await file(name, part.content);
  }
  if (files === 0)
    throw badField(fileParts, 'must contain a file, got none. Send at least one, as in files=@data.csv.');
  return texts;
};
