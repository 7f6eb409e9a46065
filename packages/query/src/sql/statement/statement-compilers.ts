import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../expression.ts';
import type { Scope } from './compilation-context.ts';
import { renderSubquery, type OpenQuery, type Query } from './query.ts';

/*
 * Expressions contain queries and queries contain expressions, but their files cannot import each other. These functions
 * call through the compilation instead.
 */

/** Compiles an expression in a scope. */
export const compileExpression = (node: Node, scope: Scope): Expression =>
  scope.compilation.parts.expression(node, scope);

/** Compiles a condition of WHERE, HAVING, ON or FILTER to engine SQL in which NULL counts as false. */
export const compileCondition = (node: Node, scope: Scope): string =>
  scope.compilation.parts.condition(node, scope);

/** Compiles a query without its ORDER BY and LIMIT, which the caller adds. */
export const openQuery = (statement: SelectStmt, scope: Scope, at: number): OpenQuery =>
  scope.compilation.parts.query(statement, scope, at);

/** Compiles a query that is nested in another one. */
export const compileQuery = (statement: SelectStmt, scope: Scope, at: number): Query =>
  renderSubquery(openQuery(statement, scope, at));
