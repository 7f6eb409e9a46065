import type { Node, SelectStmt } from 'libpg-query';
import { compileCast } from '../expressions/casts.ts';
import { commonType } from '../expressions/common-type.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { outerScope, type Scope } from './compilation-context.ts';
import { compileExpression } from './statement-compilers.ts';
import { findCorrelation } from './correlation.ts';
import { sqlLimits } from './parse-sql.ts';
import type { Limit, OpenQuery } from './query.ts';
import { rowsOfColumns } from './set-operations.ts';

/** Compiles rows of constants: `VALUES (1, 'a'), (2, 'b')`. */
export function compileValues(
  statement: SelectStmt,
  around: Scope,
  limit: Limit | undefined,
  at: number,
): OpenQuery {
  const { compilation } = around;
  const outer = outerScope(around);
  const correlation = findCorrelation(outer, compilation);
  const scope: Scope = {
    compilation,
    ctes: around.ctes,
    relations: [],
    outer,
    correlation,
    place: { clause: 'VALUES', aggregates: false, windows: false },
  };
  const rows = (statement.valuesLists ?? []).map((node) =>
    itemsOf(node).map((item) => compileExpression(item, scope)),
  );
  const [first = []] = rows;
  if (rows.some((row) => row.length !== first.length))
    throw invalidSql('VALUES lists must all be the same length', at);
  if (rows.length > sqlLimits.values)
    throw invalidSql(`VALUES has more than ${String(sqlLimits.values)} rows`, at);
  const columns = first.map((_, i) => {
    const values = rows.map((row) => row[i]).filter((value) => value !== undefined);
    return {
      name: `column${String(i + 1)}`,
      sql: compilation.name(),
      type: commonType(values, at, 'VALUES'),
    };
  });
  const key = correlation?.isUsed() === true ? compilation.name() : undefined;
  const from =
    correlation === undefined || key === undefined
      ? ''
      : `, ${correlation.key} AS ${key} FROM ${correlation.render()}`;
  const text = rows
    .map((row) => {
      const list = columns.map(({ sql, type }, i) => {
        const value = row[i];
        if (value === undefined) throw new Error('All rows have as many columns.');
        return `${compileCast(value, type, at).sql} AS ${sql}`;
      });
      return `SELECT ${list.join(', ')}${from}`;
    })
    .join(' UNION ALL ');
  return rowsOfColumns(statement, columns, limit, text, key);
}

const itemsOf = (node: Node): readonly Node[] => {
  if (!('List' in node)) throw new Error('VALUES holds lists.');
  return node.List.items ?? [];
};
