import type { SelectStmt } from 'libpg-query';
import type { Scope } from './compilation-context.ts';
import type { SourceLevel } from './source.ts';
import type { Output } from './targets.ts';

/** What a SELECT has been compiled to, before its parts are put together. */
export interface SelectParts {
  readonly statement: SelectStmt;
  /** The rows or groups that it is over, and what follows them. */
  readonly level: SourceLevel;
  readonly filter: string;
  readonly scope: Scope;
  /** Whether whole records are asked for, as they were written. */
  readonly isRecords: boolean;
  /** The name that an expression gets as a column: its own where it is a column of the groups and may keep it. */
  readonly nameOf: (sql: string) => string;
  readonly outputs: readonly (Output & { readonly column: string })[];
  /** Further columns that say how many digits others show, by what they are: those that somebody has asked for. */
  readonly digits: Map<string, string>;
}
