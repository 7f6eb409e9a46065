import type { Expression } from '../expression.ts';
import { invalid } from '../fault.ts';
import { scalar, typeText } from '../types.ts';
import { fromArray } from './array-values.ts';
import { assign } from './casts.ts';
import { memberOf } from './json.ts';
import { named } from './quotients.ts';

export { arrayLiteral } from './array-literals.ts';

/** `array[index]`, from 1 on: NULL where there is no element. Of a JSON value, its member. */
export function subscript(value: Expression, index: Expression, at: number): Expression {
  if (value.type.name === 'jsonb') return memberOf(value, index, at);
  if (value.type.name !== 'array') {
    throw invalid(
      `cannot subscript type ${typeText(value.type)} because it does not support subscripting`,
      at,
    );
  }
  const place = assign(index, scalar('integer'), index.at, 'the index of an array').sql;
  const element = `arrayElement(${fromArray('a_array')}, toUInt32(greatest(ifNull(a_place, 1), 1)))`;
  const sql = named({ a_array: value.sql, a_place: place }, `if(a_place >= 1, ${element}, NULL)`);
  return { sql, type: value.type.element, at };
}
