import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { typeText } from '../types.ts';
import { byName, callRule } from './call.ts';
import { castTo } from './casts.ts';
import { operatorRules } from './catalogue.ts';
import { compare, comparisonNames } from './comparisons.ts';
import { numberLiteral } from './literals.ts';
import { like, likeOperators } from './patterns.ts';

export { and, caseWhen, condition, inList, isDistinctFrom, isNull, not, or, truthTest } from './truth.ts';
export { similarTo } from './patterns.ts';
export { quantified } from './quantified.ts';

const rules = byName(operatorRules);

/** Operators that PostgreSQL has for types or uses that are not here. */
const missing = new Set(
  `!~~ ## #- #= && &&& &< &<| &> -|- ->> -> #> #>> <-> << <<= <<| <> <@ <^ >> >>= >^ ?# ?& ?- ?-| ?| ?|| @-@ @> @? @@ @@@
  |&> |>> ~<=~ ~<~ ~>=~ ~>~ ~= ^@ *< *<= *<> *= *> *>= <% %> <<% %>> || | & # ~ ? ^`.split(/\s+/),
);

/** An operator by the name that the statement's tree has: `~~` is LIKE, with its ESCAPE. Without `left` it stands before its operand. */
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
  const construct = `the operator ${left === undefined ? '' : `${typeText(left.type)} `}${name} ${typeText(right.type)}`;
  const found = callRule(rules.get(name) ?? [], args, at, construct);
  if (found !== undefined) return found;
  throw !rules.has(name) && missing.has(name)
    ? unsupported(construct, at, 'The SQL reference lists the operators.')
    : invalid(`${construct} does not exist`, at);
}

/** A literal with its sign turned stays one. */
function negated(value: Expression, at: number): Expression {
  const literal = value.literal ?? '';
  if (value.type.name !== 'integer' && value.type.name !== 'bigint' && value.type.name !== 'numeric') {
    const found = callRule(rules.get('-') ?? [], [value], at, 'the operator -');
    if (found === undefined) throw invalid(`the operator - ${typeText(value.type)} does not exist`, at);
    return found;
  }
  const turned = literal.startsWith('-') ? literal.slice(1) : `-${literal}`;
  const result = numberLiteral(turned, at);
  if (value.type.name === 'bigint' && result.type.name === 'integer') return { ...result, type: value.type };
  return value.type.name === 'numeric' ? { ...castTo(result, value.type, at), literal: turned } : result;
}
