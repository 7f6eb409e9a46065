import type { RecordStream } from '@redoubt/records';

/** What a preview of a document is. */
export type DocumentConversionType = 'VIDEO_PREVIEW' | 'PDF_PREVIEW' | 'IMAGE_PREVIEW' | 'NONE';

/** A document as it is stored: its pages, or its rows. */
export interface StoredDocument {
  documentId: string;
  fileName: string;
  conversionType: DocumentConversionType;
  /** The preview of the first page; none where there is no first page. */
  preview?: Uint8Array;
  pages: readonly { text: string }[];
  /** Fields beside, the same in each record; those of the document come before them. */
  metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The records of a document, one a page. Its preview stands in the record of the first page, so that who sees
 * that record, and nobody else, sees the picture of it.
 */
export const documentRecords = ({
  documentId,
  fileName,
  conversionType,
  preview,
  pages,
  metadata = {},
}: StoredDocument): Record<string, unknown>[] =>
  pages.map(({ text }, index) => ({
    ...metadata,
    document_id: documentId,
    file_name: fileName,
    page: index + 1,
    text,
    documentConversionType: conversionType,
    ...(preview === undefined || index > 0 ? {} : { previewBytes: Buffer.from(preview).toString('base64') }),
  }));

const newline = 0x0a;

/**
 * Adds to the records of documents what every answer about documents has. A record keeps its exact text; what it says
 * itself is not said again.
 * @param lines records with newlines between them, each with its record id
 * @param keepsId whether the record id was asked for
 */
export async function* documentRows(lines: RecordStream, keepsId: boolean): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  let separator = '';
  for await (const piece of lines) {
    const text = Buffer.concat([rest, piece]);
    const end = text.lastIndexOf(newline);
    rest = text.subarray(end + 1);
    const whole = text.toString('utf8', 0, Math.max(end, 0));
    for (const line of whole.split('\n')) {
      if (line === '') continue;
      yield Buffer.from(`${separator}${documentText(line, keepsId)}`);
      separator = ',';
    }
  }
  if (rest.length > 0) yield Buffer.from(`${separator}${documentText(rest.toString('utf8'), keepsId)}`);
}

function documentText(record: string, keepsId: boolean): string {
  const fields = JSON.parse(record) as Record<string, unknown>;
  const recordId = String(fields['_koverse_record_id']);
  const own = keepsId ? record : record.replace(/,"_koverse_record_id":"[^"]*"}$/, '}');
  const added = {
    ...(Object.hasOwn(fields, 'documentConversionType') ? {} : { documentConversionType: 'NONE' }),
    ...(Object.hasOwn(fields, 'previewBytes') ? {} : { previewBytes: null }),
    documentRowId: recordId,
  };
  return `${own.slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}
