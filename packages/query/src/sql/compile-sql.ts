import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import type { RowColumns } from '../compile/search-types.ts';
import { jsonValue } from './expressions/output.ts';
import { invalid } from './fault.ts';
import { createCompilation, type SqlCatalog, type SqlDataset } from './statement/compilation.ts';
import { readable, sqlLimits, type ParsedSql } from './statement/parse-sql.ts';
import { closed, paged, type OpenQuery, type QueryColumn } from './statement/query.ts';
import { compileCondition, compileExpression } from './statement/compile-expression.ts';
import type { RecordSource } from './statement/relation.ts';
import { openQuery } from './statement/select.ts';
import { typeText } from './types.ts';

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

/** Statements without SETTINGS and FORMAT. Their texts hold nothing of the caller's but quoted values and names. */
export interface CompiledSql {
  /** The datasets that it reads. */
  datasets: readonly SqlDataset[];
  /**
   * Rows: for whole records (`SELECT *` out of one dataset) the columns of `RowColumns`, otherwise the plain ones of them:
   * an empty id, and the row as the text of a JSON object.
   */
  rows: string;
  /** The same rows with a column for each output, by its name; only when they are not whole records. */
  typed: string | undefined;
  /** How many rows there are beside limit and offset of the request. */
  count: string;
  /** The output columns by name; none where whole records are asked for. */
  schema: Record<string, { type: string }> | undefined;
}

/**
 * Compiles a statement for one reader.
 * @throws RedoubtError SqlParseError, TableNotFoundError or NotImplementedError, with the position
 */
export function compileSql(request: SqlRequest): CompiledSql {
  const { parsed } = request;
  try {
    const compiled = compile(request);
    if (compiled.rows.length > sqlLimits.compiled)
      throw invalid('the statement is too large when written out', 0);
    return compiled;
  } catch (fault) {
    throw readable(fault, parsed.bytes);
  }
}

function compile({ parsed, catalog, now, limit, offset, columns }: SqlRequest): CompiledSql {
  const parts = { expression: compileExpression, condition: compileCondition, query: openQuery };
  const compilation = createCompilation(parts, { parsed, catalog, now });
  const place = { clause: 'the statement', aggregates: false, windows: false };
  const scope = { compilation, relations: [], ctes: new Map(), outer: undefined, place };
  const query = openQuery(parsed.select, scope, 0, true);
  const page = { count: limit === -1 ? undefined : limit, offset };
  const datasets = compilation.scans;
  if (query.records !== undefined) {
    const list = recordList(query.records, columns);
    const rows = `SELECT ${list} FROM (${paged(query, page)})`;
    return { datasets, rows, typed: undefined, count: countOf(query), schema: undefined };
  }
  const named = uniquelyNamed(query.columns);
  const text = paged(query, page);
  return {
    datasets,
    rows: `SELECT '', ${objectText(named)} FROM (${text})`,
    typed: `SELECT ${named.map(({ name, sql }) => `${sql} AS ${quoteIdentifier(name)}`).join(', ')} FROM (${text})`,
    count: countOf(query),
    schema: Object.fromEntries(named.map(({ name, type }) => [name, { type: typeText(type) }])),
  };
}

const countOf = (query: OpenQuery): string => `SELECT count() FROM (${closed(query).sql})`;

const recordList = (scan: RecordSource, columns: RowColumns): string => {
  const internal = [scan.use('labelId'), `toUnixTimestamp64Milli(${scan.use('ingestedAt')})`];
  return [scan.use('recordId'), ...(columns === 'internal' ? internal : []), scan.use('raw')].join(', ');
};

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
    return `${key}, ${jsonValue({ ...value, at: 0 })}`;
  });
  return `concat(${parts.join(', ')}, '}')`;
}
