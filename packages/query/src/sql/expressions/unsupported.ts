import { unsupportedSql } from '../sql-compile-error.ts';
import { toScalarType } from '../types.ts';
import type { FunctionRule } from './function-rule.ts';

/**
 * A function or an operator that PostgreSQL has for these arguments and that is not offered, where others of its name are.
 * Among the rules it is chosen where PostgreSQL would choose it, so that none of the others is taken in its stead.
 */
export const unsupportedOverload = (
  kind: 'function' | 'operator',
  name: string,
  parameters: FunctionRule['parameters'],
): FunctionRule => ({
  name,
  parameters,
  result: toScalarType('text'),
  emit: (_, at) => {
    const shown = kind === 'function' ? `${name}(${parameters.join(', ')})` : parameters.join(` ${name} `);
    throw unsupportedSql(`the ${kind} ${shown}`, at, 'The SQL reference lists the functions and operators.');
  },
});

export const unsupportedFunction = (name: string, ...parameters: FunctionRule['parameters']): FunctionRule =>
  unsupportedOverload('function', name, parameters);
