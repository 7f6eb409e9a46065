import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { noArrayOfArrays } from '../../instead.ts';
import { engineType } from '../../types.ts';
import { elementOf } from './array-values.ts';
import { nullOf, textLiteral } from '../literals.ts';
import type { CastRule } from '../function-rule.ts';

/** Matches an element of an array literal such as {a,"b c",NULL}: its quoted or unquoted text. */
const elementForm =
  /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",{}\\\s]|\\.)(?:(?:[^",{}\\]|\\.)*(?:[^",{}\\\s]|\\.))?))\s*(,|$)/sy;

/** Parses the elements of an array literal; null for NULL. */
function parseElements(value: Expression): (string | null)[] {
  const text = (value.literal ?? '').trim();
  const malformed = (): Error => invalidSql(`malformed array literal: "${text}"`, value.at);
  if (/^\[.*\]=/.test(text))
    throw unsupportedSql('an array with bounds of its own', value.at, 'Leave the bounds out, as in {1,2}.');
  const inside = /^\{(.*)\}$/s.exec(text)?.[1];
  if (inside === undefined) throw malformed();
  if (/^\s*\{/.test(inside))
    throw unsupportedSql('an array of several dimensions', value.at, noArrayOfArrays);
  if (inside.trim() === '') return [];
  const elements: (string | null)[] = [];
  elementForm.lastIndex = 0;
  for (;;) {
    const match = elementForm.exec(inside);
    if (match === null) throw malformed();
    const [, quoted, plain = '', end] = match;
    const isNull = quoted === undefined && /^null$/i.test(plain);
    elements.push(isNull ? null : (quoted ?? plain).replaceAll(/\\(.)/gs, '$1'));
    if (end === '') return elements;
  }
}

export const arrayCasts: readonly CastRule[] = [
  {
    from: 'unknown',
    to: 'array',
    convert: (value, { type }, at, cast) => {
      if (type.name !== 'array') throw new Error('The cast is to an array.');
      const { element } = type;
      const elements = parseElements(value).map((text) =>
        text === null ? nullOf(element, at) : cast(textLiteral(text, value.at), element, at),
      );
      return `CAST([[${elements.map(({ sql }) => sql).join(', ')}]] AS ${engineType(type)})`;
    },
  },
  {
    from: 'array',
    to: 'array',
    convert: (value, { type }, at, cast) => {
      if (type.name !== 'array' || value.type.name !== 'array')
        throw new Error('The cast is between arrays.');
      const element = cast(elementOf(value.type.element, 'e', at), type.element, at);
      return `CAST(arrayMap(l -> arrayMap(e -> ${element.sql}, l), ${value.sql}) AS ${engineType(type)})`;
    },
  },
];
