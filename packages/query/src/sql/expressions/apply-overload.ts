import type { Expression } from '../expression.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { printType } from '../types.ts';
import { candidatesFor, castArguments, isAmbiguousWithoutUnsupported } from './overload-resolution.ts';
import type { FunctionRule } from './function-rule.ts';

/**
 * Compiles a call of the overload that PostgreSQL's overload resolution chooses; undefined if none fits.
 * @param construct names the call in the error: "the function round(text, integer)"
 * @throws SqlCompileError if the call is ambiguous
 */
export function applyOverload(
  rules: readonly FunctionRule[],
  args: readonly Expression[],
  at: number,
  construct: string,
): Expression | undefined {
  const [rule, ...others] = candidatesFor(rules, args);
  if (rule === undefined) return undefined;
  if (others.length > 0 || isAmbiguousWithoutUnsupported(rule, args))
    throw invalidSql(`${construct} is not unique: cast its arguments`, at);
  const fitted = castArguments(rule, args);
  const emitted = rule.emit(fitted, at);
  if (typeof emitted !== 'string') return emitted;
  const type = typeof rule.result === 'function' ? rule.result(fitted, at) : rule.result;
  return { sql: emitted, type, at };
}

/** `round(text, integer)`. */
export const signature = (name: string, args: readonly Expression[]): string =>
  `${name}(${args.map(({ type }) => printType(type)).join(', ')})`;

/** Rules by name. */
export const groupRulesByName = (
  rules: readonly FunctionRule[],
): ReadonlyMap<string, readonly FunctionRule[]> => Map.groupBy(rules, ({ name }) => name);
