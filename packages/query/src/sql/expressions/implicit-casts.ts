import type { SqlType } from '../types.ts';

/** What turns into what by itself, as PostgreSQL's implicit casts. */
const implicit: Partial<Record<SqlType['name'], readonly SqlType['name'][]>> = {
  smallint: ['integer', 'bigint', 'numeric', 'double precision'],
  integer: ['bigint', 'numeric', 'double precision'],
  bigint: ['numeric', 'double precision'],
  numeric: ['double precision'],
  date: ['timestamp', 'timestamptz'],
  timestamp: ['timestamptz'],
};

export const isImplicitCast = (from: SqlType['name'], to: SqlType['name']): boolean =>
  from === to || from === 'unknown' || (implicit[from]?.includes(to) ?? false);

/** PostgreSQL's kinds of types: overloads and common types are chosen within one. */
export type TypeCategory =
  | 'boolean'
  | 'number'
  | 'string'
  | 'time'
  | 'timespan'
  | 'array'
  | 'json'
  | 'unknown';

const categories: Record<SqlType['name'], TypeCategory> = {
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  'double precision': 'number',
  text: 'string',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'time',
  interval: 'timespan',
  jsonb: 'json',
  array: 'array',
  unknown: 'unknown',
};

export const typeCategory = (name: SqlType['name']): TypeCategory => categories[name];

/** The type that PostgreSQL takes within its kind when several would do. */
export const isPreferred = (name: SqlType['name']): boolean =>
  name === 'boolean' ||
  name === 'double precision' ||
  name === 'text' ||
  name === 'timestamptz' ||
  name === 'interval';
