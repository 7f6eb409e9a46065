import type { RecordStream } from '@redoubt/records';

/** The kind of a document's preview. */
export type DocumentConversionType = 'VIDEO_PREVIEW' | 'PDF_PREVIEW' | 'IMAGE_PREVIEW' | 'NONE';

/** The content of an uploaded document from which its records are made. */
export interface StoredDocument {
  documentId: string;
  fileName: string;
  conversionType: DocumentConversionType;
  /** The preview of the first page. */
  preview?: Uint8Array;
  pages: readonly { text: string }[];
  /** Extra fields of every record. On a name clash the fields of the document win. */
  metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the records of a document, one for each page. Only the record of the first page contains the preview, so the
 * preview is visible exactly to readers of that record.
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
 * Adds to each record the fields that every response about documents contains. A record keeps its exact text, and a
 * field that the record has already is not added.
 * @param lines records separated by newlines, each with its record id
 * @param keepsId whether the request asked for the record id
 */
export async function* documentRows(lines: RecordStream, keepsId: boolean): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  let separator = '';
  for await (const chunk of lines) {
    const text = Buffer.concat([rest, chunk]);
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
