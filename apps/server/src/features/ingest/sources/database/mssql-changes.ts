import { ReaderError } from '../reader-error.ts';
import type { DatabaseTask } from './database-messages.ts';
import {
  findColumns,
  lessNumber,
  requireCursorValue,
  requireSame,
  type Checkpoint,
  type CursorKind,
  type Incremental,
} from './incremental.ts';
import { quoted, type MssqlValue } from './mssql-values.ts';
import { changedCondition, keptExpression, type Dialect } from './row-statement.ts';

/** Runs a statement, and returns its rows. */
export type RunStatement = (sql: string) => Promise<(MssqlValue | null)[][]>;

/** How the values of a cursor column become texts, and texts literals of the same type, without loss of digits. */
interface CursorType {
  kind: CursorKind;
  text(column: string): string;
  literal(value: string): string;
}

const number: CursorType = {
  kind: 'number',
  text: (column) => `CONVERT(varchar(50), ${column})`,
  literal: (value) => value,
};

/** @param style of CONVERT, which writes all digits of the type and reads them again */
const time = (type: string, style: number): CursorType => ({
  kind: 'time',
  text: (column) => `CONVERT(varchar(50), ${column}, ${String(style)})`,
  literal: (value) => `CONVERT(${type}, '${value}', ${String(style)})`,
});

const version: CursorType = {
  kind: 'version',
  text: (column) => `CONVERT(varchar(18), CONVERT(binary(8), ${column}), 1)`,
  literal: (value) => value,
};

// A datetime compared with a datetime2 has other digits, so each type has literals of its own.
const cursorTypes = new Map<string, CursorType>([
  ...['tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric'].map((type) => [type, number] as const),
  // Seconds cannot be subtracted from a date.
  ['date', { ...time('datetime2(7)', 23), kind: 'date' }],
  ['smalldatetime', time('smalldatetime', 120)],
  ['datetime', time('datetime', 121)],
  ['datetime2', time('datetime2(7)', 121)],
  [
    'datetimeoffset',
    {
      kind: 'time',
      text: (column) => `CONVERT(varchar(50), CONVERT(datetime2(7), SWITCHOFFSET(${column}, '+00:00')), 121)`,
      literal: (value) => `TODATETIMEOFFSET(CONVERT(datetime2(7), '${value}', 121), '+00:00')`,
    },
  ],
  ['timestamp', version],
]);

const dialectOf = (
  { kind, literal }: CursorType,
  { overlapSeconds, overlapCount }: Incremental,
): Dialect => ({
  quoted,
  lowerBound: (value) => {
    if (kind === 'number') return lessNumber(value, overlapCount);
    const seconds = kind === 'version' ? 0 : overlapSeconds;
    return seconds === 0 ? literal(value) : `DATEADD(second, -${String(seconds)}, ${literal(value)})`;
  },
});

/** The greatest value of the column after `from`. */
const findGreatest = async (
  run: RunStatement,
  table: string,
  column: string,
  type: CursorType,
  from: string | undefined,
): Promise<string | undefined> => {
  const after = from === undefined ? '' : ` AND ${column} > ${type.literal(from)}`;
  const [row] = await run(
    `SELECT TOP (1) ${type.text(column)} FROM ${table} WHERE ${column} IS NOT NULL${after} ORDER BY ${column} DESC`,
  );
  return row === undefined ? undefined : String(row[0]);
};

/**
 * Reads the smallest row version that a transaction may still commit. Call it before the snapshot begins: then the
 * snapshot has all smaller ones, however late their transactions ended.
 */
const findSmallestOpen = async (run: RunStatement): Promise<string> => {
  const [row] = await run(
    `SELECT ${version.text('MIN_ACTIVE_ROWVERSION()')}, CONVERT(varchar(20), DATABASEPROPERTYEX(DB_NAME(), 'Updateability'))`,
  );
  const [value, updateability] = row ?? [];
  if (updateability === 'READ_WRITE') return String(value);
  throw new ReaderError(
    'This database is a read-only copy, which does not tell which row versions are still open. Name the host of the primary, or a cursor column of another type.',
  );
};

/** How a job reads what has changed: the condition of its rows, and which of them a later job reads again. */
interface MssqlChanges {
  where: string;
  kept: string;
  checkpoint: Checkpoint;
}

/**
 * Prepares the reading of what has changed. A rowversion column misses no late commit. For other columns nothing tells
 * which transactions were open, so rows are read again that are less than the overlap before the greatest value.
 * @returns a function to call in the snapshot
 */
export const prepareMssqlChanges = async (
  run: RunStatement,
  task: DatabaseTask,
  incremental: Incremental,
  table: string,
  columns: readonly { name: string; type: string }[],
): Promise<() => Promise<MssqlChanges>> => {
  const { column, overlapSeconds, overlapCount } = incremental;
  const { cursor } = findColumns(
    columns.map(({ name }) => name),
    incremental,
  );
  const typeName = columns[cursor]?.type ?? '';
  const type = cursorTypes.get(typeName);
  if (type === undefined) {
    throw new ReaderError(
      `The column ${JSON.stringify(column)} has the unsupported type ${typeName}. incremental.column must be a rowversion, an integer, decimal, date, datetime or datetimeoffset. Name another column.`,
    );
  }
  requireSame(incremental, typeName, task.since);
  const dialect = dialectOf(type, incremental);
  const from = task.since?.value;
  const open = type.kind === 'version' ? await findSmallestOpen(run) : undefined;
  return async () => {
    const found = open ?? (await findGreatest(run, table, quoted(column), type, from));
    const next = found === undefined ? from : requireCursorValue(column, type.kind, found);
    return {
      where: changedCondition(column, from, dialect),
      kept: keptExpression(column, next, dialect),
      checkpoint: {
        type: typeName,
        overlapSeconds,
        overlapCount,
        ...(next !== undefined && { value: next }),
        marks: [],
      },
    };
  };
};
