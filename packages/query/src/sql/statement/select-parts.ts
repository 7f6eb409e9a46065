import type { SelectStmt } from 'libpg-query';
import type { Scope } from './compilation.ts';
import type { FromItem } from './relation.ts';
import type { Output } from './targets.ts';

/** What a SELECT has been compiled to, before its parts are put together. */
export interface SelectParts {
  readonly statement: SelectStmt;
  readonly from: FromItem | undefined;
  readonly where: string | undefined;
  readonly having: string | undefined;
  readonly scope: Scope;
  /** Whether whole records are asked for, as they were written. */
  readonly isRecords: boolean;
  readonly outputs: readonly (Output & { readonly column: string })[];
}
