import { badField } from '@redoubt/errors';
import type { Static, TObject } from 'typebox';
import {
  defaultPageSize,
  filterOperators,
  noLimit,
  type FilterOperator,
  type ListDescriptor,
} from './list.ts';
import { parseDeclaredParameters, rejectUnknownKeys, truncateForMessage } from './parse-parameters.ts';
import { parseInteger, quoteForMessage, parseScalar } from './parse-scalar.ts';
import { readScalarSchema, type Scalar, type ScalarValue } from './scalar.ts';

export type FilterValue = ScalarValue | null;

export type Condition =
  | { field: string; operator: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; value: FilterValue }
  | { field: string; operator: 'in' | 'nin'; value: FilterValue[] };

/** What a paginated list was asked for. */
export interface ListQuery<F = Record<never, never>> {
  /** Entries a page; -1 asks for all, 0 for the total alone. */
  limit: number;
  skip: number;
  /** In the order of precedence. */
  sort: { field: string; direction: 1 | -1 }[];
  /** All of them must hold. */
  where: Condition[];
  /** When there are any: of one group at least, all conditions must hold. */
  or: Condition[][];
  /** The declared parameters beside the list conventions. */
  flags: F;
}

/** Values that `$in` and `$nin` take. */
export const maxInValues = 1000;
/** Groups that `$or` takes. */
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

const isNested = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null;

/** A list, also in the form of an object keyed by position that `qs` gives long lists; else undefined. */
const asList = (sent: unknown): unknown[] | undefined => {
  if (Array.isArray(sent)) return sent;
  if (!isNested(sent)) return undefined;
  const keys = Object.keys(sent);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(sent) : undefined;
};

const readCount = (key: string, sent: unknown, fallback: number, minimum: number): number => {
  if (sent === undefined) return fallback;
  const value = typeof sent === 'string' ? parseInteger(sent) : undefined;
  if (value !== undefined && value >= minimum) return value;
  throw badField(key, `${quoteForMessage(sent)} does not fit. Send a whole number, ${minimum} or more.`);
};

const readSort = (sent: unknown, fields: readonly string[]): ListQuery['sort'] => {
  if (sent === undefined) return [];
  if (!isNested(sent) || Array.isArray(sent)) {
    throw badField('$sort', `${quoteForMessage(sent)} does not fit. Send $sort[field]=1 or $sort[field]=-1.`);
  }
  return Object.entries(sent).map(([field, direction]) => {
    const path = `$sort[${truncateForMessage(field)}]`;
    if (!fields.includes(field)) {
      throw badField(
        path,
        `the list does not sort by ${quoteForMessage(field)}. Allowed are: ${fields.join(', ')}.`,
      );
    }
    if (direction === '1') return { field, direction: 1 };
    if (direction === '-1') return { field, direction: -1 };
    throw badField(
      path,
      `${quoteForMessage(direction)} does not fit. Send 1 (ascending) or -1 (descending).`,
    );
  });
};

const readFilterValue = (path: string, sent: unknown, scalar: Scalar): FilterValue =>
  scalar.nullable && sent === 'null' ? null : parseScalar(path, sent, scalar);

const readListed = (path: string, sent: unknown, scalar: Scalar): FilterValue[] => {
  const list = asList(sent) ?? [sent];
  if (list.length > maxInValues) {
    throw badField(path, `${quoteForMessage(list)} was sent. Send at most ${maxInValues}.`);
  }
  return list.map((value) => readFilterValue(path, value, scalar));
};

const isOperator = (key: string): key is FilterOperator =>
  (filterOperators as readonly string[]).includes(key);

