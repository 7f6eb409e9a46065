import type { SelectStmt } from 'libpg-query';
import type { Scope } from './compilation-context.ts';
import type { SourceLevel } from './source.ts';
import type { Output } from './targets.ts';

/** The compiled parts of a SELECT, before they are combined. */
export interface SelectParts {
  readonly statement: SelectStmt;
  /** The rows or groups of the SELECT, with joined subqueries. */
  readonly level: SourceLevel;
  readonly filter: string;
  readonly scope: Scope;
  /** Whether the SELECT returns whole records. */
  readonly isRecords: boolean;
  /** Returns the column name for an expression. A column of the groups keeps its name if possible. */
  readonly nameOf: (sql: string) => string;
  readonly outputs: readonly (Output & { readonly column: string })[];
  /** Additional columns with the scale of other columns, by expression. Only requested ones exist. */
  readonly digits: Map<string, string>;
}
