import mysql, { type Connection, type FieldPacket } from 'mysql2';
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
import { changedStatement, columnsStatement, greatestStatement, type Dialect } from './row-statement.ts';

const { Types } = mysql;

const kinds = new Map<number | undefined, [type: string, kind: CursorKind]>([
  [Types.TINY, ['tinyint', 'number']],
  [Types.SHORT, ['smallint', 'number']],
  [Types.INT24, ['mediumint', 'number']],
  [Types.LONG, ['int', 'number']],
  [Types.LONGLONG, ['bigint', 'number']],
  [Types.DECIMAL, ['decimal', 'number']],
  [Types.NEWDECIMAL, ['decimal', 'number']],
  [Types.DATE, ['date', 'date']],
  [Types.NEWDATE, ['date', 'date']],
  [Types.DATETIME, ['datetime', 'time']],
  [Types.TIMESTAMP, ['timestamp', 'time']],
]);

export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

const dialectOf = (kind: CursorKind, { overlapSeconds, overlapCount }: Incremental): Dialect => ({
  quoted,
  lowerBound: (value) => {
    if (kind === 'number') return lessNumber(value, overlapCount);
    const literal = `CAST('${value}' AS ${kind === 'date' ? 'DATE' : 'DATETIME(6)'})`;
    return overlapSeconds === 0 ? literal : `(${literal} - INTERVAL ${String(overlapSeconds)} SECOND)`;
  },
});

const query = (
  connection: Connection,
  sql: string,
): Promise<{ value: string | undefined; fields: FieldPacket[] }> =>
  new Promise((resolve, reject) => {
    connection.query(
      { sql, rowsAsArray: true, typeCast: (field) => field.buffer() },
      (error: Error | null, rows: unknown, fields: FieldPacket[]) => {
        const [first] = rows as [(Buffer | null)[]?];
        if (error === null) resolve({ value: first?.[0]?.toString('latin1'), fields });
        else reject(error);
      },
    );
  });

/**
 * Plans the reading of what has changed, in the transaction that reads the rows. Nothing tells which transactions were
 * open, so rows are read again that are less than the overlap before the greatest value.
 */
export const planMysql = async (
  connection: Connection,
  task: DatabaseTask,
  incremental: Incremental,
): Promise<{ statement: string; checkpoint: Checkpoint }> => {
  const { column, overlapSeconds, overlapCount } = incremental;
  const overlap = { overlapSeconds, overlapCount };
  const { fields } = await query(connection, columnsStatement(task, quoted));
  const { cursor } = findColumns(
    fields.map(({ name }) => name),
    incremental,
  );
  const [type, kind] = kinds.get(fields[cursor]?.columnType) ?? [];
  if (type === undefined || kind === undefined) {
    throw new ReaderError(
      `The column ${JSON.stringify(column)} has an unsupported type. incremental.column must be an integer, decimal, date, datetime or timestamp. Name another column.`,
    );
  }
  requireSame(incremental, type, task.since);
  const from = task.since?.value;
  const exact = dialectOf(kind, { ...incremental, overlapSeconds: 0, overlapCount: 0 });
  const { value: found } = await query(connection, greatestStatement(task, column, from, exact));
  const next = found === undefined ? from : requireCursorValue(column, kind, found);
  return {
    statement: changedStatement(task, column, { from, next }, dialectOf(kind, incremental)),
    checkpoint: { type, ...overlap, ...(next !== undefined && { value: next }), marks: [] },
  };
};
