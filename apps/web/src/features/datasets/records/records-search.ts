import type { RowFilter, RowSort } from '@redoubt/contract';

/** Which records are shown. It is part of the address, so that it survives a reload and can be shared as a link. */
export interface RecordsSearch {
  /** A Lucene expression. */
  readonly q?: string;
  readonly filters?: readonly RowFilter[];
  readonly sort?: readonly RowSort[];
  /** The id of the record whose panel is open. */
  readonly record?: string;
  /** The index of the row of the open record, counted from 0. */
  readonly row?: number;
}

export const operators = ['is', 'is-not', 'contains', 'at-least', 'at-most', 'less-than'] as const;

/** The text of each operator. */
export const operatorWords: Readonly<Record<RowFilter['operator'], string>> = {
  is: 'is',
  'is-not': 'is not',
  contains: 'contains',
  'at-least': 'at least',
  'at-most': 'at most',
  'less-than': 'less than',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const maxFilters = 50;
const maxValues = 100;

const toFilter = (value: unknown): RowFilter[] => {
  if (!isObject(value)) return [];
  const { field, values } = value;
  const operator = operators.find((one) => one === value['operator']);
  if (typeof field !== 'string' || operator === undefined || !Array.isArray(values)) return [];
  const texts = values
    .filter((one): one is string | null => one === null || typeof one === 'string')
    .slice(0, maxValues);
  return texts.length === 0 ? [] : [{ field, operator, values: texts }];
};

const toSort = (value: unknown): RowSort[] => {
  if (!isObject(value) || typeof value['field'] !== 'string') return [];
  const direction = value['direction'] === 'descending' ? 'descending' : 'ascending';
  return [{ field: value['field'], direction }];
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses the parameters of an address, and leaves out invalid ones. */
export const parseRecordsSearch = (search: object): RecordsSearch => {
  const { q, record, row, ...lists } = search as Partial<Record<keyof RecordsSearch, unknown>>;
  const filters = listOf(lists.filters).flatMap(toFilter).slice(0, maxFilters);
  const sort = listOf(lists.sort).flatMap(toSort).slice(0, 5);
  const isRow = typeof row === 'number' && Number.isSafeInteger(row) && row >= 0;
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(filters.length > 0 && { filters }),
    ...(sort.length > 0 && { sort }),
    ...(typeof record === 'string' && record !== '' && { record }),
    ...(isRow && { row }),
  };
};

/** Adds a value to the filters, or removes it. A field has one filter for each operator. */
export const toggleValue = (
  filters: readonly RowFilter[],
  field: string,
  value: string | null,
  operator: 'is' | 'is-not' = 'is',
): RowFilter[] => {
  const own = filters.find((one) => one.field === field && one.operator === operator);
  if (own === undefined) return [...filters, { field, operator, values: [value] }];
  const values = own.values.includes(value)
    ? own.values.filter((one) => one !== value)
    : [...own.values, value];
  if (values.length === 0) return filters.filter((one) => one !== own);
  return filters.map((one) => (one === own ? { ...one, values } : one));
};

/** The sort after a click on a column: ascending, then descending, then none. */
export const nextSort = (sort: readonly RowSort[], field: string): RowSort[] => {
  const own = sort.find((one) => one.field === field);
  if (own === undefined) return [{ field, direction: 'ascending' }];
  return own.direction === 'ascending' ? [{ field, direction: 'descending' }] : [];
};

/** Describes a filter in words. */
export const describeFilter = ({ field, operator, values }: RowFilter): string =>
  `${field} ${operatorWords[operator]} ${values.map((value) => value ?? 'null').join(', ')}`;
