/**
 * The SQL types of expressions, by PostgreSQL's names, and their types in the engine. All values except arrays can be
 * NULL, so all engine types except arrays are Nullable.
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

/** The type of exact decimals. In the engine, all values of an expression have the same scale. */
export interface NumericType {
  readonly name: 'numeric';
  readonly scale: number;
  /** Whether the scale that PostgreSQL displays varies from value to value. */
  readonly varied?: true;
}

/** The type of a string literal or NULL before overload resolution or a cast gives it another type. */
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

/** The precision of all decimals in the engine. */
export const numericDigits = 76;

/**
 * Returns the engine type of a SQL type.
 * - Integers of all sizes are Int64. Operators check the bounds of the SQL type.
 * - timestamptz and timestamp are both DateTime64 in UTC. A timestamp is a local time without a zone.
 * - An interval is one number that contains its length, months and days (see interval-values.ts).
 * - jsonb is JSON text.
 * - An array is a list of zero or one arrays, which distinguishes NULL (no array) from the empty array.
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

/** Prints the type as in SQL. */
export const printType = (type: SqlType): string =>
  type.name === 'array' ? `${printType(type.element)}[]` : type.name;

export const sameType = (a: SqlType, b: SqlType): boolean => {
  if (a.name === 'array' || b.name === 'array') {
    return a.name === 'array' && b.name === 'array' && sameType(a.element, b.element);
  }
  return a.name === b.name;
};
