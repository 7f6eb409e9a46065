import type { SortBy } from 'libpg-query';
import { resolveUnknownLiteral } from '../expressions/casts.ts';
import { sortKey, type SortKey } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';

/** An item of ORDER BY with its engine SQL. */
export interface SortItem extends SortKey {
  readonly sql: string;
}

/** Compiles an item of ORDER BY. By default NULL is greater than all values. */
export function sortItem(sort: SortBy, value: Expression): SortItem {
  const expression = resolveUnknownLiteral(value);
  if (sort.sortby_dir === 'SORTBY_USING')
    throw unsupportedSql('ORDER BY USING', expression.at, 'Write ASC or DESC.');
  const descending = sort.sortby_dir === 'SORTBY_DESC';
  const nullsFirst =
    sort.sortby_nulls === 'SORTBY_NULLS_FIRST' || (descending && sort.sortby_nulls !== 'SORTBY_NULLS_LAST');
  return {
    expression,
    written: value,
    descending,
    nullsFirst,
    sql: sortKey(expression, descending, nullsFirst),
  };
}
