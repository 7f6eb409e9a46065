import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { engineType, numericType, toScalarType, printType } from '../../types.ts';
import { printJsonLine, parseJson } from './json-literals.ts';
import { numberText } from './json-access.ts';
import { bindJsonValue } from './json-values.ts';
import type { CastRule } from '../function-rule.ts';

const jsonb = toScalarType('jsonb');
const text = toScalarType('text');

/** Casts a JSON number or boolean. PostgreSQL rejects other values. */
const fromJson = (
  to: 'bigint' | 'boolean' | 'double precision' | 'integer' | 'numeric' | 'smallint',
): CastRule => ({
  from: 'jsonb',
  to,
  convert: (value, target, place, cast) => {
    const form = to === 'boolean' ? '^[tf]' : '^[-0-9]';
    const scalarText = bindJsonValue(
      value.sql,
      `if(match(j_text, '${form}'), ${to === 'boolean' ? 'toNullable(j_text)' : numberText('j_text')}, NULL)`,
    );
    const asText: Expression = { sql: scalarText, type: text, at: place };
    const whole = to !== 'boolean' && to !== 'numeric' && to !== 'double precision';
    if (!whole) return cast(asText, target, place);
    const number = cast(asText, numericType(10), place);
    return cast(number, target, place);
  },
});

export const jsonCasts: readonly CastRule[] = [
  ...(['smallint', 'integer', 'bigint', 'numeric', 'double precision', 'boolean'] as const).map(fromJson),
  {
    from: 'unknown',
    to: 'jsonb',
    convert: (value) => {
      const json = parseJson(value.literal ?? '', value.at);
      // Result rows are lines, so the JSON text must not contain line breaks.
      const sql = `CAST(${quoteString(printJsonLine(json))} AS ${engineType(jsonb)})`;
      return { sql, type: jsonb, json, at: value.at };
    },
  },
  {
    from: 'text',
    to: 'jsonb',
    convert: (value, target, place) => {
      throw unsupportedSql(
        `the cast of ${printType(value.type)} to ${printType(target.type)}`,
        place,
        'Objects and arrays of a record are jsonb already; write a fixed value as a literal, as in \'{"a": 1}\'::jsonb.',
      );
    },
  },
];
