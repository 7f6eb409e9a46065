import type { Client } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseTask } from './database-messages.ts';
import {
  findColumns,
  lessNumber,
  requireCursorValue,
  requireSame,
  type Checkpoint,
  type CursorKind,
  type CursorMark,
  type Incremental,
} from './incremental.ts';
import { changedStatement, columnsStatement, greatestStatement, type Dialect } from './row-statement.ts';

const kinds: Readonly<Record<string, CursorKind>> = {
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  date: 'date',
  'timestamp without time zone': 'time',
  'timestamp with time zone': 'time',
};

/** How long to wait for the transactions that were open when the greatest value was read. */
const waitMilliseconds = 2000;
const pollMilliseconds = 50;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const dialectOf = (
  kind: CursorKind,
  type: string,
  { overlapSeconds, overlapCount }: Incremental,
): Dialect => ({
  quoted,
  lowerBound: (value) => {
    if (kind === 'number') return lessNumber(value, overlapCount);
    const literal = `'${value}'::${type}`;
    return overlapSeconds === 0 ? literal : `(${literal} - interval '${String(overlapSeconds)} seconds')`;
  },
});

const single = async (
  client: Client,
  statement: string,
  values: unknown[] = [],
): Promise<string | undefined> =>
  (await client.query<(string | null)[]>({ text: statement, values, rowMode: 'array' })).rows[0]?.[0] ??
  undefined;

/** The statement that reads what has changed, and the checkpoint after it. */
export interface ChangeRead {
  statement: string;
  checkpoint: Checkpoint;
}

/**
 * Reads the greatest value of the cursor column, in a transaction that ends before the rows are read. Transactions that are
 * open then may commit smaller values later, so the value is no checkpoint before they have ended. They mostly have
 * when the rows are read.
 */
export const markPostgres = async (
  client: Client,
  task: DatabaseTask,
  incremental: Incremental,
): Promise<{ kind: CursorKind; type: string; marks: readonly CursorMark[] }> => {
  const { column } = incremental;
  const { fields } = await client.query(columnsStatement(task, quoted));
  const { cursor } = findColumns(
    fields.map(({ name }) => name),
    incremental,
  );
  const type =
    (await single(client, 'select format_type($1::oid, null)', [fields[cursor]?.dataTypeID])) ?? '';
  const kind = kinds[type];
  if (kind === undefined) {
    throw new ReaderError(
      `The column ${JSON.stringify(column)} has the type ${type}. incremental.column must be an integer, numeric, date or timestamp. Name another column.`,
    );
  }
  requireSame(incremental, type, task.since);
  const { marks = [], value: since } = task.since ?? {};
  const last = marks.at(-1)?.value ?? since;
  const exact = dialectOf(kind, type, { ...incremental, overlapSeconds: 0, overlapCount: 0 });
  const greatest = greatestStatement(task, column, last, exact);
  const found = await single(client, `select (${greatest})::text`);
  if (found === undefined) return { kind, type, marks };
  const value = requireCursorValue(column, kind, found);
  const xmax = await single(client, 'select pg_snapshot_xmax(pg_current_snapshot())::text');
  return { kind, type, marks: [...marks, { value, ...(xmax !== undefined && { xmax }) }] };
};

const xminOf = async (client: Client): Promise<bigint> =>
  BigInt((await single(client, 'select pg_snapshot_xmin(pg_current_snapshot())::text')) ?? '0');

/** Waits a moment for the transactions that were open when the last value was read. Long ones are not waited for. */
export const waitForTransactions = async (client: Client, marks: readonly CursorMark[]): Promise<void> => {
  const xmax = BigInt(marks.at(-1)?.xmax ?? '0');
  for (let waited = 0; waited < waitMilliseconds; waited += pollMilliseconds) {
    if ((await xminOf(client)) >= xmax) return;
    await delay(pollMilliseconds);
  }
};

/** Call it in the transaction that reads the rows: its snapshot decides which values are checkpoints. */
export const planPostgres = async (
  client: Client,
  task: DatabaseTask,
  incremental: Incremental,
  { kind, type, marks }: Awaited<ReturnType<typeof markPostgres>>,
): Promise<ChangeRead> => {
  const xmin = await xminOf(client);
  const isSettled = ({ xmax = '0' }: CursorMark): boolean => BigInt(xmax) <= xmin;
  const { overlapSeconds, overlapCount } = incremental;
  const overlap = { overlapSeconds, overlapCount };
  const from = task.since?.value;
  const next = marks.findLast(isSettled)?.value ?? from;
  const checkpoint = {
    type,
    ...overlap,
    ...(next !== undefined && { value: next }),
    marks: marks.filter((mark) => !isSettled(mark)),
  };
  const statement = changedStatement(
    task,
    incremental.column,
    { from, next },
    dialectOf(kind, type, incremental),
  );
  return { statement, checkpoint };
};
