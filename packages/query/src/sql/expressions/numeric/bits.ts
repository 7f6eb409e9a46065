import { toScalarType } from '../../types.ts';
import type { FunctionRule } from '../function-rule.ts';
import { compileCastToEngineType } from '../engine-sql.ts';

const wholes = ['smallint', 'integer', 'bigint'] as const;
const engineNames = { smallint: 'toInt16', integer: 'toInt32', bigint: 'toInt64' } as const;

const both: Readonly<Record<string, string>> = { '&': 'bitAnd', '|': 'bitOr', '#': 'bitXor' };
const shifts: Readonly<Record<string, string>> = { '<<': 'bitShiftLeft', '>>': 'bitShiftRight' };

/** The bitwise operators. Shifts take the count modulo the word size, as in PostgreSQL. */
export const bitRules: readonly FunctionRule[] = wholes.flatMap((type): FunctionRule[] => {
  const result = toScalarType(type);
  return [
    ...Object.entries(both).map(([name, engineName]): FunctionRule => ({
      name,
      parameters: [type, type],
      result,
      emit: ([a, b]) => compileCastToEngineType(`${engineName}(${a?.sql ?? ''}, ${b?.sql ?? ''})`, result),
    })),
    ...Object.entries(shifts).map(([name, engineName]): FunctionRule => ({
      name,
      parameters: [type, 'integer'],
      result,
      emit: ([a, b]) =>
        compileCastToEngineType(
          `${engineNames[type]}(${engineName}(${a?.sql ?? ''}, bitAnd(${b?.sql ?? ''}, ${type === 'bigint' ? '63' : '31'})))`,
          result,
        ),
    })),
    {
      name: '~',
      parameters: [type],
      result,
      emit: ([a]) => compileCastToEngineType(`bitNot(${a?.sql ?? ''})`, result),
    },
  ];
});
