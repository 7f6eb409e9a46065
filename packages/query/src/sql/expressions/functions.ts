import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { insteadOfFunction } from '../instead.ts';
import { groupRulesByName, applyOverload, signature } from './apply-overload.ts';
import { compileCast, typeFromName } from './casts.ts';
import { functionRules } from './function-catalog.ts';
import { nullif } from './conditionals.ts';
import { knownFunctions } from './known-functions.ts';

const rules = groupRulesByName(functionRules);

/** Types whose names are also cast functions, as in date(x): those that are not keywords of the grammar. */
export const castNames: ReadonlySet<string> = new Set(
  'bool date float8 int2 int4 int8 jsonb text timestamptz'.split(' '),
);

/**
 * Compiles a call of a function of single values, by its name without `pg_catalog`. Includes coalesce, greatest, least
 * and nullif.
 */
export function callFunction(name: string, args: readonly Expression[], at: number): Expression {
  const [first, second, third] = args;
  if (name === 'nullif' && first !== undefined && second !== undefined && third === undefined) {
    return nullif(first, second, at);
  }
  if (castNames.has(name) && first !== undefined && second === undefined)
    return { ...compileCast(first, typeFromName([name], [], false, at), at), at };
  const construct = `the function ${signature(name, args)}`;
  const found = applyOverload(rules.get(name) ?? [], args, at, construct);
  if (found !== undefined) return found;
  throw !rules.has(name) && knownFunctions.has(name)
    ? unsupportedSql(`the function ${name}`, at, insteadOfFunction(name))
    : invalidSql(`${construct} does not exist`, at);
}
