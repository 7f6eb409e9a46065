import { describeValue, invalidField, unknownField } from '@redoubt/errors';
import type { Static, TObject } from 'typebox';
import {
  defaultPageSize,
  filterOperators,
  noLimit,
  type FilterOperator,
  type ListDescriptor,
} from './list.ts';
import { parseDeclaredParameters, rejectUnknownKeys, truncateForMessage } from './parse-parameters.ts';
import { parseInteger, parseScalar } from './parse-scalar.ts';
import { readScalarSchema, type Scalar, type ScalarValue } from './scalar.ts';

export type FilterValue = ScalarValue | null;

export type Condition =
  | { field: string; operator: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; value: FilterValue }
  | { field: string; operator: 'in' | 'nin'; value: FilterValue[] };

/** The parsed query string of a paginated list. */
export interface ListQuery<F = Record<never, never>> {
  /** Entries per page: -1 for all, 0 for only the total. */
  limit: number;
  skip: number;
  /** The first entry sorts first. */
  sort: { field: string; direction: 1 | -1 }[];
  /** Conditions that must all hold. */
  where: Condition[];
  /** Groups of conditions; unless empty, all conditions of at least one group must hold. */
  or: Condition[][];
  /** Parameters of the request that are not list conventions. */
  flags: F;
}

/** The maximum number of values of `$in` and `$nin`. */
export const maxInValues = 1000;
/** The maximum number of groups of `$or`. */
export const maxOrGroups = 50;

const conventions = ['$limit', '$skip', '$sort', '$or'] as const;
const operators: Record<FilterOperator, Condition['operator']> = {
  $ne: 'ne',
  $lt: 'lt',
  $lte: 'lte',
  $gt: 'gt',
  $gte: 'gte',
  $in: 'in',
  $nin: 'nin',
};

const isObject = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null;

/**
 * The values of an array, or undefined for anything else. `qs` parses long arrays to objects that are keyed by
 * position.
 */
const toArray = (sent: unknown): unknown[] | undefined => {
  if (Array.isArray(sent)) return sent;
  if (!isObject(sent)) return undefined;
  const keys = Object.keys(sent);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(sent) : undefined;
};

const parseCount = (
  field: string,
  sent: unknown,
  { fallback, minimum, advice }: { fallback: number; minimum: number; advice: string },
): number => {
  if (sent === undefined) return fallback;
  const value = typeof sent === 'string' ? parseInteger(sent) : undefined;
  if (value !== undefined && value >= minimum) return value;
  const expected = `a whole number of at least ${minimum}`;
  throw invalidField({ field, expected, got: describeValue(sent), advice });
};

const limitRules = {
  fallback: defaultPageSize,
  minimum: noLimit,
  advice: 'Send a page size such as 10, or -1 for all entries.',
};
const skipRules = { fallback: 0, minimum: 0, advice: 'Send the number of entries to pass over.' };

const parseSort = (sent: unknown, fields: readonly string[]): ListQuery['sort'] => {
  if (sent === undefined) return [];
  if (!isObject(sent) || Array.isArray(sent)) {
    throw invalidField({
      field: '$sort',
      expected: 'a direction for each field',
      got: describeValue(sent),
      advice: 'Send $sort[field]=1 or $sort[field]=-1.',
    });
  }
  return Object.entries(sent).map(([field, direction]) => {
    const path = `$sort[${truncateForMessage(field)}]`;
    if (!fields.includes(field)) {
      throw unknownField({ field: path, kind: 'a sort field of this list', known: fields });
    }
    if (direction === '1') return { field, direction: 1 };
    if (direction === '-1') return { field, direction: -1 };
    throw invalidField({
      field: path,
      expected: '1 or -1',
      got: describeValue(direction),
      advice: 'Send 1 for ascending or -1 for descending order.',
    });
  });
};

const parseFilterValue = (path: string, sent: unknown, scalar: Scalar): FilterValue =>
  scalar.nullable && sent === 'null' ? null : parseScalar(path, sent, scalar);

const parseFilterValues = (path: string, sent: unknown, scalar: Scalar): FilterValue[] => {
  const values = toArray(sent) ?? [sent];
  if (values.length > maxInValues) {
    throw invalidField({
      field: path,
      expected: `at most ${maxInValues} values`,
      got: describeValue(values),
      advice: 'Send fewer values.',
    });
  }
  return values.map((value) => parseFilterValue(path, value, scalar));
};

const isOperator = (key: string): key is FilterOperator =>
  (filterOperators as readonly string[]).includes(key);

