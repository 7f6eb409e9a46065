import type { JsonLiteral } from './expressions/json/json-literals.ts';
import type { SqlType } from './types.ts';

/**
 * A compiled expression: engine SQL that is total (it answers a value or NULL for every row, whatever stands there) and
 * whose engine type is exactly `engineType(type)`.
 */
export interface Expression {
  readonly sql: string;
  readonly type: SqlType;
  /**
   * What a literal says, known when it is compiled: the text of a literal in quotes (its type is `unknown` until it meets
   * another), the digits of a number, 'true' or 'false', or null for NULL.
   */
  readonly literal?: string | null;
  /** Of a numeric: the most digits it can have, before and after the point together; not known is as many as fit. */
  readonly digits?: number;
  /**
   * Of a numeric of this text: how many digits after the point PostgreSQL shows, where they differ from row to row as those of
   * a quotient. Engine SQL of a whole number.
   */
  readonly shown?: { readonly of: string; readonly digits: string };
  /** An interval literal with its months and days apart, so that a moment is moved by them in as few steps as can be. */
  readonly interval?: { readonly months: number; readonly days: number; readonly micros: number };
  /** Of a jsonb that is written out: what it says. */
  readonly json?: JsonLiteral;
  /** Where it stands in the statement: a byte offset. */
  readonly at: number;
}
