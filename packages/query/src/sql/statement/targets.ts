import type { Node } from 'libpg-query';
import { resolveUnknownLiteral } from '../expressions/casts.ts';
import type { Expression } from '../expression.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { isStar, starColumns } from './compile-column.ts';
import type { Scope } from './compilation-context.ts';
import { compileExpression } from './statement-compilers.ts';
import { inferColumnName } from './infer-column-name.ts';
import { sqlLimits } from './parse-sql.ts';
import { locationOf, requireKnownFields } from './syntax.ts';

/** An item of the select list. */
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
    requireKnownFields(target, ['name', 'val', 'location'], 'an output column', at);
    if (target.val === undefined) throw invalidSql('an output column is empty', at);
    return { node: target.val, alias: target.name };
  });

/** An output column: its name and its value. */
export interface Output {
  readonly name: string;
  readonly value: Expression;
}

/** Returns the output columns of a select list, with "*" expanded. */
export function expandTargets(targets: readonly Target[], scope: Scope): Output[] {
  const outputs = targets.flatMap(({ node, alias }): Output[] => {
    if ('ColumnRef' in node && isStar(node.ColumnRef)) {
      const at = locationOf(node);
      // Compiles the columns of "*" as references, so that in a query with groups, columns that are not keys are
      // rejected.
      const columns = starColumns(node.ColumnRef, scope);
      return columns.map((column) => ({
        name: column.name,
        value: grouped(column.get(at), scope, column.name, at),
      }));
    }
    const own = compileExpression(node, scope);
    const value = scope.keepsUnknown === true && own.literal !== undefined ? own : resolveUnknownLiteral(own);
    return [{ name: alias ?? inferColumnName(node, scope), value }];
  });
  if (outputs.length > sqlLimits.columns) {
    throw invalidSql(
      `a result must have at most ${String(sqlLimits.columns)} columns, got ${String(outputs.length)}: select fewer`,
      0,
    );
  }
  return outputs;
}

function grouped(value: Expression, { grouping }: Scope, name: string, at: number): Expression {
  if (grouping === undefined) return value;
  const key = grouping.keys.find(({ sql }) => sql === value.sql);
  if (key !== undefined) return { sql: key.name, type: key.type, at };
  throw invalidSql(
    `the column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
    at,
  );
}
