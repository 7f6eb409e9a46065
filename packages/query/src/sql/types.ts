/**
 * The SQL types that a query may have, under PostgreSQL's names, and how each is kept in the engine. Every value but an
 * array may be null, so every engine type but those of arrays is Nullable.
 */
export type ScalarTypeName =
  | 'boolean'
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'double precision'
  | 'text'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'interval'
  | 'jsonb';

export interface ScalarType {
  readonly name: ScalarTypeName;
}

/** Exact decimals: all values of an expression share one number of digits after the point. */
export interface NumericType {
  readonly name: 'numeric';
  readonly scale: number;
  /** Whether PostgreSQL shows fewer digits after the point of some values than of others. */
  readonly varied?: true;
}

/** A literal in quotes (or NULL) that has not met a type yet. */
export interface UnknownType {
  readonly name: 'unknown';
}

export interface ArrayType {
  readonly name: 'array';
  readonly element: ElementType;
}

export type ElementType = ScalarType | NumericType;
export type SqlType = ElementType | UnknownType | ArrayType;

export const toScalarType = (name: ScalarTypeName): ScalarType => ({ name });
export const numericType = (scale: number, varied = false): NumericType => ({
  name: 'numeric',
  scale,
  ...(varied ? { varied: true } : {}),
});

export const hasVaryingScale = (type: SqlType): boolean => type.name === 'numeric' && type.varied === true;
export const unknownType: UnknownType = { name: 'unknown' };
export const arrayType = (element: ElementType): ArrayType => ({ name: 'array', element });

/** Digits of a decimal in the engine, before and after the point together. */
export const numericDigits = 76;

/**
 * The engine's type.
 * - Whole numbers of all sizes are Int64: operators keep them within the bounds of their type.
 * - A timestamptz is an instant, a timestamp the same kind of number without a zone; both count in UTC.
 * - An interval is one number that holds its length and, beside it, its months and days (see interval-values.ts).
 * - jsonb is JSON text.
 * - An array is a list of no or one array, so that null (no array) differs from the empty array.
 */
export function engineType(type: SqlType): string {
  if (type.name === 'array') return `Array(Array(${engineType(type.element)}))`;
  if (type.name === 'numeric') return `Nullable(Decimal(${String(numericDigits)}, ${String(type.scale)}))`;
  return engineTypes[type.name];
}

const engineTypes: Record<ScalarTypeName | 'unknown', string> = {
  boolean: 'Nullable(Bool)',
  smallint: 'Nullable(Int64)',
  integer: 'Nullable(Int64)',
  bigint: 'Nullable(Int64)',
  'double precision': 'Nullable(Float64)',
  text: 'Nullable(String)',
  date: 'Nullable(Date32)',
  timestamp: "Nullable(DateTime64(6, 'UTC'))",
  timestamptz: "Nullable(DateTime64(6, 'UTC'))",
  interval: 'Nullable(Int256)',
  jsonb: 'Nullable(String)',
  unknown: 'Nullable(String)',
};

export const isIntegerType = (type: SqlType): boolean =>
  type.name === 'smallint' || type.name === 'integer' || type.name === 'bigint';

/** The type as people write it. */
export const printType = (type: SqlType): string =>
  type.name === 'array' ? `${printType(type.element)}[]` : type.name;

export const sameType = (a: SqlType, b: SqlType): boolean => {
  if (a.name === 'array' || b.name === 'array') {
    return a.name === 'array' && b.name === 'array' && sameType(a.element, b.element);
  }
  return a.name === b.name;
};
