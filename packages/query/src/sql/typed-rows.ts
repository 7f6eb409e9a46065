import { fileNames, createUniquePrefix } from '../storage/file-names.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import type { Expression } from './expression.ts';
import { printResponseJson, castToText } from './expressions/json/print-json.ts';
import { engineType, toScalarType } from './types.ts';

/**
 * The rows of a statement as typed columns. The engine returns them as text, and the caller passes this text back to it
 * page by page.
 */
export interface TypedRows {
  /** The column names: at least one, all different. */
  names: readonly string[];
  /** The statement that returns the rows in order, with exact text in each column. Read its result as TabSeparated. */
  rows: string;
  /**
   * Compiles the statement that converts rows of that text to typed columns. It returns them as one block, so that
   * block boundaries in a file disclose no hidden rows.
   */
  page(text: string): string;
}

export interface TypedColumn extends Expression {
  readonly name: string;
}

/**
 * How the engine returns a value (`sql`, of the engine type `type`), and how `back` converts it to the original type.
 */
interface ValueTransfer {
  readonly sql: string;
  readonly type: string;
  back(sql: string): string;
}

const unchanged = (sql: string): string => sql;
const integer = engineType(toScalarType('bigint'));
const text = engineType(toScalarType('text'));

/**
 * Intervals become text as in PostgreSQL, and arrays JSON text, because no column type of files represents them
 * together with NULL.
 */
function transferOf(e: Expression): ValueTransfer {
  const { sql, type } = e;
  switch (type.name) {
    case 'array':
      return { sql: `if(empty(${sql}), NULL, ${printResponseJson(e)})`, type: text, back: unchanged };
    case 'interval':
      return { sql: castToText(e), type: text, back: unchanged };
    case 'double precision':
      return {
        sql: `reinterpretAsInt64(${sql})`,
        type: integer,
        back: (bits) => `reinterpretAsFloat64(${bits})`,
      };
    case 'date':
      return {
        sql: `toInt32(${sql})`,
        type: 'Nullable(Int32)',
        back: (days) => `CAST(${days} AS ${engineType(type)})`,
      };
    case 'timestamp':
    case 'timestamptz':
      return {
        sql: `toUnixTimestamp64Micro(${sql})`,
        type: integer,
        back: (micros) => `fromUnixTimestamp64Micro(${micros}, 'UTC')`,
      };
    case 'boolean':
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'jsonb':
    case 'text':
    case 'unknown':
      return { sql, type: engineType(type), back: unchanged };
  }
}

/** @param from the rows in order, with the columns that the expressions use */
export function typedRows(columns: readonly TypedColumn[], from: string): TypedRows {
  const names = fileNames(columns.map(({ name }) => name));
  const transfers = columns.map(transferOf);
  const inner = createUniquePrefix(names, 'c');
  const nameOf = (index: number): string => `${inner}${String(index)}`;
  const structure = transfers.map(({ type }, index) => `${nameOf(index)} ${type}`).join(', ');
  const list = transfers
    .map(({ back }, index) => `${back(nameOf(index))} AS ${quoteIdentifier(names[index] ?? '')}`)
    .join(', ');
  const noRows = transfers.map(({ type }, index) => `CAST(NULL AS ${type}) AS ${nameOf(index)}`).join(', ');
  return {
    names,
    rows: `SELECT ${transfers.map(({ sql }) => sql).join(', ')} FROM (${from})`,
    page: (rows) =>
      rows === ''
        ? `SELECT ${list} FROM (SELECT ${noRows}) WHERE false`
        : `SELECT ${list} FROM format('TabSeparated', ${quoteString(structure)}, ${quoteString(rows)})`,
  };
}
