import { letIn } from '../engine-sql.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import type { ElementType, SqlType } from '../../types.ts';
import { printDouble, printInterval, printTimestamp } from '../print-values.ts';
import { printCanonicalJson } from './json-canonical.ts';
import { elementOf, fromArray } from '../array/array-values.ts';
import { hasRowScale, displayScale } from '../numeric/numeric-scale.ts';

/** Prints a value as JSON in responses: engine SQL of type String, 'null' for NULL. */
export const printResponseJson = (e: Expression): string => written(e, jsonWriters);

/** Prints a value as part of a jsonb: engine SQL of type String, 'null' for NULL. */
export const printJsonbText = (e: Expression): string => written(e, jsonbWriters);

function written(e: Expression, writers: Writers): string {
  const { type } = e;
  if (type.name === 'array') {
    const elements = `arrayMap(v -> ${written(elementOf(type.element, 'v', e.at), writers)}, ${fromArray(e.sql)})`;
    return `if(empty(${e.sql}), 'null', concat('[', arrayStringConcat(${elements}, ','), ']'))`;
  }
  return `ifNull(${writers[type.name](e)}, 'null')`;
}

type Writers = Readonly<Record<Exclude<SqlType['name'], 'array'>, (e: Expression) => string>>;

const asString = ({ sql }: Expression): string => `toString(${sql})`;
const inQuotes = (text: string): string => `concat('"', ${text}, '"')`;

/**
 * Prints "/" without the escape "\/" that the engine uses. A literal "\" is doubled, so every "\/" is such an escape.
 */
const jsonString = ({ sql }: Expression): string => `replaceAll(toJSONString(${sql}), '\\\\/', '/')`;

const jsonWriters: Writers = {
  boolean: ({ sql }) => `if(isNull(${sql}), 'null', if(${sql}, 'true', 'false'))`,
  smallint: asString,
  integer: asString,
  bigint: asString,
  numeric: asString,
  'double precision': ({ sql }) => `if(isFinite(${sql}), toString(${sql}), 'null')`,
  date: ({ sql }) => inQuotes(`toString(${sql})`),
  timestamp: ({ sql }) => inQuotes(printTimestamp(sql, 'T')),
  timestamptz: ({ sql }) => `concat('"', ${printTimestamp(sql, 'T')}, 'Z"')`,
  interval: ({ sql }) => inQuotes(printInterval(sql)),
  jsonb: ({ sql }) => sql,
  text: jsonString,
  unknown: jsonString,
};

const jsonbWriters: Writers = {
  ...jsonWriters,
  timestamptz: ({ sql }) => `concat('"', ${printTimestamp(sql, 'T')}, '+00:00"')`,
};

/**
 * Casts a value to text as PostgreSQL prints it: engine SQL of type Nullable(String).
 * @throws SqlCompileError for numerics whose displayed scale is not known
 */
export const castToText = (e: Expression): string =>
  e.type.name === 'array' ? arrayText(e, e.type.element) : textWriters[e.type.name](e);

const textWriters: Writers = {
  boolean: ({ sql }) => `if(isNull(${sql}), NULL, if(${sql}, 'true', 'false'))`,
  smallint: asString,
  integer: asString,
  bigint: asString,
  numeric: (e) => numericText(e),
  'double precision': ({ sql }) => printDouble(sql),
  date: asString,
  timestamp: ({ sql }) => printTimestamp(sql),
  timestamptz: ({ sql }) => `concat(${printTimestamp(sql)}, '+00')`,
  interval: ({ sql }) => printInterval(sql),
  jsonb: ({ sql }) => printCanonicalJson(sql),
  text: ({ sql }) => sql,
  unknown: ({ sql }) => sql,
};

function numericText(value: Expression): string {
  const { sql, type, at } = value;
  const scale = type.name === 'numeric' ? type.scale : 0;
  const digits = displayScale(value);
  if (digits === undefined) {
    throw unsupportedSql(
      'the text of a numeric whose digits after the point are not known',
      at,
      'Round it first, as in round(x, 6).',
    );
  }
  const text = `toDecimalString(${sql}, ${String(scale)})`;
  if (!hasRowScale(value)) return text;
  // For scale 0 there is no point.
  const length = `toUInt64(length(t_text) - ${String(scale)} + if(t_digits = 0, -1, t_digits))`;
  return letIn({ t_text: text, t_digits: digits }, `substring(t_text, 1, ifNull(${length}, 0))`);
}

function arrayText(e: Expression, element: ElementType): string {
  const value = elementOf(element, 'v', e.at);
  const written = element.name === 'boolean' ? `if(isNull(v), NULL, if(v, 't', 'f'))` : castToText(value);
  const quoted = `concat('"', replaceAll(replaceAll(${written}, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"')`;
  const text = `multiIf(isNull(v), 'NULL', empty(${written}) OR lower(${written}) = 'null' OR match(assumeNotNull(${written}), '[{}",\\\\\\\\\\\\s\\\\x0b]'), ${quoted}, ${written})`;
  return `if(empty(${e.sql}), NULL, concat('{', arrayStringConcat(arrayMap(v -> ${text}, ${fromArray(e.sql)}), ','), '}'))`;
}
