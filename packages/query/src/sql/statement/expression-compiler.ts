import type { A_Expr, A_Const, BoolExpr, CaseExpr, Node, SQLValueFunction, TypeCast } from 'libpg-query';
import { arrayLiteral, subscript } from '../expressions/array/arrays.ts';
import { compileCast, typeFromName } from '../expressions/casts.ts';
import { compileCurrentTimestamp } from '../expressions/datetime/dates.ts';
import { selectDisplayScale } from '../expressions/numeric/numeric-scale.ts';
import { callFunction } from '../expressions/functions.ts';
import { booleanLiteral, nullLiteral, numberLiteral, textLiteral } from '../expressions/literals.ts';
import {
  and,
  callOperator,
  caseWhen,
  compileTruthy,
  compileInList,
  isDistinctFrom,
  isNull,
  not,
  or,
  compileQuantifiedComparison,
  similarTo,
  compileBooleanTest,
} from '../expressions/operators.ts';
import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { insteadOfKind, noArrayOfArrays } from '../instead.ts';
import { compileCall } from './compile-call.ts';
import { compileColumn, isStar } from './compile-column.ts';
import type { Scope } from './compilation-context.ts';
import { compileGroupingFunction, groupKeyOf } from './grouping.ts';
import { compileInCondition, compileSublink } from './subqueries.ts';
import {
  builtInName,
  locationOf,
  listNames,
  requireKnownFields,
  unwrapNode,
  requireIntegerConstant,
} from './syntax.ts';

type Compile<Body> = (body: Body, scope: Scope, at: number) => Expression;

/**
 * Compiles an expression in a scope.
 * @throws SqlCompileError for invalid and unsupported expressions
 */
export function compileExpression(node: Node, scope: Scope): Expression {
  const key = groupKeyOf(node, scope);
  if (key !== undefined) return key;
  const [kind, body] = unwrapNode(node);
  const at = locationOf(node);
  const compile = kinds[kind];
  if (compile === undefined) throw unsupportedSql(kindNames[kind] ?? kind, at, insteadOfKind(kind));
  const expression = compile(body as never, scope, at);
  scope.compilation.wrote(expression.sql);
  return expression;
}

/** Compiles a condition of WHERE, HAVING, ON or FILTER to engine SQL in which NULL counts as false. */
export function compileCondition(node: Node, scope: Scope): string {
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') {
    return (node.BoolExpr.args ?? []).map((part) => compileCondition(part, scope)).join(' AND ');
  }
  return compileInCondition(node, scope) ?? compileTruthy(compileExpression(node, scope), scope.place.clause);
}

const kindNames: Record<string, string> = {
  ParamRef: 'a parameter ($1)',
  RowExpr: 'a row value',
  SetToDefault: 'DEFAULT',
  CollateClause: 'COLLATE',
  XmlExpr: 'XML',
  CurrentOfExpr: 'CURRENT OF',
};

const required = (node: Node | undefined): Node => {
  if (node === undefined) throw new Error('A node of the tree lacks a part.');
  return node;
};

const compileAll = (nodes: readonly Node[] | undefined, scope: Scope): Expression[] =>
  (nodes ?? []).map((node) => compileExpression(node, scope));

const constant: Compile<A_Const> = (body, _scope, at) => {
  requireKnownFields(body, ['ival', 'fval', 'boolval', 'sval', 'isnull', 'location'], 'a literal', at);
  if (body.ival !== undefined) return numberLiteral(String(body.ival.ival ?? 0), at);
  if (body.fval !== undefined) return numberLiteral(body.fval.fval ?? '0', at);
  if (body.boolval !== undefined) return booleanLiteral(body.boolval.boolval ?? false, at);
  if (body.sval !== undefined) return textLiteral(body.sval.sval ?? '', at);
  return nullLiteral(at);
};

const booleans: Compile<BoolExpr> = (body, scope, at) => {
  const parts = compileAll(body.args, scope);
  if (body.boolop === 'AND_EXPR') return and(parts, at);
  if (body.boolop === 'OR_EXPR') return or(parts, at);
  const [part] = parts;
  if (part === undefined) throw new Error('NOT has one part.');
  return not(part, at);
};

const cases: Compile<CaseExpr> = (body, scope, at) => {
  const { arg, args, defresult } = body;
  const subject = arg === undefined ? undefined : compileExpression(arg, scope);
  const branches = (args ?? []).map((node) => {
    if (!('CaseWhen' in node))
      throw unsupportedSql('this form of CASE', at, 'Write CASE WHEN condition THEN value END.');
    const { expr, result, location = at } = node.CaseWhen;
    const when = compileExpression(required(expr), scope);
    return {
      when: subject === undefined ? when : callOperator('=', subject, when, location),
      value: compileExpression(required(result), scope),
    };
  });
  const otherwise = defresult === undefined ? nullLiteral(at) : compileExpression(defresult, scope);
  return caseWhen(branches, otherwise, at);
};

