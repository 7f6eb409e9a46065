import type { SqlType } from '../types.ts';
import type { RecordSource } from './relation.ts';

/** An output column: its name in the result, and its name in the engine. */
export interface QueryColumn {
  readonly name: string;
  readonly sql: string;
  readonly type: SqlType;
  /** The value of a literal of unknown type. */
  readonly literal?: string | null;
  /**
   * For a numeric whose scale varies from row to row: returns the name of a column with the scale. The call adds that
   * column to the query, so it must happen before the query is rendered.
   */
  readonly rowDigits?: () => string;
}

/** A compiled query. Its SQL returns these columns, and possibly others. */
export interface Query {
  readonly columns: readonly QueryColumn[];
  /** Returns its SQL. Call it after everything that uses its columns has been compiled. */
  render(): string;
  /** The name of the column with the correlation key, if the query depends on outer rows. */
  readonly key?: string | undefined;
}

/** A query to which the caller adds ORDER BY and LIMIT. */
export interface OpenQuery {
  readonly columns: readonly QueryColumn[];
  /** Returns the SQL without ORDER BY and LIMIT. If `sorted`, it includes the columns that `order` uses. */
  render(sorted: boolean): string;
  /**
   * Items of ORDER BY that give a total order of different rows. Without it, the order of rows and the selection by a
   * limit could disclose hidden rows.
   */
  readonly order: readonly string[];
  readonly limit: Limit | undefined;
  /** The dataset, if the query returns its whole records (`SELECT *`). */
  readonly records?: RecordSource;
  /** The name of the column with the correlation key, if the query depends on outer rows. */
  readonly key?: string | undefined;
}

export interface Limit {
  readonly count: number | undefined;
  readonly offset: number;
}

/** More rows than any result has. */
const allRows = 2 ** 53 - 1;

/**
 * Prints LIMIT and OFFSET. It prints a limit for every offset: for an offset alone, the engine ends DISTINCT after the
 * first block with enough rows.
 */
const limitText = ({ count, offset }: Limit): string => {
  if (offset === 0) return count === undefined ? '' : ` LIMIT ${wholeText(count)}`;
  return ` LIMIT ${wholeText(count ?? allRows)} OFFSET ${wholeText(offset)}`;
};

/** Prints a limit for each correlation key. */
const limitByKey = ({ count = allRows, offset }: Limit, key: string): string =>
  ` LIMIT ${wholeText(count)} OFFSET ${wholeText(offset)} BY ${key}`;

function wholeText(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`Expected a row count, got ${String(value)}.`);
  return String(value);
}

const orderText = (order: readonly string[]): string =>
  order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;

/** Completes a nested query with its limit. Its order is dropped if it has no limit, because it then has no effect. */
export function renderSubquery(query: OpenQuery): Query {
  // Caches the SQL until a column is added. Otherwise nested queries would be rendered again by each query around them.
  let text: string | undefined;
  const { key, limit } = query;
  return {
    columns: query.columns.map(({ rowDigits, ...column }) =>
      rowDigits === undefined
        ? column
        : {
            ...column,
            rowDigits: () => {
              text = undefined;
              return rowDigits();
            },
          },
    ),
    render: () => {
      text ??= limit === undefined ? query.render(false) : cut(query, limit);
      return text;
    },
    ...(key === undefined ? {} : { key }),
  };
}

/** Renders a query with the columns of its order. */
export const renderSorted = (query: OpenQuery): string =>
  query.limit === undefined ? query.render(true) : cut(query, query.limit);

const cut = (query: OpenQuery, limit: Limit): string =>
  `${query.render(true)}${orderText(query.order)}${query.key === undefined ? limitText(limit) : limitByKey(limit, query.key)}`;

/**
 * Renders the whole statement, sorted and limited to a page. It combines the page with the limit of the statement,
 * because a nested query with a second sort would be slower.
 */
export const renderPage = (query: OpenQuery, page: Limit): string =>
  `${query.render(true)}${orderText(query.order)}${limitText(pageWithin(query.limit, page))}`;

/** Combines the page with the limit of the statement. */
function pageWithin(limit: Limit | undefined, { count, offset }: Limit): Limit {
  if (limit === undefined) return { count, offset };
  const left = Math.max((limit.count ?? allRows) - offset, 0);
  return {
    count: limit.count === undefined ? count : Math.min(count ?? left, left),
    offset: Math.min(limit.offset + offset, allRows),
  };
}
