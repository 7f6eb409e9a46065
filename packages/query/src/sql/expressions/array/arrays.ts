import type { Expression } from '../../expression.ts';
import { invalidSql } from '../../sql-compile-error.ts';
import { toScalarType, printType } from '../../types.ts';
import { fromArray } from './array-values.ts';
import { compileAssignmentCast } from '../casts.ts';
import { memberOf } from '../json/json.ts';
import { letIn } from '../numeric/exact-quotients.ts';

export { arrayLiteral } from './array-literals.ts';

/** Compiles `array[index]`, from 1; NULL if there is no such element. For jsonb it is the member. */
export function subscript(value: Expression, index: Expression, at: number): Expression {
  if (value.type.name === 'jsonb') return memberOf(value, index, at);
  if (value.type.name !== 'array') {
    throw invalidSql(
      `cannot subscript type ${printType(value.type)} because it does not support subscripting`,
      at,
    );
  }
  const place = compileAssignmentCast(index, toScalarType('integer'), index.at, 'the index of an array').sql;
  const element = `arrayElement(${fromArray('a_array')}, toUInt32(greatest(ifNull(a_place, 1), 1)))`;
  const sql = letIn({ a_array: value.sql, a_place: place }, `if(a_place >= 1, ${element}, NULL)`);
  return { sql, type: value.type.element, at };
}
