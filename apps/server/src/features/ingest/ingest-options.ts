import {
  AccessControlLabel,
  KeyColumns,
  OcrLanguages,
  strictObject,
  WriteMode,
  type IngestRequest,
} from '@redoubt/contract';
import { badField, badRequest, securityError } from '@redoubt/errors';
import { createRecordLabeller, type SecurityLabelInfo } from '@redoubt/labels';
import { Type } from 'typebox';
import { parseJsonBody } from '../../platform/http/body.ts';
import { createValidator } from '../../platform/http/validation.ts';
import { readAddedColumnLabels } from '../records/index.ts';
import { findTakenField } from './document-rows.ts';
import { toWriteOption, type WriteOption } from './write-option.ts';
import { requireLabelColumns, toFileReading } from './file-options.ts';
import type { Source } from './sources/source.ts';
import type { FileReading } from './parser/parser-messages.ts';

/** How rows of files become records. */
export interface IngestOptions {
  /** Null means that the records get no label. */
  securityLabelInfo: SecurityLabelInfo | null;
  /** How the files are read; absent in jobs of earlier versions. */
  reading?: FileReading | undefined;
  write?: WriteOption | undefined;
  /** Whether the files are stored as documents, with a record for each page. */
  isDocument?: true;
  /** The languages of the text in images; the setting applies where there are none. */
  ocrLanguages?: readonly string[] | undefined;
  /** The stored connection through which the files are read. */
  connectionId?: string | undefined;
  /** The label that all records need besides their own, in canonical form. */
  minimumLabel?: string | undefined;
}

/** The options of a request: how to read the files, how to label rows, and what rows do to existing records. */
export type SentOptions = AccessControlLabel & Pick<IngestRequest, 'fileOptions'> & SentWrite;
type SentWrite = Pick<IngestRequest, 'keyColumns' | 'writeMode'>;

const requireLabel = createValidator(AccessControlLabel, 'accessControlLabel');

/**
 * Checks the options for files and labels. No input that restricts access is ignored.
 * @throws RedoubtError 400
 */
export const toIngestOptions = ({
  securityLabeled,
  securityLabelInfo,
  fileOptions,
  ...write
}: SentOptions): IngestOptions => {
  const info = securityLabelInfo ?? null;
  const isLabeled = securityLabeled ?? false;
  if (isLabeled && info === null) {
    const message =
      'securityLabeled is true and securityLabelInfo is missing. Send it, or securityLabeled: false.';
    throw securityError(`securityLabelInfo: ${message}`, [{ field: 'securityLabelInfo', message }]);
  }
  if (!isLabeled && info !== null) {
    const sent = securityLabeled === undefined || securityLabeled === null ? 'not sent' : 'false';
    const message = `securityLabelInfo was sent, and securityLabeled is ${sent}. Send securityLabeled: true, or leave securityLabelInfo out.`;
    throw securityError(`securityLabeled: ${message}`, [{ field: 'securityLabeled', message }]);
  }
  if (info !== null) createRecordLabeller(info);
  const reading = toFileReading(fileOptions);
  requireLabelColumns(reading, labelFieldsOf(info));
  return { securityLabelInfo: info, reading, write: toWriteOption(write, reading) };
};

const readJson = (field: string, text: string): unknown => {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    throw badField(field, `must be JSON. ${error instanceof Error ? error.message : ''}`.trimEnd());
  }
};

const readJsonObject = (field: string, text: string): Record<string, unknown> => {
  const value = readJson(field, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badField(
      field,
      `must be a JSON object, got ${JSON.stringify(text.slice(0, 80))}. Send an object, or leave the part out.`,
    );
  }
  return value as Record<string, unknown>;
};

/** The text parts of an upload with the options for reading and labelling. */
export const optionParts = ['accessControlLabel', 'fileOptions'] as const;
/** The text parts that say what rows do to existing records. */
export const writeParts = ['writeMode', 'keyColumns'] as const;

const requireWrite = createValidator(
  strictObject({ writeMode: Type.Optional(WriteMode), keyColumns: Type.Optional(KeyColumns) }),
  'body',
);

/** Parses the text parts that say what rows do to existing records. */
export const parseWriteParts = (
  texts: Pick<ReadonlyMap<(typeof writeParts)[number], string>, 'get'>,
): SentWrite => {
  const mode = texts.get('writeMode');
  const keys = texts.get('keyColumns');
  const sent = {
    ...(mode === undefined ? {} : { writeMode: mode }),
    ...(keys === undefined ? {} : { keyColumns: readJson('keyColumns', keys) }),
  };
  requireWrite(sent);
  return sent as SentWrite;
};

