import { fileNames, createUniquePrefix } from '../storage/file-names.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import type { Expression } from './expression.ts';
import { printResponseJson, castToText } from './expressions/json/print-json.ts';
import { engineType, toScalarType } from './types.ts';

/** The rows of a statement as typed columns. They leave the engine as text and come back to it page by page. */
export interface TypedRows {
  /** The names of the columns: one at least, and no two the same. */
  names: readonly string[];
  /** The rows in their order, as columns whose text is exact. To be read as TabSeparated. */
  rows: string;
  /** Rows of that text as typed columns: engine SQL that gives them as one block, so that a file tells of no other rows. */
  page(text: string): string;
}

export interface TypedColumn extends Expression {
  readonly name: string;
}

/** A value on its way: what leaves the engine, its type there, and how the value comes out of it again. */
interface Passage {
  readonly sql: string;
  readonly type: string;
  back(sql: string): string;
}

const asItIs = (sql: string): string => sql;
const wholeNumber = engineType(toScalarType('bigint'));
const text = engineType(toScalarType('text'));

/** Intervals are text as PostgreSQL prints them, and arrays JSON text: files have no type for either that says null too. */
function passageOf(e: Expression): Passage {
  const { sql, type } = e;
  switch (type.name) {
    case 'array':
      return { sql: `if(empty(${sql}), NULL, ${printResponseJson(e)})`, type: text, back: asItIs };
    case 'interval':
      return { sql: castToText(e), type: text, back: asItIs };
    case 'double precision':
      return {
        sql: `reinterpretAsInt64(${sql})`,
        type: wholeNumber,
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
        type: wholeNumber,
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
      return { sql, type: engineType(type), back: asItIs };
  }
}

/** @param from the rows in their order, with the columns that the expressions name */
export function typedRows(columns: readonly TypedColumn[], from: string): TypedRows {
  const names = fileNames(columns.map(({ name }) => name));
  const passages = columns.map(passageOf);
  const inner = createUniquePrefix(names, 'c');
  const nameOf = (index: number): string => `${inner}${String(index)}`;
  const structure = passages.map(({ type }, index) => `${nameOf(index)} ${type}`).join(', ');
  const list = passages
    .map(({ back }, index) => `${back(nameOf(index))} AS ${quoteIdentifier(names[index] ?? '')}`)
    .join(', ');
  const noRows = passages.map(({ type }, index) => `CAST(NULL AS ${type}) AS ${nameOf(index)}`).join(', ');
  return {
    names,
    rows: `SELECT ${passages.map(({ sql }) => sql).join(', ')} FROM (${from})`,
    page: (rows) =>
      rows === ''
        ? `SELECT ${list} FROM (SELECT ${noRows}) WHERE false`
        : `SELECT ${list} FROM format('TabSeparated', ${quoteString(structure)}, ${quoteString(rows)})`,
  };
}
