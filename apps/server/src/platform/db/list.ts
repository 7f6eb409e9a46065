import type { Condition, ListQuery } from '@redoubt/contract';
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';

/** The SQL expression of each API field. Lists can be filtered and sorted only by these fields. */
export type ListColumns = Readonly<Record<string, RawBuilder<unknown>>>;

/**
 * A page of a list. `total` counts the rows of all pages, `skip` the rows before this page; a `limit` of -1 means no
 * limit.
 */
export interface Page<T> {
  total: number;
  limit: number;
  skip: number;
  data: T[];
}

const columnOf = (columns: ListColumns, field: string): RawBuilder<unknown> => {
  const column = columns[field];
  if (column === undefined) throw new Error(`The list has no column for the field "${field}".`);
  return column;
};

/** A value as a parameter. Numbers are cast to numeric, so that a value beyond the column's range matches nothing. */
const parameter = (value: Condition['value']): RawBuilder<unknown> =>
  typeof value === 'number' ? sql`cast(${value} as numeric)` : sql`${value}`;

/** A condition as SQL that is never NULL: null differs from every value, as clients expect of `$ne`. */
const conditionSql = (columns: ListColumns, { field, operator, value }: Condition): RawBuilder<boolean> => {
  const column = columnOf(columns, field);
  const sent = parameter(value);
  switch (operator) {
    case 'eq':
      return sql`${column} is not distinct from ${sent}`;
    case 'ne':
      return sql`${column} is distinct from ${sent}`;
    case 'lt':
      return sql`coalesce(${column} < ${sent}, false)`;
    case 'lte':
      return sql`coalesce(${column} <= ${sent}, false)`;
    case 'gt':
      return sql`coalesce(${column} > ${sent}, false)`;
    case 'gte':
      return sql`coalesce(${column} >= ${sent}, false)`;
    case 'in':
      return anyOf(columns, field, value);
    case 'nin':
      return sql`not ${anyOf(columns, field, value)}`;
  }
};

const anyOf = (columns: ListColumns, field: string, values: Condition['value']): RawBuilder<boolean> => {
  const predicates = (values as readonly (string | number | boolean | null)[]).map((value) =>
    conditionSql(columns, { field, operator: 'eq', value }),
  );
  return predicates.length === 0 ? sql`false` : sql`(${sql.join(predicates, sql` or `)})`;
};

const allOf = (columns: ListColumns, conditions: readonly Condition[]): RawBuilder<boolean> =>
  conditions.length === 0
    ? sql`true`
    : sql`(${sql.join(
        conditions.map((condition) => conditionSql(columns, condition)),
        sql` and `,
      )})`;

/** The total number of rows, if it follows from this page: a page that is not full ends where the list ends. */
const totalFromPage = (
  { limit, skip }: Pick<ListQuery, 'limit' | 'skip'>,
  rows: number,
): number | undefined => {
  const isLast = limit === -1 || rows < limit;
  return isLast && (rows > 0 || skip === 0) ? skip + rows : undefined;
};

const countOf = async <DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
): Promise<number> => {
  const { total } = await matching
    .clearSelect()
    .select(sql<string>`count(*)`.as('total'))
    .$castTo<{ total: string }>()
    .executeTakeFirstOrThrow();
  return Number(total);
};

/**
 * Runs a list query: counts the matching rows and reads one page of them in the requested order.
 * ```ts
 * const columns = groupColumns(actor.workspace);
 * const page = await readPage(visibleGroups(db, actor), list, columns, columns.id);
 * ```
 * @param query the rows that the actor may see; the filters of `list` narrow it
 * @param columns the fields that `list` may filter and sort by
 * @param tieBreaker a unique column, so that pages neither overlap nor leave gaps
 * @throws Error for a field of `list` that is not in `columns`
 */
export const readPage = async <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  list: Pick<ListQuery, 'limit' | 'skip' | 'sort' | 'where' | 'or'>,
  columns: ListColumns,
  tieBreaker: RawBuilder<unknown>,
): Promise<Page<O>> => {
  let matching = query.where(allOf(columns, list.where));
  if (list.or.length > 0) {
    const branches = list.or.map((branch) => allOf(columns, branch));
    matching = matching.where(sql<boolean>`(${sql.join(branches, sql` or `)})`);
  }
  let page = matching;
  for (const { field, direction } of list.sort) {
    page = page.orderBy(columnOf(columns, field), direction === 1 ? 'asc' : 'desc');
  }
  page = page.orderBy(tieBreaker).offset(list.skip);
  if (list.limit !== -1) page = page.limit(list.limit);
  const data = list.limit === 0 ? [] : await page.execute();
  const total = totalFromPage(list, data.length) ?? (await countOf(matching));
  return { total, limit: list.limit, skip: list.skip, data };
};
