import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { arrayType, toScalarType } from '../types.ts';
import { elementOf, fromArray } from './array/array-values.ts';
import { compileCast } from './casts.ts';
import { compare, comparisonNames } from './comparisons.ts';
import { nullOf } from './literals.ts';
import { letOperandsIn } from './engine-sql.ts';

/**
 * Compiles `value = ANY (array)` and similar comparisons. NULL if the result depends on the value of a NULL element.
 */
export function compileQuantifiedComparison(
  operator: string,
  value: Expression,
  array: Expression,
  quantifier: 'any' | 'all',
  at: number,
): Expression {
  if (array.type.name === 'unknown' && typeof array.literal === 'string') {
    // A literal is an array of the type on the left. For numerics, its scale is not known.
    if (value.type.name === 'unknown' || value.type.name === 'array' || value.type.name === 'numeric')
      throw unsupportedSql(
        `${operator} ${quantifier.toUpperCase()} of a literal without a type`,
        array.at,
        "Cast the literal to the type of its array, as in '{1,2}'::bigint[].",
      );
    return compileQuantifiedComparison(
      operator,
      value,
      compileCast(array, arrayType(value.type), array.at),
      quantifier,
      at,
    );
  }
  if (array.type.name === 'unknown') return nullOf(toScalarType('boolean'), at);
  if (array.type.name !== 'array') {
    throw invalidSql(`op ${quantifier.toUpperCase()} (...) requires an array on the right side`, array.at);
  }
  if (!comparisonNames.has(operator)) {
    throw unsupportedSql(
      `${operator} ${quantifier.toUpperCase()} (...)`,
      at,
      'Write one condition for each value and join them by OR or AND.',
    );
  }
  const element = elementOf(array.type.element, '_e', array.at);
  const test = compare(operator, value, element, at).sql;
  const sql = letOperandsIn([array.sql], (list) => {
    const elements = fromArray(list);
    const decides =
      quantifier === 'any'
        ? `arrayExists(_e -> ifNull(${test}, false), ${elements}), true`
        : `arrayExists(_e -> NOT ifNull(${test}, true), ${elements}), false`;
    const open = `arrayExists(_e -> isNull(${test}), ${elements}), NULL`;
    return `multiIf(empty(${list}), NULL, ${decides}, ${open}, ${String(quantifier === 'all')})`;
  });
  return { sql, type: toScalarType('boolean'), at };
}
