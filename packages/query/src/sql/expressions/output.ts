import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import type { ElementType } from '../types.ts';
import { doubleText, intervalLiteralText, intervalText, timestampText } from './printed.ts';
import { canonicalText } from './json-canonical.ts';
import { elementOf, fromArray } from './array-values.ts';
import { quoteString } from '../../storage/quoting.ts';

/** The JSON text of a value as answers give it: engine SQL of type String, 'null' for NULL. */
export function jsonValue(e: Expression): string {
  const { type } = e;
  if (type.name === 'array') {
    const elements = `arrayMap(v -> ${jsonValue(elementOf(type.element, 'v', e.at))}, ${fromArray(e.sql)})`;
    return `if(empty(${e.sql}), 'null', concat('[', arrayStringConcat(${elements}, ','), ']'))`;
  }
  return `ifNull(${nullableJson(e)}, 'null')`;
}

function nullableJson(e: Expression): string {
  const { sql, type } = e;
  switch (type.name) {
    case 'boolean':
      return `if(isNull(${sql}), 'null', if(${sql}, 'true', 'false'))`;
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'numeric':
      return `toString(${sql})`;
    case 'double precision':
      return `if(isFinite(${sql}), toString(${sql}), 'null')`;
    case 'date':
      return `concat('"', toString(${sql}), '"')`;
    case 'timestamp':
      return `concat('"', ${timestampText(sql, 'T')}, '"')`;
    case 'timestamptz':
      return `concat('"', ${timestampText(sql, 'T')}, 'Z"')`;
    case 'interval':
      return `concat('"', ${textOfInterval(e)}, '"')`;
    case 'jsonb':
      return sql;
    default:
      // The engine writes "/" as "\/"; a "\" before a "/" of the text would itself be doubled, so no other "\/" can stand there.
      return `replaceAll(toJSONString(${sql}), '\\\\/', '/')`;
  }
}

/**
 * The cast to text, as PostgreSQL prints the value: engine SQL of type Nullable(String).
 * @throws SqlFault where the text cannot be told from the value alone: numerics whose digits after the point PostgreSQL
 *   chooses by the value
 */
export function textOf(e: Expression): string {
  const { sql, type } = e;
  switch (type.name) {
    case 'array':
      return arrayText(e, type.element);
    case 'boolean':
      return `if(isNull(${sql}), NULL, if(${sql}, 'true', 'false'))`;
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'date':
      return `toString(${sql})`;
    case 'numeric':
      return numericText(sql, type.scale, e.at);
    case 'double precision':
      return doubleText(sql);
    case 'timestamp':
      return timestampText(sql);
    case 'timestamptz':
      return `concat(${timestampText(sql)}, '+00')`;
    case 'interval':
      return textOfInterval(e);
    case 'jsonb':
      return canonicalText(sql);
    default:
      return sql;
  }
}

/** From this scale on it comes from a division or an average, whose digits PostgreSQL chooses by the values. */
const chosenScale = 16;

function numericText(sql: string, scale: number, at: number): string {
  if (scale >= chosenScale) {
    throw unsupported('the text of a numeric with digits that come from a division (round it first)', at);
  }
  return `toDecimalString(${sql}, ${String(scale)})`;
}

const textOfInterval = (e: Expression): string =>
  e.interval === undefined
    ? intervalText(e.sql)
    : `toNullable(${quoteString(intervalLiteralText(e.interval))})`;

function arrayText(e: Expression, element: ElementType): string {
  const value = elementOf(element, 'v', e.at);
  const written = element.name === 'boolean' ? `if(isNull(v), NULL, if(v, 't', 'f'))` : textOf(value);
  const quoted = `concat('"', replaceAll(replaceAll(${written}, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"')`;
  const text = `multiIf(isNull(v), 'NULL', empty(${written}) OR lower(${written}) = 'null' OR match(assumeNotNull(${written}), '[{}",\\\\\\\\\\\\s\\\\x0b]'), ${quoted}, ${written})`;
  return `if(empty(${e.sql}), NULL, concat('{', arrayStringConcat(arrayMap(v -> ${text}, ${fromArray(e.sql)}), ','), '}'))`;
}

export { groupKey, sortKey } from './ordering.ts';
