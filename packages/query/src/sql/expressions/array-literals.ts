import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { arrayOf, engineType } from '../types.ts';
import { castTo, elementTypeOf } from './casts.ts';
import { commonType } from './common-type.ts';

/** ARRAY[...] of values that have one common type. */
export function arrayLiteral(elements: readonly Expression[], at: number): Expression {
  if (elements.length === 0) {
    throw unsupported('an empty ARRAY[]', at, "Write it as a literal with its type, as in '{}'::text[].");
  }
  const element = elementTypeOf(commonType(elements, at, 'ARRAY'), at);
  const type = arrayOf(element);
  const values = elements.map((value) => castTo(value, element, value.at).sql);
  return { sql: `CAST([[${values.join(', ')}]] AS ${engineType(type)})`, type, at };
}