const readOperator = (field: string, path: string, key: string, sent: unknown, scalar: Scalar): Condition => {
  const place = `${path}[${truncateForMessage(key)}]`;
  if (!isOperator(key)) {
    throw badField(
      place,
      `there is no operator ${quoteForMessage(key)}. Allowed are: ${filterOperators.join(', ')}.`,
    );
  }
  const operator = operators[key];
  if (operator === 'in' || operator === 'nin') {
    return { field, operator, value: readListed(place, sent, scalar) };
  }
  const value = readFilterValue(place, sent, scalar);
  if (operator !== 'ne' && (value === null || typeof value === 'boolean')) {
    throw badField(place, `${quoteForMessage(sent)} has no order. Compare it with $ne, $in or $nin.`);
  }
  return { field, operator, value };
};

const readFilter = (field: string, path: string, sent: unknown, scalar: Scalar): Condition[] => {
  if (!isNested(sent) || Array.isArray(sent)) {
    if (!Array.isArray(sent)) return [{ field, operator: 'eq', value: readFilterValue(path, sent, scalar) }];
    throw badField(path, `${quoteForMessage(sent)} was sent. Send one value, or several as ${path}[$in][]=.`);
  }
  const conditions = Object.entries(sent).map(([key, value]) =>
    readOperator(field, path, key, value, scalar),
  );
  if (conditions.length > 0) return conditions;
  throw badField(path, `no value was sent. Send ${path}=value.`);
};

const readOr = (sent: unknown, filters: ReadonlyMap<string, Scalar>): Condition[][] => {
  if (sent === undefined) return [];
  const groups = asList(sent);
  if (groups === undefined || groups.length === 0) {
    throw badField(
      '$or',
      `${quoteForMessage(sent)} does not fit. Send $or[0][field]=value&$or[1][field]=value.`,
    );
  }
  if (groups.length > maxOrGroups) {
    throw badField('$or', `${quoteForMessage(groups)} was sent. Send at most ${maxOrGroups}.`);
  }
  return groups.map((group, index) => {
    const path = `$or[${index}]`;
    if (!isNested(group) || Array.isArray(group) || Object.keys(group).length === 0) {
      throw badField(path, `${quoteForMessage(group)} does not fit. Send ${path}[field]=value.`);
    }
    return Object.entries(group).flatMap(([field, value]) => {
      const scalar = filters.get(field);
      const place = `${path}[${truncateForMessage(field)}]`;
      if (scalar !== undefined) return readFilter(field, place, value, scalar);
      const allowed = [...filters.keys()].join(', ');
      throw badField(
        place,
        `there is no filter ${quoteForMessage(field)} (sent: ${quoteForMessage(value)}). Allowed are: ${allowed}.`,
      );
    });
  });
};

/**
 * The filters of a list with the values that they take.
 * @throws TypeError when a filter is declared for what is no single value
 */
export const readFilterSchemas = (list: ListDescriptor): Map<string, Scalar> => {
  const declared = list.filters.map((field) => [field, list.entity.properties[field]] as const);
  const filters = new Map<string, Scalar>();
  for (const [field, schema] of [...declared, ...Object.entries(list.extraFilters ?? {})]) {
    const scalar = schema === undefined ? undefined : readScalarSchema(schema);
    if (scalar === undefined) throw new TypeError(`The filter ${field} has no schema of a single value.`);
    filters.set(field, scalar);
  }
  return filters;
};

/**
 * Reads the query string of a paginated list: `$limit`, `$skip`, `$sort`, filters, `$or`, and the declared
 * flags, which win where a flag has the name of a filter. The text `null` means null for nullable fields.
 * @param raw the query string as the `qs` library parses it
 * @throws BadRequestError 400 naming the parameter, the value sent and what is allowed
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
    return scalar === undefined ? [] : readFilter(field, field, sent, scalar);
  });
  return {
    limit: readCount('$limit', raw['$limit'], defaultPageSize, noLimit),
    skip: readCount('$skip', raw['$skip'], 0, 0),
    sort: readSort(raw['$sort'], list.filters),
    where,
    or: readOr(raw['$or'], filters),
    flags: parseDeclaredParameters(raw, flags),
  };
};
