import type { VisibleLabels } from '@redoubt/labels';
import type { RecordStream } from '@redoubt/records';

/** What a reader sees of the dataset of a document. */
export interface PreviewScope {
  datasetId: string;
  visible: VisibleLabels;
  /** The id of the account. */
  person: string;
}

/** The preview of a document for a reader, in base64; null if there is none. */
export type PreviewOf = (
  scope: PreviewScope,
  documentId: string,
  signal: AbortSignal,
) => Promise<string | null>;

const newline = 0x0a;

/**
 * Adds to each record the fields that every response about documents contains. A record keeps its exact text, and a
 * field that the record has already is not added.
 * @param lines records separated by newlines, each with its record id
 * @param keepsId whether the request asked for the record id
 * @param previewOf the preview of a document by its id
 */
export async function* documentRows(
  lines: RecordStream,
  keepsId: boolean,
  previewOf: (documentId: string) => Promise<string | null>,
): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  let separator = '';
  for await (const chunk of lines) {
    const text = Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf(newline);
    rest = text.subarray(end + 1);
    const whole = text.toString('utf8', 0, Math.max(end, 0));
    for (const line of whole.split('\n')) {
      if (line === '') continue;
      yield Buffer.from(`${separator}${await documentText(line, keepsId, previewOf)}`);
      separator = ',';
    }
  }
  if (rest.length > 0)
    yield Buffer.from(`${separator}${await documentText(rest.toString('utf8'), keepsId, previewOf)}`);
}

async function documentText(
  record: string,
  keepsId: boolean,
  previewOf: (documentId: string) => Promise<string | null>,
): Promise<string> {
  const fields = JSON.parse(record) as Record<string, unknown>;
  const recordId = String(fields['_koverse_record_id']);
  const own = keepsId ? record : record.replace(/,"_koverse_record_id":"[^"]*"}$/, '}');
  const added = {
    ...(Object.hasOwn(fields, 'documentConversionType') ? {} : { documentConversionType: 'NONE' }),
    ...(Object.hasOwn(fields, 'previewBytes')
      ? {}
      : { previewBytes: await previewOfRecord(fields, previewOf) }),
    documentRowId: recordId,
  };
  return `${own.slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}

/** Only the record of the first page has a preview. */
const previewOfRecord = async (
  { document_id: documentId, documentConversionType, page }: Record<string, unknown>,
  previewOf: (documentId: string) => Promise<string | null>,
): Promise<string | null> =>
  page === 1 && typeof documentId === 'string' && (documentConversionType ?? 'NONE') !== 'NONE'
    ? previewOf(documentId)
    : null;