const casts: Compile<TypeCast> = (body, scope, at) => {
  const { arg, typeName } = body;
  if (typeName === undefined) throw new Error('A cast has a type.');
  requireKnownFields(typeName, ['names', 'typmods', 'typemod', 'arrayBounds', 'location'], 'a type', at);
  const place = at === 0 ? (typeName.location ?? 0) : at;
  const modifiers = (typeName.typmods ?? []).map((node) =>
    requireIntegerConstant(node, 'a modifier of a type', place),
  );
  const bounds = typeName.arrayBounds ?? [];
  if (bounds.length > 1) throw unsupportedSql('an array of several dimensions', place, noArrayOfArrays);
  const target = typeFromName(listNames(typeName.names, place), modifiers, bounds.length === 1, place);
  return compileCast(compileExpression(required(arg), scope), target, place);
};

const clockFunctions: Record<string, Parameters<typeof compileCurrentTimestamp>[0]> = {
  SVFOP_CURRENT_DATE: 'date',
  SVFOP_CURRENT_TIMESTAMP: 'timestamptz',
  SVFOP_LOCALTIMESTAMP: 'timestamp',
};

const clock: Compile<SQLValueFunction> = (body, { compilation }, at) => {
  const type = clockFunctions[body.op ?? ''];
  if (type === undefined)
    throw unsupportedSql(
      (body.op ?? '').replace('SVFOP_', ''),
      at,
      'Use current_date, current_timestamp, localtimestamp or now().',
    );
  return compileCurrentTimestamp(type, compilation.now, at);
};

const operators: Compile<A_Expr> = (body, scope, at) => {
  const { kind = 'AEXPR_OP', lexpr, rexpr } = body;
  const handler = operatorKinds[kind];
  const name = builtInName(body.name, 'the operator', at);
  if (handler === undefined) throw unsupportedSql(name, at, 'The SQL reference lists the operators.');
  return handler({ name, left: lexpr, right: required(rexpr), scope, at });
};

interface OperatorUse {
  name: string;
  left: Node | undefined;
  right: Node;
  scope: Scope;
  at: number;
}

const leftOf = ({ left, scope }: OperatorUse): Expression => compileExpression(required(left), scope);
const rightOf = ({ right, scope }: OperatorUse): Expression => compileExpression(right, scope);

const between = (use: OperatorUse, negated: boolean, symmetric: boolean): Expression => {
  const { right, scope, at } = use;
  const [low, high] = 'List' in right ? compileAll(right.List.items, scope) : [];
  if (low === undefined || high === undefined) throw new Error('BETWEEN has two bounds.');
  const value = leftOf(use);
  const inside = (from: Expression, to: Expression): Expression =>
    and([callOperator('>=', value, from, at), callOperator('<=', value, to, at)], at);
  const result = symmetric ? or([inside(low, high), inside(high, low)], at) : inside(low, high);
  return negated ? not(result, at) : result;
};

/** Compiles the pattern and ESCAPE of an operator: the parser represents LIKE with ESCAPE and SIMILAR TO as a call. */
const pattern = (use: OperatorUse): { pattern: Expression; escape: Expression | undefined } => {
  const { right, scope, at } = use;
  if ('FuncCall' in right) {
    const name = builtInName(right.FuncCall.funcname, 'the function', at);
    if (name === 'like_escape' || name === 'similar_to_escape') {
      const [text, escape] = compileAll(right.FuncCall.args, scope);
      if (text === undefined) throw new Error('A pattern has a text.');
      return { pattern: text, escape };
    }
  }
  return { pattern: rightOf(use), escape: undefined };
};

const like = (use: OperatorUse): Expression => {
  const { pattern: text, escape } = pattern(use);
  return callOperator(use.name, leftOf(use), text, use.at, escape);
};

