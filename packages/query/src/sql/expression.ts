import type { JsonLiteral } from './expressions/json/json-literals.ts';
import type { SqlType } from './types.ts';

/**
 * A compiled expression: engine SQL that returns a value or NULL for every row and never fails, because an error would
 * disclose hidden rows. Its engine type is exactly `engineType(type)`.
 */
export interface Expression {
  readonly sql: string;
  readonly type: SqlType;
  /**
   * The value of a literal, if it is known at compile time: the text of a string literal (its type is `unknown` until
   * it is cast), the digits of a number, 'true', 'false', or null for NULL.
   */
  readonly literal?: string | null;
  /** The maximum precision of a numeric. If undefined, it can have as many digits as the engine supports. */
  readonly digits?: number;
  /**
   * The scale that PostgreSQL displays for a numeric, if it varies from row to row like that of a quotient. `digits` is
   * engine SQL of that scale. It is valid only if the SQL of the expression is still `of`.
   */
  readonly rowScale?: { readonly of: string; readonly digits: string };
  /** The parts of an interval literal, so that adding it to a timestamp adds only parts that are not 0. */
  readonly interval?: { readonly months: number; readonly days: number; readonly micros: number };
  /** The value of a jsonb constant. */
  readonly json?: JsonLiteral;
  /** The position in the statement, as a byte offset. */
  readonly at: number;
}
