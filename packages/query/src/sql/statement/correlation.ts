import type { Expression } from '../expression.ts';
import type { SqlType } from '../types.ts';

/*
 * A correlated subquery runs once for all outer rows. Its domain is the set of distinct combinations of the outer
 * values that it uses, and each combination has a key. The subquery runs on the domain. All queries inside it that
 * depend on the domain have the key as a column: they join, group, remove duplicates, number rows and apply limits for
 * each key separately. In the end, the outer rows are joined to their results by the key.
 */

/** Generates unique names for the compiled statement. */
interface Names {
  name(): string;
}

/** The outer values that a subquery uses. */
export interface CorrelationDomain {
  /** A placeholder for the rows of the domain, in SQL that is compiled before all of its columns are known. */
  readonly placeholder: string;
  /** The name of the key column. */
  readonly key: string;
  /** The columns of the domain, by the expressions of their values on the outer rows. */
  readonly columns: Map<string, { readonly name: string; readonly type: SqlType }>;
}

export function createCorrelationDomain(names: Names): CorrelationDomain {
  const key = names.name();
  // Statements contain no NUL characters, so the placeholder is unique.
  return { placeholder: `\0${key}\0`, key, columns: new Map() };
}

/** The key expression on the outer rows: a text that is different for different values, including NULL. */
export const keyOf = ({ columns }: CorrelationDomain): string =>
  `toString(tuple(${[...columns.keys()].join(', ')}))`;

/**
 * Replaces the placeholder of the domain in the SQL of a subquery.
 * @param source FROM with the outer rows
 */
export function insertCorrelationDomain(sql: string, domain: CorrelationDomain, source: string): string {
  const columns = [...domain.columns].map(([outer, { name }]) => `${outer} AS ${name}`);
  const rows = `SELECT DISTINCT ${[...columns, `${keyOf(domain)} AS ${domain.key}`].join(', ')}${source}`;
  return sql.replaceAll(domain.placeholder, () => rows);
}

/** One use of the domain as a part of FROM. */
export interface Correlation {
  readonly domain: CorrelationDomain;
  /** The name of its key column. */
  readonly key: string;
  /** A placeholder for the key in PARTITION BY, until it is known whether the query depends on the domain. */
  readonly partition: string;
  isUsed(): boolean;
  /** Returns the value of an outer column. */
  column(outer: Expression): Expression;
  /** Returns another use of the same domain. */
  again(): Correlation;
  render(): string;
}

function createCorrelation(domain: CorrelationDomain, names: Names): Correlation {
  const key = names.name();
  const alias = names.name();
  const used = new Map<string, string>();
  return {
    domain,
    key,
    partition: `\0${alias}\0`,
    isUsed: () => used.size > 0,
    column: ({ sql, type, at }) => {
      let own = domain.columns.get(sql);
      if (own === undefined) {
        own = { name: names.name(), type };
        domain.columns.set(sql, own);
      }
      const name = used.get(own.name) ?? names.name();
      used.set(own.name, name);
      return { sql: name, type, at };
    },
    again: () => createCorrelation(domain, names),
    render: () => {
      const columns = [...used].map(([name, as]) => `${name} AS ${as}`);
      return `(SELECT ${[...columns, `${domain.key} AS ${key}`].join(', ')} FROM (${domain.placeholder})) AS ${alias}`;
    },
  };
}

/** Returns the correlation of a query with its outer rows; undefined without outer rows. */
export const findCorrelation = (
  outer: { readonly domain?: CorrelationDomain | undefined } | undefined,
  names: Names,
): Correlation | undefined =>
  outer?.domain === undefined ? undefined : createCorrelation(outer.domain, names);

/** The rows of a query, to which values of subqueries can be joined. */
export interface JoinLevel {
  /** Returns FROM without the joined subqueries. */
  source(): string;
  /** Joins `query`, which has at most one row for each value of its column `key`, to the rows with the key `ownKey`. */
  attach(query: string, key: string, ownKey: string): void;
}

/** Adds the correlation key to PARTITION BY, so that windows do not mix rows of different keys. */
export const fillPartitionKey = (
  sql: string,
  correlation: Correlation | undefined,
  key: string | undefined,
): string =>
  correlation === undefined ? sql : sql.replaceAll(correlation.partition, () => key ?? 'toUInt8(1)');
