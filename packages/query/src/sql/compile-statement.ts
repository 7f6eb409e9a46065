import { quoteString } from '../storage/quoting.ts';
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

export interface SqlRequest {
  parsed: ParsedSql;
  catalog: SqlCatalog;
  /** The moment that now() means. */
  now: Date;
  /** Rows to answer; -1 is all. */
  limit: number;
  offset: number;
  /** What the rows hold when they are whole records. */
  columns: RowColumns;
}

/** A column beside the fields of a record: its name, and the engine's expression over a row of the dataset's table. */
export interface InternalColumn {
  name: string;
  sql: string;
  type: 'text' | 'timestamp';
}

/** Statements without SETTINGS and FORMAT. Their texts hold nothing of the caller's but quoted values and names. */
export interface CompiledSql {
  /** The datasets that it reads. */
  datasets: readonly SqlDataset[];
  /**
   * Rows: for whole records (`SELECT *` out of one dataset) the columns of `RowColumns`, otherwise the plain ones of them:
   * an empty id, and the row as the text of a JSON object. One row more than asked for, where there is one.
   */
  rows: string;
  /**
   * The same rows as typed columns: the outputs by their names or, of whole records, their fields and `internal` columns.
   */
  typed(internal: readonly InternalColumn[]): TypedRows;
  /** How many rows there are beside limit and offset of the request. */
  count: string;
  /** The output columns by name; none where whole records are asked for. */
  schema: Record<string, { type: string }> | undefined;
}

/**
 * Compiles a statement for one reader.
 * @throws RedoubtError SqlParseError (UnsupportedSqlError for what PostgreSQL takes) or TableNotFoundError, with the position
 */
export function compileSql(request: SqlRequest): CompiledSql {
  const { parsed } = request;
  try {
    return compile(request);
  } catch (fault) {
    throw toSqlError(fault, parsed.bytes);
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
  // The other statements that are made of the query are about as long.
  const measured = (rows: string): string => {
    if (lengthIgnoringDigits(rows) > sqlLimits.compiled) throw statementTooLarge();
    if (depthUpperBound(rows) > sqlLimits.compiledDepth)
      throw unsupportedSql(
        'a statement that is nested so deeply',
        0,
        'Write it with fewer subqueries, brackets and calls within each other.',
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
  const internal = [scan.use('labelId'), `toUnixTimestamp64Milli(${scan.use('ingestedAt')})`];
  return [scan.use('recordId'), ...(columns === 'internal' ? internal : []), scan.use('raw')].join(', ');
};

/** The fields of a record and its internal columns; its id where there are none, as a file has a column at least. */
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

/** A JSON object has each key once: a name that comes again gets a number. */
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
