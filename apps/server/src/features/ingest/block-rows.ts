import { duplicateKey, freeMemory, type RecordStore } from '@redoubt/records';
import type { Block, Reject } from './block-ledger.repository.ts';
import { labelFieldsOf } from './ingest-options.ts';
import { createRowLabeller, type LabelRule } from './row-labeller.ts';
import type { ParsedRow } from './load-request.ts';
import { parseObject } from './parse-object.ts';

/** Maximum number of characters that are kept of a rejected row. */
export const maxRejectText = 10_000;

/** A rejected row whose label is not determined yet. */
export interface FoundReject extends Omit<Reject, 'label'> {
  /** The JSON of an object that has the label fields of the row; undefined if they cannot be determined. */
  fields: string | undefined;
}

/** A row of a block that is not stored. */
export const rejectOf = ({ row, line, offset, file, json }: ParsedRow, reason: string): FoundReject => ({
  row,
  line,
  offset,
  file,
  reason,
  text: json.toString('utf8').slice(0, maxRejectText),
  fields: json.toString('utf8'),
});

/**
 * Creates a function that determines the label that the rule gives to a rejected row, from its label fields. A mended
 * row must get the same label.
 */
const createRejectLabels = (rule: LabelRule): ((fields: string | undefined) => string | undefined) => {
  const labeller = createRowLabeller(rule);
  const readsFields = labelFieldsOf(rule.securityLabelInfo).length > 0;
  return (fields) => {
    // A rule that reads no fields gives a mended row the same label in any case.
    if (!readsFields || fields === undefined) return undefined;
    const record = parseObject(fields);
    if (record === undefined || duplicateKey(fields) !== undefined) return undefined;
    const result = labeller.label(record);
    return result.kind === 'label' ? result.label : undefined;
  };
};

/** Builds the block for the ledger from its rejected rows and its counts. */
export const blockOf = (
  place: Pick<Block, 'datasetId' | 'fileId' | 'firstRow'> & { nextRow: number },
  rejects: readonly FoundReject[],
  rule: LabelRule,
  outcome: Partial<Block['outcome']> = {},
): Block => {
  const { fileId, datasetId, firstRow, nextRow } = place;
  const labelOf = createRejectLabels(rule);
  return {
    fileId,
    datasetId,
    firstRow,
    rejects: rejects
      .toSorted((a, b) => a.row - b.row)
      .map(({ fields, ...reject }) => ({ ...reject, label: labelOf(fields) })),
    outcome: { nextRow, written: 0, rejected: rejects.length, dropped: 0, ...outcome },
  };
};

/** The rows as one JSON array, in memory of its own. */
const toArray = (rows: readonly Pick<ParsedRow, 'json'>[]): Buffer => {
  const size = rows.reduce((sum, { json }) => sum + json.length + 1, 2);
  const body = Buffer.allocUnsafeSlow(size);
  let at = body.write('[');
  for (const [index, { json }] of rows.entries()) {
    if (index > 0) at += body.write(',', at);
    at += json.copy(body, at);
  }
  at += body.write(']', at);
  return body.subarray(0, at);
};

/** Parses the rows of a block as one write. Release the result. @throws Error if a row is not one JSON object */
export const parseRows = async (
  store: Pick<RecordStore, 'parse'>,
  rows: readonly Pick<ParsedRow, 'json'>[],
): ReturnType<RecordStore['parse']> => {
  const body = toArray(rows);
  const parsed = await store.parse(body, 'array');
  const release = (): void => {
    parsed.release();
    freeMemory(body.buffer);
  };
  if (parsed.count === rows.length) return { ...parsed, release };
  release();
  throw new Error('A parser process wrote rows that are not JSON objects.');
};
