import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { printType } from '../types.ts';
import { groupRulesByName, applyOverload } from './apply-overload.ts';
import { compileCast } from './casts.ts';
import { operatorRules } from './function-catalog.ts';
import { compare, comparisonNames } from './comparisons.ts';
import { numberLiteral } from './literals.ts';
import { like, likeOperators } from './regex/patterns.ts';

export {
  and,
  caseWhen,
  compileTruthy,
  compileInList,
  isDistinctFrom,
  isNull,
  not,
  or,
  compileBooleanTest,
} from './booleans.ts';
export { similarTo } from './regex/patterns.ts';
export { compileQuantifiedComparison } from './quantified.ts';

const rules = groupRulesByName(operatorRules);

/** PostgreSQL's operators that are not supported, or not for all types. */
const missing = new Set(
  `!~~ ## #- #= && &&& &< &<| &> -|- ->> -> #> #>> <-> << <<= <<| <> <@ <^ >> >>= >^ ?# ?& ?- ?-| ?| ?|| @-@ @> @? @@ @@@
  |&> |>> ~<=~ ~<~ ~>=~ ~>~ ~= ^@ *< *<= *<> *= *> *>= <% %> <<% %>> || | & # ~ ? ^`.split(/\s+/),
);

/**
 * Compiles an operator by its name in the syntax tree: `~~` is LIKE, with its ESCAPE. Without `left` it is a prefix
 * operator.
 */
export function callOperator(
  name: string,
  left: Expression | undefined,
  right: Expression,
  at: number,
  escape?: Expression,
): Expression {
  if (left !== undefined && likeOperators.has(name)) return like(name, left, right, escape, at);
  if (left !== undefined && comparisonNames.has(name)) return compare(name, left, right, at);
  if (left === undefined && name === '-' && typeof right.literal === 'string') return negated(right, at);
  const args = left === undefined ? [right] : [left, right];
  const construct = `the operator ${left === undefined ? '' : `${printType(left.type)} `}${name} ${printType(right.type)}`;
  const found = applyOverload(rules.get(name) ?? [], args, at, construct);
  if (found !== undefined) return found;
  throw !rules.has(name) && missing.has(name)
    ? unsupportedSql(construct, at, 'The SQL reference lists the operators.')
    : invalidSql(`${construct} does not exist`, at);
}

/** Negates a number literal, which stays a literal. */
function negated(value: Expression, at: number): Expression {
  const literal = value.literal ?? '';
  if (value.type.name !== 'integer' && value.type.name !== 'bigint' && value.type.name !== 'numeric') {
    const found = applyOverload(rules.get('-') ?? [], [value], at, 'the operator -');
    if (found === undefined) throw invalidSql(`the operator - ${printType(value.type)} does not exist`, at);
    return found;
  }
  const turned = literal.startsWith('-') ? literal.slice(1) : `-${literal}`;
  const result = numberLiteral(turned, at);
  if (value.type.name === 'bigint' && result.type.name === 'integer') return { ...result, type: value.type };
  return value.type.name === 'numeric' ? { ...compileCast(result, value.type, at), literal: turned } : result;
}
