import { maxPreviewRows, type PreviewRow, type UploadPreview } from '@redoubt/contract';
import type { RecordLabeller } from '@redoubt/labels';
import { duplicateKey } from '@redoubt/records';
import type { InnerDocument } from '@redoubt/file-formats';
import { withoutNul } from '../../platform/db/without-nul.ts';
import { createDocumentRecords, type ToDocumentRecord } from './document-rows.ts';
import { fileError, refuseRecordIds } from './file-columns.ts';
import { optionsAsRead } from './file-options.ts';
import { labelFieldsOf, type IngestOptions } from './ingest-options.ts';
import type { ParserItem } from './parser/start-parser.ts';
import { createRowLabeller } from './row-labeller.ts';

const noFields: Readonly<Record<string, unknown>> = {};

const stored = (line: number, record: string, label: string, outcome: 'replaced' | 'stored'): PreviewRow => ({
  line,
  outcome,
  record,
  label,
  reason: null,
  text: null,
});

const rejected = (line: number, reason: string, text: string): PreviewRow => ({
  line,
  outcome: 'rejected',
  record: null,
  label: null,
  reason,
  text,
});

/** Labels a row or rejects it, as an ingest of the file would. */
const labelRow = (labeller: RecordLabeller, readsFields: boolean, line: number, json: string): PreviewRow => {
  if (readsFields && duplicateKey(json) !== undefined) {
    return rejected(
      line,
      'it has a key twice; a record whose label comes from a field has each key once.',
      json,
    );
  }
  const outcome = labeller.label(readsFields ? (JSON.parse(json) as Record<string, unknown>) : noFields);
  switch (outcome.kind) {
    case 'label':
      return stored(line, json, outcome.label, outcome.outcome === 'replaced' ? 'replaced' : 'stored');
    case 'drop':
      return { line, outcome: 'dropped', record: json, label: null, reason: null, text: null };
    case 'error':
      return rejected(line, `${outcome.field} ${outcome.predicate}`, json);
  }
};

/** A preview of which nothing is known. */
export const emptyPreview: Readonly<UploadPreview> = {
  format: '',
  encoding: null,
  dialect: null,
  columns: null,
  sourceColumns: null,
  fileOptions: {},
  rows: [],
  error: null,
};

/** Maximum number of bytes of the rows of a preview. */
const maxShownBytes = 4_000_000;

const sameRow: ToDocumentRecord = (json) => json;

/**
 * The first rows of a file or pages of a document, with the label that each would get.
 * @param isPartial whether the parser reads only the beginning of the file
 * @throws RedoubtError if the file cannot be read at all
 */
export const readPreviewRows = async (
  items: AsyncIterable<ParserItem>,
  name: string,
  options: IngestOptions,
  isPartial: boolean,
): Promise<UploadPreview> => {
  const labeller = createRowLabeller(options);
  const readsFields = labelFieldsOf(options.securityLabelInfo).length > 0;
  const preview: UploadPreview = { ...emptyPreview, rows: [] };
  let bytes = 0;
  let toRecord = sameRow;
  let inner: InnerDocument | undefined;
  for await (const item of items) {
    if (item.kind === 'row') bytes += item.json.length;
    if (item.kind === 'reject') bytes += item.text.length;
    if (bytes > maxShownBytes) {
      preview.error = `${name}: its first rows have more than ${String(maxShownBytes)} bytes, so the preview ends here. An upload stores all rows.`;
      return preview;
    }
    switch (item.kind) {
      case 'opened': {
        const { format, encoding, dialect, columns, sourceColumns } = item.opened;
        refuseRecordIds(name, item.opened);
        preview.format = format;
        preview.encoding = encoding ?? null;
        preview.dialect = dialect ?? null;
        preview.columns = columns?.map(({ name: column, type }) => ({ name: column, type })) ?? null;
        preview.sourceColumns = sourceColumns ?? null;
        const isDocument = options.isDocument === true;
        preview.fileOptions = optionsAsRead(options.reading ?? {}, item.opened, isDocument);
        if (isDocument)
          toRecord = createDocumentRecords(
            { fileId: undefined, fileName: name, metadata: undefined },
            item.opened.format,
          );
        break;
      }
      case 'row':
        preview.rows.push(
          labelRow(labeller, readsFields, item.line, toRecord(item.json, inner).toString('utf8')),
        );
        break;
      case 'reject':
        preview.rows.push(rejected(item.line, item.reason, item.text));
        break;
      case 'fault':
        if (preview.format === '') throw fileError(name, item.line, withoutNul(item.text));
        // The file may continue after the part that was sent.
        preview.error = isPartial ? null : fileError(name, item.line, withoutNul(item.text)).message;
        break;
      case 'begin':
        inner = item.document;
        break;
      case 'inside':
      case 'progress':
      case 'scan':
        break;
    }
    if (preview.rows.length === maxPreviewRows) return preview;
  }
  // The last row of an incomplete file may be incomplete.
  if (isPartial) preview.rows.pop();
  return preview;
};
