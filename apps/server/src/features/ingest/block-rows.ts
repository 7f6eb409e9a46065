import type { RecordStore } from '@redoubt/records';
import type { Block, Reject } from './block-ledger.repository.ts';
import type { ParsedRow } from './load-request.ts';

/** The characters that are kept of a rejected row. */
export const maxRejectText = 10_000;

/** A row of a block that is not stored. */
export const rejectOf = ({ row, line, offset, file, json }: ParsedRow, reason: string): Reject => ({
  row,
  line,
  offset,
  file,
  reason,
  text: json.toString('utf8').slice(0, maxRejectText),
});

/** The outcome of a block with these rejected rows and counts. */
export const blockOf = (
  place: Pick<Block, 'datasetId' | 'fileId' | 'firstRow'> & { nextRow: number },
  rejects: readonly Reject[],
  outcome: Partial<Block['outcome']> = {},
): Block => {
  const { fileId, datasetId, firstRow, nextRow } = place;
  return {
    fileId,
    datasetId,
    firstRow,
    rejects: rejects.toSorted((a, b) => a.row - b.row),
    outcome: { nextRow, written: 0, rejected: rejects.length, dropped: 0, ...outcome },
  };
};

const comma = Buffer.from(',');

/** Parses the rows of a block as one write. Release the result. @throws Error if a row is not one JSON object */
export const parseRows = async (
  store: Pick<RecordStore, 'parse'>,
  rows: readonly Pick<ParsedRow, 'json'>[],
): ReturnType<RecordStore['parse']> => {
  const body = Buffer.concat([
    Buffer.from('['),
    ...rows.flatMap(({ json }, index) => (index === 0 ? [json] : [comma, json])),
    Buffer.from(']'),
  ]);
  const parsed = await store.parse(body, 'array');
  if (parsed.count === rows.length) return parsed;
  parsed.release();
  throw new Error('A parser process wrote rows that are not JSON objects.');
};