const parseOperator = (
  field: string,
  path: string,
  key: string,
  sent: unknown,
  scalar: Scalar,
): Condition => {
  const operatorPath = `${path}[${truncateForMessage(key)}]`;
  if (!isOperator(key)) {
    throw unknownField({ field: operatorPath, kind: 'a filter operator', known: filterOperators });
  }
  const operator = operators[key];
  if (operator === 'in' || operator === 'nin') {
    return { field, operator, value: parseFilterValues(operatorPath, sent, scalar) };
  }
  const value = parseFilterValue(operatorPath, sent, scalar);
  if (operator !== 'ne' && (value === null || typeof value === 'boolean')) {
    throw invalidField({
      field: operatorPath,
      expected: 'a value that has an order',
      got: describeValue(sent),
      advice: 'Compare it with $ne, $in or $nin.',
    });
  }
  return { field, operator, value };
};

const parseFilter = (field: string, path: string, sent: unknown, scalar: Scalar): Condition[] => {
  if (!isObject(sent) || Array.isArray(sent)) {
    if (!Array.isArray(sent)) return [{ field, operator: 'eq', value: parseFilterValue(path, sent, scalar) }];
    throw invalidField({
      field: path,
      expected: 'a single value',
      got: describeValue(sent),
      advice: `Send one value, or several as ${path}[$in][]=value.`,
    });
  }
  const conditions = Object.entries(sent).map(([key, value]) =>
    parseOperator(field, path, key, value, scalar),
  );
  if (conditions.length > 0) return conditions;
  throw invalidField({ field: path, expected: 'a value', got: 'nothing', advice: `Send ${path}=value.` });
};

const parseOrGroups = (sent: unknown, filters: ReadonlyMap<string, Scalar>): Condition[][] => {
  if (sent === undefined) return [];
  const groups = toArray(sent);
  if (groups === undefined || groups.length === 0) {
    throw invalidField({
      field: '$or',
      expected: 'an array of groups of filters',
      got: describeValue(sent),
      advice: 'Send $or[0][field]=value&$or[1][field]=value.',
    });
  }
  if (groups.length > maxOrGroups) {
    throw invalidField({
      field: '$or',
      expected: `at most ${maxOrGroups} groups of filters`,
      got: describeValue(groups),
      advice: 'Send fewer groups.',
    });
  }
  return groups.map((group, index) => {
    const path = `$or[${index}]`;
    if (!isObject(group) || Array.isArray(group) || Object.keys(group).length === 0) {
      throw invalidField({
        field: path,
        expected: 'a group of filters',
        got: describeValue(group),
        advice: `Send ${path}[field]=value.`,
      });
    }
    return Object.entries(group).flatMap(([field, value]) => {
      const scalar = filters.get(field);
      const filterPath = `${path}[${truncateForMessage(field)}]`;
      if (scalar !== undefined) return parseFilter(field, filterPath, value, scalar);
      throw unknownField({
        field: filterPath,
        kind: 'a filter of this list',
        got: describeValue(value),
        known: [...filters.keys()],
      });
    });
  });
};

/**
 * The filters that a list accepts, with the kind of their values.
 * @throws TypeError if a filter is declared for a field that does not hold a single value
 */
export const readFilterSchemas = (list: ListDescriptor): Map<string, Scalar> => {
  const declared = list.filters.map((field) => [field, list.entity.properties[field]] as const);
  const filters = new Map<string, Scalar>();
  for (const [field, schema] of [...declared, ...Object.entries(list.extraFilters ?? {})]) {
    const scalar = schema === undefined ? undefined : readScalarSchema(schema);
    if (scalar === undefined)
      throw new TypeError(`The filter ${field} must have the schema of a single value.`);
    filters.set(field, scalar);
  }
  return filters;
};

/**
 * Parses the query string of a paginated list: `$limit`, `$skip`, `$sort`, filters, `$or` and the flags of the request.
 * A parameter that is both a flag and a filter counts as the flag. For nullable fields the string `null` means null.
 * @param raw the query string as the `qs` library parses it
 * @throws BadRequestError 400 with the parameter, the value sent and what is expected
 */
export const parseListQuery = <Q extends TObject = TObject<Record<never, never>>>(
  raw: Record<string, unknown>,
  list: ListDescriptor,
  flags: Q | undefined,
): ListQuery<Static<Q>> => {
  const filters = readFilterSchemas(list);
  const flagNames = Object.keys(flags?.properties ?? {});
  rejectUnknownKeys(raw, [...conventions, ...new Set([...flagNames, ...filters.keys()])]);
  const where = Object.entries(raw).flatMap(([field, sent]) => {
    const scalar = flagNames.includes(field) ? undefined : filters.get(field);
    return scalar === undefined ? [] : parseFilter(field, field, sent, scalar);
  });
  return {
    limit: parseCount('$limit', raw['$limit'], limitRules),
    skip: parseCount('$skip', raw['$skip'], skipRules),
    sort: parseSort(raw['$sort'], list.filters),
    where,
    or: parseOrGroups(raw['$or'], filters),
    flags: parseDeclaredParameters(raw, flags),
  };
};
