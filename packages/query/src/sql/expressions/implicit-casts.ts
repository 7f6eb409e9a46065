import type { SqlType } from '../types.ts';

/** PostgreSQL's implicit casts. */
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

/** PostgreSQL's type categories. Overload resolution and common types stay within a category. */
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

/** Whether PostgreSQL prefers the type within its category. */
export const isPreferred = (name: SqlType['name']): boolean =>
  name === 'boolean' ||
  name === 'double precision' ||
  name === 'text' ||
  name === 'timestamptz' ||
  name === 'interval';