const operatorKinds: Partial<Record<string, (use: OperatorUse) => Expression>> = {
  AEXPR_OP: (use) => {
    const left = use.left === undefined ? undefined : compileExpression(use.left, use.scope);
    return callOperator(use.name, left, rightOf(use), use.at);
  },
  AEXPR_OP_ANY: (use) => compileQuantifiedComparison(use.name, leftOf(use), rightOf(use), 'any', use.at),
  AEXPR_OP_ALL: (use) => compileQuantifiedComparison(use.name, leftOf(use), rightOf(use), 'all', use.at),
  AEXPR_DISTINCT: (use) => isDistinctFrom(leftOf(use), rightOf(use), use.at),
  AEXPR_NOT_DISTINCT: (use) => not(isDistinctFrom(leftOf(use), rightOf(use), use.at), use.at),
  AEXPR_NULLIF: (use) => callFunction('nullif', [leftOf(use), rightOf(use)], use.at),
  AEXPR_IN: (use) => {
    if (!('List' in use.right))
      throw unsupportedSql('this form of IN', use.at, 'Write a list of values or a subquery in brackets.');
    return compileInList(leftOf(use), compileAll(use.right.List.items, use.scope), use.name === '<>', use.at);
  },
  AEXPR_LIKE: like,
  AEXPR_ILIKE: like,
  AEXPR_SIMILAR: (use) => {
    const { pattern: text, escape } = pattern(use);
    const result = similarTo(leftOf(use), text, escape, use.at);
    return use.name === '!~' ? not(result, use.at) : result;
  },
  AEXPR_BETWEEN: (use) => between(use, false, false),
  AEXPR_NOT_BETWEEN: (use) => between(use, true, false),
  AEXPR_BETWEEN_SYM: (use) => between(use, false, true),
  AEXPR_NOT_BETWEEN_SYM: (use) => between(use, true, true),
};

const kinds: Partial<Record<string, Compile<never>>> = {
  A_Const: constant,
  BoolExpr: booleans,
  CaseExpr: cases,
  TypeCast: casts,
  SQLValueFunction: clock,
  A_Expr: operators,
  FuncCall: compileCall,
  SubLink: compileSublink,
  ColumnRef: ((body, scope, at) => {
    if (isStar(body)) throw invalidSql('"*" stands for columns, and cannot be a value', at);
    return compileColumn(body, scope);
  }) satisfies Compile<Parameters<typeof compileColumn>[0]>,
  GroupingFunc: ((body: { args?: Node[] }, scope, at) =>
    compileGroupingFunction(body.args ?? [], scope, at)) satisfies Compile<{ args?: Node[] }>,
  NullTest: ((body: { arg?: Node; nulltesttype?: string }, scope, at) => {
    const test = isNull(compileExpression(required(body.arg), scope), at);
    return body.nulltesttype === 'IS_NOT_NULL' ? not(test, at) : test;
  }) satisfies Compile<{ arg?: Node; nulltesttype?: string }>,
  BooleanTest: ((body: { arg?: Node; booltesttype?: string }, scope, at) =>
    compileBooleanTest(
      compileExpression(required(body.arg), scope),
      body.booltesttype ?? '',
      at,
    )) satisfies Compile<{
    arg?: Node;
    booltesttype?: string;
  }>,
  CoalesceExpr: ((body: { args?: Node[] }, scope, at) => {
    const values = compileAll(body.args, scope);
    return selectDisplayScale(callFunction('coalesce', values, at), values, (digits) => {
      const parts = values.flatMap(({ sql }, place) => [
        `isNotNull(${sql})`,
        `toInt64(ifNull(${digits[place] ?? '0'}, 0))`,
      ]);
      return `multiIf(${[...parts, 'toInt64(0)'].join(', ')})`;
    });
  }) satisfies Compile<{ args?: Node[] }>,
  MinMaxExpr: ((body: { args?: Node[]; op?: string }, scope, at) =>
    callFunction(
      body.op === 'IS_LEAST' ? 'least' : 'greatest',
      compileAll(body.args, scope),
      at,
    )) satisfies Compile<{
    args?: Node[];
    op?: string;
  }>,
  A_ArrayExpr: ((body: { elements?: Node[] }, scope, at) =>
    arrayLiteral(compileAll(body.elements, scope), at)) satisfies Compile<{ elements?: Node[] }>,
  A_Indirection: ((body: { arg?: Node; indirection?: Node[] }, scope, at) => {
    const [index, ...more] = body.indirection ?? [];
    if (index === undefined || more.length > 0 || !('A_Indices' in index))
      throw unsupportedSql(
        'this indirection',
        at,
        'Name a column with dots, or an element by its index, as in a[1].',
      );
    requireKnownFields(index.A_Indices, ['uidx'], 'a slice of an array', at);
    return subscript(
      compileExpression(required(body.arg), scope),
      compileExpression(required(index.A_Indices.uidx), scope),
      at,
    );
  }) satisfies Compile<{ arg?: Node; indirection?: Node[] }>,
};
