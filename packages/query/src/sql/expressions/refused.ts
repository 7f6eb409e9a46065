import { unsupported } from '../fault.ts';
import { scalar } from '../types.ts';
import type { FunctionRule } from './rule.ts';

/**
 * A function or an operator that PostgreSQL has for these arguments and that is not offered, where others of its name are.
 * Among the rules it is chosen where PostgreSQL would choose it, so that none of the others is taken in its stead.
 */
export const refused = (
  kind: 'function' | 'operator',
  name: string,
  parameters: FunctionRule['parameters'],
): FunctionRule => ({
  name,
  parameters,
  result: scalar('text'),
  emit: (_, at) => {
    const shown = kind === 'function' ? `${name}(${parameters.join(', ')})` : parameters.join(` ${name} `);
    throw unsupported(`the ${kind} ${shown}`, at, 'The SQL reference lists the functions and operators.');
  },
});

export const refusedFunction = (name: string, ...parameters: FunctionRule['parameters']): FunctionRule =>
  refused('function', name, parameters);
