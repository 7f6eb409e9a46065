import type { Node } from 'libpg-query';
import { columnName } from './compile-column.ts';
import type { Scope } from './compilation-context.ts';
import { listNames } from './syntax.ts';

/** Returns PostgreSQL's name for a column without AS. */
export const inferColumnName = (node: Node, scope: Scope): string => suggestName(node, scope)?.name ?? noName;
const noName = '?column?';

/** The name that an expression suggests. A weak name is replaced by that of a surrounding cast or CASE. */
interface SuggestedName {
  readonly name: string;
  readonly isWeak?: true;
}

/** Returns the suggested name by the rules of PostgreSQL's FigureColname; undefined if the expression suggests none. */
function suggestName(node: Node, scope: Scope): SuggestedName | undefined {
  const name = ownName(node, scope);
  if (name !== undefined) return { name };
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast;
    const inner = arg === undefined ? undefined : suggestName(arg, scope);
    const type = listNames(typeName?.names, 0).at(-1);
    return type !== undefined && (inner === undefined || inner.isWeak) ? { name: type, isWeak: true } : inner;
  }
  if ('CaseExpr' in node) {
    const { defresult } = node.CaseExpr;
    const otherwise = defresult === undefined ? undefined : suggestName(defresult, scope);
    return otherwise === undefined || otherwise.isWeak ? { name: 'case', isWeak: true } : otherwise;
  }
  if ('A_Indirection' in node && node.A_Indirection.arg !== undefined)
    return suggestName(node.A_Indirection.arg, scope);
  return undefined;
}

/** The name of the called function or selected column. */
function ownName(node: Node, scope: Scope): string | undefined {
  if ('ColumnRef' in node) return columnName(node.ColumnRef, scope);
  if ('FuncCall' in node) return listNames(node.FuncCall.funcname, 0).at(-1);
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

/** The name of the only column of a subquery. For set operations it is that of the first query. */
function subqueryName(node: Node | undefined, scope: Scope): string {
  if (node === undefined || !('SelectStmt' in node)) return noName;
  const { larg, valuesLists, targetList = [] } = node.SelectStmt;
  if (larg !== undefined) return subqueryName({ SelectStmt: larg }, scope);
  if (valuesLists !== undefined) return 'column1';
  const [target] = targetList;
  if (target === undefined || !('ResTarget' in target) || target.ResTarget.val === undefined) return noName;
  return target.ResTarget.name ?? inferColumnName(target.ResTarget.val, scope);
}
