import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { byName, callRule, signature } from './call.ts';
import { functionRules } from './catalogue.ts';
import { nullif } from './choices.ts';
import { knownFunctions } from './known-functions.ts';

const rules = byName(functionRules);

/** A function of single values by its name without `pg_catalog`; also coalesce, greatest, least and nullif. */
export function callFunction(name: string, args: readonly Expression[], at: number): Expression {
  const [first, second, third] = args;
  if (name === 'nullif' && first !== undefined && second !== undefined && third === undefined) {
    return nullif(first, second, at);
  }
  const construct = `the function ${signature(name, args)}`;
  const found = callRule(rules.get(name) ?? [], args, at, construct);
  if (found !== undefined) return found;
  throw !rules.has(name) && knownFunctions.has(name)
    ? unsupported(`the function ${name}`, at)
    : invalid(`${construct} does not exist`, at);
}
