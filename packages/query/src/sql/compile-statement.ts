import { quoteString } from '../storage/quoting.ts';
import { compileIdBytes } from '../compile/compile-search.ts';
import type { RowColumns } from '../compile/search-types.ts';
import { printResponseJson } from './expressions/json/print-json.ts';
import { unsupportedSql } from './sql-compile-error.ts';
import {
  createCompilation,
  lengthIgnoringDigits,
  statementTooLarge,
  type SqlCatalog,
  type SqlDataset,
} from './statement/compilation-context.ts';
import { toSqlError, sqlLimits, type ParsedSql } from './statement/parse-sql.ts';
import { depthUpperBound } from './statement/statement-depth.ts';
import {
  renderSubquery,
  renderPage,
  type Limit,
  type OpenQuery,
  type QueryColumn,
} from './statement/query.ts';
import { compileCondition, compileExpression } from './statement/expression-compiler.ts';
import type { RecordSource } from './statement/relation.ts';
import { openQuery } from './statement/select.ts';
import { typedRows, type TypedColumn, type TypedRows } from './typed-rows.ts';
import { toScalarType, printType } from './types.ts';

/** A parsed statement, the datasets that are visible to its reader, and the requested page of its rows. */
export interface SqlRequest {
  parsed: ParsedSql;
  catalog: SqlCatalog;
  /** The time that now() returns. */
  now: Date;
  /** The maximum number of rows; -1 means all. */
  limit: number;
  offset: number;
  /** The columns of rows that are whole records. */
  columns: RowColumns;
}

/**
 * A column in addition to the fields of a record: its name, and the engine expression on a row of the dataset's table.
 */
export interface InternalColumn {
  name: string;
  sql: string;
  type: 'text' | 'timestamp';
}

/** Statements without SETTINGS and FORMAT. They contain text of the client only as quoted literals and names. */
export interface CompiledSql {
  /** The datasets that the statement reads. */
  datasets: readonly SqlDataset[];
  /**
   * The statement for the rows. Whole records (`SELECT *` from one dataset) have the columns of `RowColumns`. Other
   * rows have the columns of `plain`: an empty id, and the row as a JSON object. It returns one row more than the limit
   * if there are more rows.
   */
  rows: string;
  /**
   * The same rows as typed columns: the output columns, or for whole records their fields and the `internal` columns.
   */
  typed(internal: readonly InternalColumn[]): TypedRows;
  /** The statement for the number of rows, without limit and offset of the request. */
  count: string;
  /** The types of the output columns by name; undefined for whole records. */
  schema: Record<string, { type: string }> | undefined;
}

/**
 * Compiles a SQL statement for one reader, whose visibility is in the datasets of the catalog.
 *
 *     const parsed = await parseSql('SELECT name FROM people WHERE age > 30');
 *     const options = { limit: 100, offset: 0, columns: 'plain' } as const;
 *     const { rows, schema } = compileSql({ parsed, catalog, now: new Date(), ...options });
 *     // rows: engine SQL that reads only visible records; schema: { name: { type: 'text' } }
 *
 * @throws RedoubtError SqlParseError (UnsupportedSqlError for what PostgreSQL supports) or TableNotFoundError, with the
 *   position
 */
export function compileSql(request: SqlRequest): CompiledSql {
  const { parsed } = request;
  try {
    return compile(request);
  } catch (error) {
    throw toSqlError(error, parsed.bytes);
  }
}

function compile({ parsed, catalog, now, limit, offset, columns }: SqlRequest): CompiledSql {
  const parts = { expression: compileExpression, condition: compileCondition, query: openQuery };
  const compilation = createCompilation(parts, { parsed, catalog, now });
  const place = { clause: 'the statement', aggregates: false, windows: false };
  const scope = { compilation, relations: [], ctes: new Map(), outer: undefined, place };
  const query = openQuery(parsed.select, scope, 0, true);
  const page = { count: limit === -1 ? undefined : limit, offset };
  const { scans: datasets, complete } = compilation;
  // Measures only this statement: the other statements that are derived from the query have about the same length.
  const measured = (rows: string): string => {
    if (lengthIgnoringDigits(rows) > sqlLimits.compiled) throw statementTooLarge();
    if (depthUpperBound(rows) > sqlLimits.compiledDepth)
      throw unsupportedSql(
        'a statement that is nested so deeply',
        0,
        'Use fewer nested subqueries, parentheses and calls.',
      );
    return complete(rows);
  };
  if (query.records !== undefined) {
    const list = recordList(query.records, columns);
    const rows = measured(`SELECT ${list} FROM (${renderPage(query, andOne(page))})`);
    const { records: scan } = query;
    const typed = (internal: readonly InternalColumn[]): TypedRows =>
      typedRows(recordColumnsOf(scan, internal), complete(renderPage(query, page)));
    return { datasets, rows, typed, count: complete(countOf(query)), schema: undefined };
  }
  const named = uniquelyNamed(query.columns);
  return {
    datasets,
    rows: measured(`SELECT '', ${objectText(named)} FROM (${renderPage(query, andOne(page))})`),
    typed: () =>
      typedRows(
        named.map((column) => ({ ...column, at: 0 })),
        complete(renderPage(query, page)),
      ),
    count: complete(countOf(query)),
    schema: Object.fromEntries(named.map(({ name, type }) => [name, { type: printType(type) }])),
  };
}

const andOne = ({ count, offset }: Limit): Limit => ({
  count: count === undefined ? undefined : count + 1,
  offset,
});

const countOf = (query: OpenQuery): string => `SELECT count() FROM (${renderSubquery(query).render()})`;

const recordList = (scan: RecordSource, columns: RowColumns): string => {
  if (columns === 'id') return compileIdBytes(scan.use('recordId'));
  const internal = [scan.use('labelId'), `toUnixTimestamp64Milli(${scan.use('ingestedAt')})`];
  return [scan.use('recordId'), ...(columns === 'internal' ? internal : []), scan.use('raw')].join(', ');
};

/**
 * Returns the fields of a record and the internal columns. If there are none, returns the record id, because a file
 * needs at least one column.
 */
function recordColumnsOf(scan: RecordSource, internal: readonly InternalColumn[]): TypedColumn[] {
  const fields = scan.relations
    .flatMap((relation) => relation.columns())
    .map(({ name, get }) => ({ ...get(0), name }));
  const beside = internal.map(({ name, sql, type }) => ({
    name,
    sql: scan.expression(sql),
    type: toScalarType(type),
    at: 0,
  }));
  const columns = [...fields, ...beside];
  if (columns.length > 0) return columns;
  return [{ name: '_koverse_record_id', sql: scan.use('recordId'), type: toScalarType('text'), at: 0 }];
}

/** Makes column names unique for a JSON object: a repeated name gets a number. */
function uniquelyNamed(columns: readonly QueryColumn[]): QueryColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  const used = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    for (let n = 2; used.has(name); n++) {
      const candidate = `${column.name}_${String(n)}`;
      if (!taken.has(candidate)) name = candidate;
    }
    used.add(name);
    return { ...column, name };
  });
}

function objectText(columns: readonly QueryColumn[]): string {
  const parts = columns.map(({ name, ...value }, i) => {
    const key = quoteString(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    return `${key}, ${printResponseJson({ ...value, at: 0 })}`;
  });
  return `concat(${parts.join(', ')}, '}')`;
}