/** The options in the text parts of an upload. */
export const parseOptionParts = (
  texts: Pick<ReadonlyMap<(typeof optionParts)[number], string>, 'get'>,
  write: SentWrite = {},
  isDocument = false,
): IngestOptions => {
  const label = texts.get('accessControlLabel');
  const sent = label === undefined ? {} : readJsonObject('accessControlLabel', label);
  requireLabel(sent);
  const reading = texts.get('fileOptions');
  const options = toIngestOptions({
    ...sent,
    ...write,
    ...(reading === undefined ? {} : { fileOptions: readJsonObject('fileOptions', reading) }),
  });
  return isDocument ? toDocumentOptions(options) : options;
};

const wholeLabelParser = 'apply-label-to-all-records-parser';

/** @throws RedoubtError 400 for options that documents cannot honour */
export const toDocumentOptions = (options: IngestOptions): IngestOptions => {
  const parser = options.securityLabelInfo?.parserClassName;
  if (parser !== undefined && parser !== wholeLabelParser) {
    const message = `The pages of a document have no field with a label, so parserClassName must be "${wholeLabelParser}", got ${JSON.stringify(parser)}. Send that with a label, or leave processAsDocument out.`;
    throw securityError(`securityLabelInfo.parserClassName: ${message}`, [
      { field: 'securityLabelInfo.parserClassName', message },
    ]);
  }
  const unfit = Object.keys(options.reading ?? {}).find((name) => name !== 'encoding');
  if (unfit !== undefined) {
    throw badField(
      `fileOptions.${unfit}`,
      'must not be sent with processAsDocument: true, because a document has no columns. Leave one of them out.',
    );
  }
  return { ...options, isDocument: true };
};

/** @throws RedoubtError 400 for a source whose segments are rows */
export const refuseDocuments = ({ reading }: Pick<Source, 'reading'>): void => {
  if (reading === undefined) return;
  throw badField(
    'processAsDocument',
    'must not be true for rows of a database or messages of a topic, which are no documents. Leave it out.',
  );
};

/** @throws RedoubtError 400 for a field that only documents have */
export const requireDocument = (field: string, sent: unknown, isDocument: boolean): void => {
  if (isDocument || sent === undefined || sent === null) return;
  throw badField(
    field,
    'must not be sent without processAsDocument: true, because rows of tables do not use it. Send both, or leave it out.',
  );
};

const requireLanguages = createValidator(strictObject({ ocrLanguages: OcrLanguages }), 'body');

/** The part `ocrLanguages` of an upload. */
export const parseOcrLanguages = (text: string | undefined, isDocument: boolean): string[] | undefined => {
  requireDocument('ocrLanguages', text, isDocument);
  if (text === undefined) return undefined;
  const sent = { ocrLanguages: readJson('ocrLanguages', text) };
  requireLanguages(sent);
  return sent.ocrLanguages as string[];
};

/** The part `columnSecurityLabelInfo` of an upload: labels by the path of the column. */
export const parseColumnLabels = (
  text: string | undefined,
  mayManage: boolean,
): ReadonlyMap<string, string> =>
  readAddedColumnLabels(
    text === undefined ? undefined : readJsonObject('columnSecurityLabelInfo', text),
    mayManage,
  );

/** The escape of NUL in JSON, and no escaped backslash before `u0000`. */
const nulEscape = /(?<!\\)(?:\\\\)*\\u0000/;

/** The part `customMetadata` of an upload. */
export const parseCustomMetadata = (text: string | undefined, isDocument: boolean): string | undefined => {
  if (text === undefined) return undefined;
  const metadata = readJsonObject('customMetadata', text);
  if (text.includes('\0') || nulEscape.test(text))
    throw badField(
      'customMetadata',
      'must not contain the character NUL, which cannot be stored, got one. Leave it out.',
    );
  const taken = isDocument ? findTakenField(metadata) : undefined;
  if (taken !== undefined)
    throw badField(
      'customMetadata',
      `must not contain ${JSON.stringify(taken)}, which is a field of every document record. Give it another name.`,
    );
  return text;
};

/** The part `processAsDocument` of an upload. */
export const parseFlag = (field: string, text: string | undefined): boolean => {
  switch (text?.toLowerCase()) {
    case undefined:
    case 'false':
      return false;
    case 'true':
      return true;
    default:
      throw badRequest(
        `${field} must be "true" or "false", got ${JSON.stringify(text?.slice(0, 80))}. Send one of them, or leave the part out.`,
      );
  }
};

/** The names of the fields that contain labels. */
export const labelFieldsOf = (info: SecurityLabelInfo | null): string[] => {
  const fields: unknown = info?.fields;
  if (typeof fields === 'string') return fields.split(',').map((field) => field.trim());
  return Array.isArray(fields) ? fields.map(String) : [];
};
