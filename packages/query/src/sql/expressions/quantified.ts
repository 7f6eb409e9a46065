import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { arrayOf, scalar } from '../types.ts';
import { elementOf, fromArray } from './array-values.ts';
import { castTo } from './casts.ts';
import { compare, comparisonNames } from './comparisons.ts';
import { nullOf } from './literals.ts';
import { bind } from './sql-text.ts';

/** `value = ANY (array)` and its kin, three-valued: NULL where an element that is NULL could decide. */
export function quantified(
  operator: string,
  value: Expression,
  array: Expression,
  quantifier: 'any' | 'all',
  at: number,
): Expression {
  if (array.type.name === 'unknown' && typeof array.literal === 'string') {
    // A literal is an array of what is on the left; how many digits its numerics have is not known.
    if (value.type.name === 'unknown' || value.type.name === 'array' || value.type.name === 'numeric')
      throw unsupported(
        `${operator} ${quantifier.toUpperCase()} of a literal without a type`,
        array.at,
        "Cast the literal to the type of its array, as in '{1,2}'::bigint[].",
      );
    return quantified(operator, value, castTo(array, arrayOf(value.type), array.at), quantifier, at);
  }
  if (array.type.name === 'unknown') return nullOf(scalar('boolean'), at);
  if (array.type.name !== 'array') {
    throw invalid(`op ${quantifier.toUpperCase()} (...) requires an array on the right side`, array.at);
  }
  if (!comparisonNames.has(operator)) {
    throw unsupported(
      `${operator} ${quantifier.toUpperCase()} (...)`,
      at,
      'Write one condition for each value and join them by OR or AND.',
    );
  }
  const element = elementOf(array.type.element, '_e', array.at);
  const test = compare(operator, value, element, at).sql;
  const sql = bind([array.sql], (list) => {
    const elements = fromArray(list);
    const decides =
      quantifier === 'any'
        ? `arrayExists(_e -> ifNull(${test}, false), ${elements}), true`
        : `arrayExists(_e -> NOT ifNull(${test}, true), ${elements}), false`;
    const open = `arrayExists(_e -> isNull(${test}), ${elements}), NULL`;
    return `multiIf(empty(${list}), NULL, ${decides}, ${open}, ${String(quantifier === 'all')})`;
  });
  return { sql, type: scalar('boolean'), at };
}
