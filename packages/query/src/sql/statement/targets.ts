import type { Node } from 'libpg-query';
import { resolveUnknown } from '../expressions/casts.ts';
import type { Expression } from '../expression.ts';
import { invalid } from '../fault.ts';
import { columnName, isStar, starColumns } from './columns.ts';
import type { Scope } from './compilation.ts';
import { compileExpression } from './compile.ts';
import { sqlLimits } from './parse-sql.ts';
import { locationOf, namesOf, onlyFields, opened } from './syntax.ts';

/** One item of the select list. */
export interface Target {
  readonly node: Node;
  /** The name given by AS. */
  readonly alias: string | undefined;
}

export const targetsOf = (nodes: readonly Node[] | undefined): Target[] =>
  (nodes ?? []).map((node) => {
    if (!('ResTarget' in node)) throw new Error('A select list holds targets.');
    const { ResTarget: target } = node;
    const at = target.location ?? 0;
    onlyFields(target, ['name', 'val', 'location'], 'an output column', at);
    if (target.val === undefined) throw invalid('an output column is empty', at);
    return { node: target.val, alias: target.name };
  });

/** An output column: its name and its value. */
export interface Output {
  readonly name: string;
  readonly value: Expression;
}

/** The output columns of a select list, with what "*" stands for in their places. */
export function outputsOf(targets: readonly Target[], scope: Scope): Output[] {
  const outputs = targets.flatMap(({ node, alias }): Output[] => {
    if ('ColumnRef' in node && isStar(node.ColumnRef)) {
      const at = locationOf(node);
      // A column of "*" is a reference like any other, so in a query of groups it has to be one of their keys.
      const columns = starColumns(node.ColumnRef, scope);
      return columns.map((column) => ({
        name: column.name,
        value: grouped(column.get(at), scope, column.name, at),
      }));
    }
    const own = compileExpression(node, scope);
    const value = scope.keepsUnknown === true && own.literal !== undefined ? own : resolveUnknown(own);
    return [{ name: alias ?? impliedName(node, scope), value }];
  });
  if (outputs.length > sqlLimits.columns) {
    throw invalid(
      `the answer would have ${String(outputs.length)} columns; at most ${String(sqlLimits.columns)} are given`,
      0,
    );
  }
  return outputs;
}

function grouped(value: Expression, { grouping }: Scope, name: string, at: number): Expression {
  if (grouping === undefined) return value;
  const key = grouping.keys.find(({ sql }) => sql === value.sql);
  if (key !== undefined) return { sql: key.name, type: key.type, at };
  throw invalid(
    `the column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
    at,
  );
}

/** The name PostgreSQL gives a column without AS. */
const impliedName = (node: Node, scope: Scope): string => figured(node, scope)?.name ?? noName;
const noName = '?column?';

/** A name that an expression suggests. A weak one gives way to that of a cast or a CASE around it. */
interface Figured {
  readonly name: string;
  readonly isWeak?: true;
}

/** As PostgreSQL's FigureColname. */
function figured(node: Node, scope: Scope): Figured | undefined {
  const name = ownName(node, scope);
  if (name !== undefined) return { name };
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast;
    const inner = arg === undefined ? undefined : figured(arg, scope);
    const type = namesOf(typeName?.names, 0).at(-1);
    return type !== undefined && (inner === undefined || inner.isWeak) ? { name: type, isWeak: true } : inner;
  }
  if ('CaseExpr' in node) {
    const { defresult } = node.CaseExpr;
    const otherwise = defresult === undefined ? undefined : figured(defresult, scope);
    return otherwise === undefined || otherwise.isWeak ? { name: 'case', isWeak: true } : otherwise;
  }
  if ('A_Indirection' in node && node.A_Indirection.arg !== undefined)
    return figured(node.A_Indirection.arg, scope);
  return undefined;
}

/** The name of what is called or selected. */
function ownName(node: Node, scope: Scope): string | undefined {
  if ('ColumnRef' in node) return columnName(node.ColumnRef, scope);
  if ('FuncCall' in node) return namesOf(node.FuncCall.funcname, 0).at(-1);
  if ('GroupingFunc' in node) return 'grouping';
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('MinMaxExpr' in node) return node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest';
  if ('A_ArrayExpr' in node) return 'array';
  if ('SubLink' in node && node.SubLink.subLinkType === 'EXISTS_SUBLINK') return 'exists';
  if ('SubLink' in node && node.SubLink.subLinkType === 'ARRAY_SUBLINK') return 'array';
  if ('SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK')
    return subqueryName(node.SubLink.subselect, scope);
  if ('SQLValueFunction' in node) return (node.SQLValueFunction.op ?? '').replace('SVFOP_', '').toLowerCase();
  if ('A_Expr' in node && node.A_Expr.kind === 'AEXPR_NULLIF') return 'nullif';
  return undefined;
}

function subqueryName(node: Node | undefined, scope: Scope): string {
  const [kind] = node === undefined ? [''] : opened(node);
  if (kind !== 'SelectStmt' || node === undefined || !('SelectStmt' in node)) return noName;
  const [target] = targetsOf(node.SelectStmt.targetList);
  return target === undefined ? noName : (target.alias ?? impliedName(target.node, scope));
}
