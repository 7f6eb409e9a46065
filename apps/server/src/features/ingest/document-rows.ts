import { documentFormatNamed, type DocumentKind } from '@redoubt/file-formats';
import { parseObject } from './parse-object.ts';

/** The fields of document records, which custom metadata cannot set. */
export const documentFields = [
  'document_id',
  'file_name',
  'page',
  'text',
  'documentConversionType',
  'documentRowId',
  'previewBytes',
] as const;

const conversionTypes: Readonly<Record<DocumentKind, string>> = {
  pdf: 'PDF_PREVIEW',
  image: 'IMAGE_PREVIEW',
  video: 'VIDEO_PREVIEW',
  other: 'NONE',
};

/** What all records of a document have in common. */
export interface DocumentOfFile {
  /** The id of the file; it becomes `document_id`. */
  fileId: string;
  /** The name for everybody who may read the records. */
  fileName: string;
  /** The custom metadata of the upload: a JSON object. */
  metadata: string | undefined;
}

/** The JSON of a record from the JSON of a page. */
export type ToDocumentRecord = (page: Buffer) => Buffer;

/**
 * Creates the function that makes records of the pages of a document. A parser process reads hostile bytes, so only the
 * page and its text are taken from it.
 * @param format the format that the parser has detected
 * @throws Error if the parser wrote what is no page of a document
 */
export const createDocumentRecords = (
  { fileId, fileName, metadata = '{}' }: DocumentOfFile,
  format: string,
): ToDocumentRecord => {
  const kind = documentFormatNamed(format)?.kind;
  if (kind === undefined) throw new Error('A parser process wrote a document format that does not exist.');
  // The text of the metadata is kept, because parsing would change the digits of numbers.
  const own = metadata.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1').slice(1, -1);
  const beginning = `{${own === '' ? '' : `${own},`}"document_id":${JSON.stringify(fileId)},"file_name":${JSON.stringify(fileName)}`;
  return (row) => {
    const { page, text } = parseObject(row.toString('utf8')) ?? {};
    if (!Number.isSafeInteger(page) || typeof text !== 'string')
      throw new Error('A parser process wrote a row that is no page of a document.');
    const end = JSON.stringify({ page, text, documentConversionType: conversionTypes[kind] });
    return Buffer.from(`${beginning},${end.slice(1)}`);
  };
};

/** The name of a field of custom metadata that document records cannot have; undefined if there is none. */
export const findTakenField = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(metadata).find(
    (name) => documentFields.some((field) => field === name) || name.startsWith('_koverse_'),
  );
