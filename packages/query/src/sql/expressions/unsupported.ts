import { unsupportedSql } from '../sql-compile-error.ts';
import { toScalarType } from '../types.ts';
import type { FunctionRule } from './function-rule.ts';

/**
 * Creates a rule for an overload that PostgreSQL has and Redoubt does not support. Overload resolution selects it as
 * PostgreSQL would, so that no other overload is used by mistake.
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
