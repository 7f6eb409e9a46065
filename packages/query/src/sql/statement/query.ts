import type { SqlType } from '../types.ts';
import type { RecordSource } from './relation.ts';

/** A column of a query's answer: its name for people, and its name in the engine. */
export interface QueryColumn {
  readonly name: string;
  readonly sql: string;
  readonly type: SqlType;
  /** What a literal without a type says. */
  readonly literal?: string | null;
  /**
   * Of a numeric whose rows show different digits after the point: the name in the engine of another column that says how many. The
   * query has it once somebody has asked, which is before its text is made.
   */
  readonly rowDigits?: () => string;
}

/** A compiled query: its text gives the columns, and perhaps others beside them. */
export interface Query {
  readonly columns: readonly QueryColumn[];
  /** Its text, when all that names its columns has been compiled. */
  render(): string;
  /** Where it depends on rows around it: the name of the column with the key that its rows carry. */
  readonly key?: string | undefined;
}

/** A query whose ORDER BY and LIMIT have not been written yet. */
export interface OpenQuery {
  readonly columns: readonly QueryColumn[];
  /** The text without ORDER BY and LIMIT; when it is to be sorted, with the columns that `order` names. */
  render(sorted: boolean): string;
  /**
   * Items of ORDER BY that leave no two different rows in a tie: without them the order of rows, and which of them a
   * limit keeps, could tell of hidden rows.
   */
  readonly order: readonly string[];
  readonly limit: Limit | undefined;
  /** The one dataset whose whole records are asked for (`SELECT *`), when that is so. */
  readonly records?: RecordSource;
  /** Where it depends on rows around it: the name of the column with the key that its rows carry. */
  readonly key?: string | undefined;
}

export interface Limit {
  readonly count: number | undefined;
  readonly offset: number;
}

/** More rows than there are. */
const allRows = 2 ** 53 - 1;

/** An offset has a limit with it: by itself, the engine ends DISTINCT with the first block that holds so many rows. */
const limitText = ({ count, offset }: Limit): string => {
  if (offset === 0) return count === undefined ? '' : ` LIMIT ${wholeText(count)}`;
  return ` LIMIT ${wholeText(count ?? allRows)} OFFSET ${wholeText(offset)}`;
};

/** The rows of each key cut for themselves. */
const limitByKey = ({ count = allRows, offset }: Limit, key: string): string =>
  ` LIMIT ${wholeText(count)} OFFSET ${wholeText(offset)} BY ${key}`;

function wholeText(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`Not a row count: ${String(value)}`);
  return String(value);
}

const orderText = (order: readonly string[]): string =>
  order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;

/** Completes a query that stands inside another: its order counts only where a limit chooses by it. */
export function renderSubquery(query: OpenQuery): Query {
  // Kept until it gets one more column: queries within each other would be written anew by each around them.
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

/** The rows of a query with the columns that its order is by. */
export const renderSorted = (query: OpenQuery): string =>
  query.limit === undefined ? query.render(true) : cut(query, query.limit);

const cut = (query: OpenQuery, limit: Limit): string =>
  `${query.render(true)}${orderText(query.order)}${query.key === undefined ? limitText(limit) : limitByKey(limit, query.key)}`;

/**
 * The rows of the whole statement, sorted, cut to a page of what its own limit leaves. Both cuts are one: a query around another
 * costs the engine time, and so does sorting twice.
 */
export const renderPage = (query: OpenQuery, page: Limit): string =>
  `${query.render(true)}${orderText(query.order)}${limitText(pageWithin(query.limit, page))}`;

/** The rows of a page out of those that a limit leaves. */
function pageWithin(limit: Limit | undefined, { count, offset }: Limit): Limit {
  if (limit === undefined) return { count, offset };
  const left = Math.max((limit.count ?? allRows) - offset, 0);
  return {
    count: limit.count === undefined ? count : Math.min(count ?? left, left),
    offset: Math.min(limit.offset + offset, allRows),
  };
}
