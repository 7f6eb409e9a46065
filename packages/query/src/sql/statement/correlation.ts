import type { Expression } from '../expression.ts';
import type { SqlType } from '../types.ts';

/*
 * A subquery that names columns of the rows around it is compiled once for all of them: it runs over the different
 * combinations of values that those columns have (its domain), each with a key, and every query inside it that depends on them
 * carries the key along: it joins, groups, sorts out doubles, numbers rows and cuts to a limit for each key apart. Then the rows
 * around it find what is theirs by their key.
 */

/** Gives names that nothing else in the compiled statement has. */
interface Names {
  name(): string;
}

/** The values of columns around a subquery that it names. */
export interface CorrelationDomain {
  /** Where the domain's rows are read in text that is made before all of its columns are known. */
  readonly placeholder: string;
  /** The name of the key among its columns. */
  readonly key: string;
  /** Its columns by the text that they have in the rows around the subquery. */
  readonly columns: Map<string, { readonly name: string; readonly type: SqlType }>;
}

export function createCorrelationDomain(names: Names): CorrelationDomain {
  const key = names.name();
  // Nothing in a statement has a NUL character.
  return { placeholder: `\0${key}\0`, key, columns: new Map() };
}

/** What a row around the subquery finds its rows by: a text of the values that tells all of them apart, NULL too. */
export const keyOf = ({ columns }: CorrelationDomain): string =>
  `toString(tuple(${[...columns.keys()].join(', ')}))`;

/**
 * Puts the domain's rows into the text of the subquery.
 * @param source FROM with the rows around it
 */
export function insertCorrelationDomain(sql: string, domain: CorrelationDomain, source: string): string {
  const columns = [...domain.columns].map(([outer, { name }]) => `${outer} AS ${name}`);
  const rows = `SELECT DISTINCT ${[...columns, `${keyOf(domain)} AS ${domain.key}`].join(', ')}${source}`;
  return sql.replaceAll(domain.placeholder, () => rows);
}

/** A reading of the domain in one query of the subquery, where it stands as a part of FROM. */
export interface Correlation {
  readonly domain: CorrelationDomain;
  /** The name of its key. */
  readonly key: string;
  /** What stands in PARTITION BY until it is known whether the query depends on the domain. */
  readonly partition: string;
  isUsed(): boolean;
  /** The value of a column around the subquery. */
  column(outer: Expression): Expression;
  /** Another reading of the same domain. */
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

/** What a query reads of the rows around it; nothing where there are none. */
export const findCorrelation = (
  outer: { readonly domain?: CorrelationDomain | undefined } | undefined,
  names: Names,
): Correlation | undefined =>
  outer?.domain === undefined ? undefined : createCorrelation(outer.domain, names);

/** Rows that a query is made of, which values of subqueries are joined to. */
export interface JoinLevel {
  /** FROM with them, as far as it is known by now. */
  source(): string;
  /** Adds the rows of a subquery, at most one for each key. */
  attach(query: string, key: string, ownKey: string): void;
}

/** A value that windows are cut by, which keeps those of different keys apart. */
export const fillPartitionKey = (
  sql: string,
  correlation: Correlation | undefined,
  key: string | undefined,
): string =>
  correlation === undefined ? sql : sql.replaceAll(correlation.partition, () => key ?? 'toUInt8(1)');
