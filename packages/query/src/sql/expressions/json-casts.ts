import { quoteString } from '../../storage/quoting.ts';
import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { engineType, numeric, scalar, typeText } from '../types.ts';
import { jsonLine, parseJson } from './json-literals.ts';
import { numberText } from './json-texts.ts';
import { ofValue } from './json-values.ts';
import type { CastRule } from './rule.ts';

const jsonb = scalar('jsonb');
const text = scalar('text');

/** A number or a truth value of JSON; anything else PostgreSQL refuses to cast. */
const fromJson = (
  to: 'bigint' | 'boolean' | 'double precision' | 'integer' | 'numeric' | 'smallint',
): CastRule => ({
  from: 'jsonb',
  to,
  convert: (value, target, place, cast) => {
    const form = to === 'boolean' ? '^[tf]' : '^[-0-9]';
    const scalarText = ofValue(
      value.sql,
      `if(match(j_text, '${form}'), ${to === 'boolean' ? 'toNullable(j_text)' : numberText('j_text')}, NULL)`,
    );
    const asText: Expression = { sql: scalarText, type: text, at: place };
    const whole = to !== 'boolean' && to !== 'numeric' && to !== 'double precision';
    if (!whole) return cast(asText, target, place);
    const number = cast(asText, numeric(10), place);
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
      // Rows of an answer are lines.
      const sql = `CAST(${quoteString(jsonLine(json))} AS ${engineType(jsonb)})`;
      return { sql, type: jsonb, json, at: value.at };
    },
  },
  {
    from: 'text',
    to: 'jsonb',
    convert: (value, target, place) => {
      throw unsupported(
        `the cast of ${typeText(value.type)} to ${typeText(target.type)}`,
        place,
        'Objects and arrays of a record are jsonb already; write a fixed value as a literal, as in \'{"a": 1}\'::jsonb.',
      );
    },
  },
];
