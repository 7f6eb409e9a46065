import type { PrepareRequest } from '@redoubt/records';

type RecordSource = NonNullable<PrepareRequest['block']>['source'];

interface PlacedRow {
  row: number;
  line: number;
  offset: number;
}

/** The source of the records of a block. */
export const sourceOf = (file: string, batch: number, rows: readonly PlacedRow[]): RecordSource => ({
  file,
  batch,
  rows: Float64Array.from(rows, ({ row }) => row),
  lines: Float64Array.from(rows, ({ line }) => line),
  offsets: Float64Array.from(rows, ({ offset }) => offset),
});
