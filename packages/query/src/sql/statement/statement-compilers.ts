import type { Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../expression.ts';
import type { Scope } from './compilation-context.ts';
import { renderSubquery, type OpenQuery, type Query } from './query.ts';

/*
 * An expression may hold a query, and a query holds expressions: each finds the other by way of the compilation, as
 * their files cannot import each other.
 */

/** Compiles an expression at a place of the statement. */
export const compileExpression = (node: Node, scope: Scope): Expression =>
  scope.compilation.parts.expression(node, scope);

/** A condition of WHERE, HAVING, ON or FILTER as the engine's text: NULL counts as false there. */
export const compileCondition = (node: Node, scope: Scope): string =>
  scope.compilation.parts.condition(node, scope);

/** Compiles a query and leaves its order and limit to be written. */
export const openQuery = (statement: SelectStmt, scope: Scope, at: number): OpenQuery =>
  scope.compilation.parts.query(statement, scope, at);

/** Compiles a query inside another one. */
export const compileQuery = (statement: SelectStmt, scope: Scope, at: number): Query =>
  renderSubquery(openQuery(statement, scope, at));
