import {
  documentFormatNamed,
  innerDocumentId,
  innerPlace,
  type DocumentKind,
  type InnerDocument,
} from '@redoubt/file-formats';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parseObject } from './parse-object.ts';

/** The fields of document records, which custom metadata cannot set. */
export const documentFields = [
  'document_id',
  'file_name',
  'page',
  'text',
  'parent_document_id',
  'text_error',
  'exif',
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

const ExifFields = Type.Record(
  Type.String({ pattern: '^[A-Z][A-Za-z0-9]{1,60}$' }),
  Type.Union([Type.String({ maxLength: 1000 }), Type.Number()]),
  { additionalProperties: false, maxProperties: 200 },
);

/** @throws Error for what are no fields of EXIF */
const toExif = (exif: unknown): Static<typeof ExifFields> => {
  if (!Value.Check(ExifFields, exif)) throw new Error('A parser process wrote fields of EXIF that are none.');
  return exif;
};

/** @throws Error for a name that no document format has */
const kindOf = (name: string): DocumentKind => {
  const kind = documentFormatNamed(name)?.kind;
  if (kind === undefined) throw new Error('A parser process wrote a document format that does not exist.');
  return kind;
};

/** What all records of a document have in common. */
export interface DocumentOfFile {
  /** The id of the file; it becomes `document_id`. Undefined in a preview, whose records have no ids. */
  fileId: string | undefined;
  /** The name for everybody who may read the records. */
  fileName: string;
  /** The custom metadata of the upload: a JSON object. */
  metadata: string | undefined;
}

/**
 * The JSON of a record from the JSON of a page.
 * @param inner the document inside the file that the page belongs to; undefined for the file itself
 */
export type ToDocumentRecord = (page: Buffer, inner?: InnerDocument) => Buffer;

/**
 * Creates the function that makes records of the pages of a document. A parser process reads hostile bytes, so only the
 * page, its text, and name and place of documents inside the file are taken from it.
 * @param format the format that the parser has detected
 * @throws Error if the parser wrote what is no page of a document
 */
export const createDocumentRecords = (
  { fileId, fileName, metadata = '{}' }: DocumentOfFile,
  format: string,
): ToDocumentRecord => {
  kindOf(format);
  // The text of the metadata is kept, because parsing would change the digits of numbers.
  const own = metadata.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1').slice(1, -1);
  const beginning = own === '' ? '{' : `{${own},`;
  return (row, inner) => {
    const { page, text, error, exif } = parseObject(row.toString('utf8')) ?? {};
    if (!Number.isSafeInteger(page) || typeof text !== 'string')
      throw new Error('A parser process wrote a row that is no page of a document.');
    const parent = inner && innerPlace(inner.path).parent;
    const fields = {
      ...(fileId !== undefined && { document_id: innerDocumentId(fileId, inner?.path ?? '') }),
      file_name: inner?.name ?? fileName,
      ...(fileId !== undefined &&
        parent !== undefined && { parent_document_id: innerDocumentId(fileId, parent) }),
      page,
      text,
      ...(typeof error === 'string' ? { text_error: error } : {}),
      ...(exif === undefined ? {} : { exif: toExif(exif) }),
      documentConversionType: conversionTypes[kindOf(inner?.format ?? format)],
    };
    return Buffer.from(`${beginning}${JSON.stringify(fields).slice(1)}`);
  };
};

/** The name of a field of custom metadata that document records cannot have; undefined if there is none. */
export const findTakenField = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(metadata).find(
    (name) => documentFields.some((field) => field === name) || name.startsWith('_koverse_'),
  );
