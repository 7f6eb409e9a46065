import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { insteadOfFunction } from '../instead.ts';
import { byName, callRule, signature } from './call.ts';
import { castTo, typeFromName } from './casts.ts';
import { functionRules } from './catalogue.ts';
import { nullif } from './choices.ts';
import { knownFunctions } from './known-functions.ts';

const rules = byName(functionRules);

/** Types whose name called with one value is a cast to it, as in date(moment): those that are no keywords of the grammar. */
export const castNames: ReadonlySet<string> = new Set(
  'bool date float8 int2 int4 int8 jsonb text timestamptz'.split(' '),
);

/** A function of single values by its name without `pg_catalog`; also coalesce, greatest, least and nullif. */
export function callFunction(name: string, args: readonly Expression[], at: number): Expression {
  const [first, second, third] = args;
  if (name === 'nullif' && first !== undefined && second !== undefined && third === undefined) {
    return nullif(first, second, at);
  }
  if (castNames.has(name) && first !== undefined && second === undefined)
    return { ...castTo(first, typeFromName([name], [], false, at), at), at };
  const construct = `the function ${signature(name, args)}`;
  const found = callRule(rules.get(name) ?? [], args, at, construct);
  if (found !== undefined) return found;
  throw !rules.has(name) && knownFunctions.has(name)
    ? unsupported(`the function ${name}`, at, insteadOfFunction(name))
    : invalid(`${construct} does not exist`, at);
}
