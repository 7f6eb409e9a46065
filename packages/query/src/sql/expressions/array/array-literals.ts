import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { arrayType, engineType } from '../../types.ts';
import { compileCast, elementTypeOf } from '../casts.ts';
import { commonType } from '../common-type.ts';

/** Compiles ARRAY[...] of values with a common type. */
export function arrayLiteral(elements: readonly Expression[], at: number): Expression {
  if (elements.length === 0) {
    throw unsupportedSql('an empty ARRAY[]', at, "Write it as a literal with its type, as in '{}'::text[].");
  }
  const element = elementTypeOf(commonType(elements, at, 'ARRAY'), at);
  const type = arrayType(element);
  const values = elements.map((value) => compileCast(value, element, value.at).sql);
  return { sql: `CAST([[${values.join(', ')}]] AS ${engineType(type)})`, type, at };
}
