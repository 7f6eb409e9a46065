import type { Expression } from '../expression.ts';
import { unsupportedSql } from '../sql-compile-error.ts';
import { isIntegerType, numericType, toScalarType, printType } from '../types.ts';
import { compileCast } from './casts.ts';
import { compare } from './comparisons.ts';
import { copyDisplayScale } from './numeric/numeric-scale.ts';
import { typeCategory } from './implicit-casts.ts';
import { groupKey, hasSeveralSpellings } from './ordering.ts';
import type { FunctionRule } from './function-rule.ts';
import { letOperandsIn } from './engine-sql.ts';

const typeOfFirst = ([first]: readonly Expression[]): Expression['type'] =>
  first?.type ?? { name: 'unknown' };

/** Compiles COALESCE: the first value that is not NULL. In the engine, a NULL array is an empty list. */
const coalesce = (args: readonly Expression[]): string => {
  const texts = args.map(({ sql }) => sql);
  if (typeOfFirst(args).name !== 'array') return `coalesce(${texts.join(', ')})`;
  return texts.reduceRight((rest, sql) =>
    letOperandsIn([sql], (array) => `if(empty(${array}), ${rest}, ${array})`),
  );
};

/** Compiles GREATEST and LEAST: the largest or smallest of the values that are not NULL. */
const extreme =
  (operator: '>=' | '<=') =>
  (args: readonly Expression[], at: number): string => {
    const [first, ...others] = args as [Expression, ...Expression[]];
    if (first.type.name === 'jsonb' || first.type.name === 'array') {
      throw unsupportedSql(
        `the comparison of ${printType(first.type)}`,
        at,
        'Cast the values to text or to another type first.',
      );
    }
    const key = (sql: string): string =>
      hasSeveralSpellings(first.type) ? groupKey({ ...first, sql }, 'comparing') : sql;
    return others.reduce(
      (most, { sql }) =>
        letOperandsIn(
          [most, sql],
          (a, b) =>
            `multiIf(isNull(${a}), ${b}, isNull(${b}), ${a}, ${key(a)} ${operator} ${key(b)}, ${a}, ${b})`,
        ),
      first.sql,
    );
  };

export const conditionalFunctions: readonly FunctionRule[] = [
  { name: 'coalesce', parameters: ['same'], variadic: true, result: typeOfFirst, emit: coalesce },
  { name: 'greatest', parameters: ['same'], variadic: true, result: typeOfFirst, emit: extreme('>=') },
  { name: 'least', parameters: ['same'], variadic: true, result: typeOfFirst, emit: extreme('<=') },
  {
    name: 'nullif',
    parameters: ['same', 'same'],
    result: typeOfFirst,
    emit: ([value, other], at) => nullif(value as Expression, other as Expression, at).sql,
  },
];

/** Compiles NULLIF: the first value, or NULL if both are equal by the operator =. */
export function nullif(value: Expression, other: Expression, at: number): Expression {
  const known = compileCast(value, comparedType(value, other), at);
  if (known.type.name === 'array')
    throw unsupportedSql(
      `nullif of ${printType(known.type)}`,
      at,
      'Write CASE WHEN a = b THEN NULL ELSE a END.',
    );
  const equal = compare('=', known, other, at).sql;
  const { literal: _literal, interval: _interval, ...rest } = known;
  return copyDisplayScale(known, { ...rest, sql: `if(${equal}, NULL, ${known.sql})`, at });
}

/**
 * Returns the type in which NULLIF compares the first value: that of the other value if only that one has a fraction.
 */
function comparedType(value: Expression, { type: other }: Expression): Expression['type'] {
  const { type } = value;
  if (type.name === 'unknown') return other.name === 'unknown' ? toScalarType('text') : other;
  if (other.name === 'double precision' && typeCategory(type.name) === 'number') return other;
  return other.name === 'numeric' && isIntegerType(type) ? numericType(0) : type;
}
