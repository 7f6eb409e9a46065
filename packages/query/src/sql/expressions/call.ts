import type { Expression } from '../expression.ts';
import { invalid } from '../fault.ts';
import { typeText } from '../types.ts';
import { candidatesFor, fitArguments, isUnclear } from './resolve.ts';
import type { FunctionRule } from './rule.ts';

/** The call that PostgreSQL's choice among rules of one name gives; nothing if none fits. */
export function callRule(
  rules: readonly FunctionRule[],
  args: readonly Expression[],
  at: number,
  construct: string,
): Expression | undefined {
  const [rule, ...others] = candidatesFor(rules, args);
  if (rule === undefined) return undefined;
  if (others.length > 0 || isUnclear(rule, args))
    throw invalid(`${construct} is not unique: cast its arguments`, at);
  const fitted = fitArguments(rule, args);
  const emitted = rule.emit(fitted, at);
  if (typeof emitted !== 'string') return emitted;
  const type = typeof rule.result === 'function' ? rule.result(fitted, at) : rule.result;
  return { sql: emitted, type, at };
}

/** `round(text, integer)`. */
export const signature = (name: string, args: readonly Expression[]): string =>
  `${name}(${args.map(({ type }) => typeText(type)).join(', ')})`;

/** Rules by name. */
export const byName = (rules: readonly FunctionRule[]): ReadonlyMap<string, readonly FunctionRule[]> =>
  Map.groupBy(rules, ({ name }) => name);
