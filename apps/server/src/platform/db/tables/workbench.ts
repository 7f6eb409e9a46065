import type { QueryRun } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** SQL that a person keeps under a name. */
export interface SavedQueryTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  name: string;
  text: string;
  version: number;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** SQL that a person ran in the console. */
export interface QueryRunTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  text: Fixed<string>;
  is_cut: Fixed<boolean>;
  status: Fixed<QueryRun['status']>;
  row_count: Fixed<number | null>;
  milliseconds: Fixed<number>;
  started_at: Fixed<Date>;
}

/** A download that is prepared and not fetched yet. */
export interface ExportTable {
  /** SHA-256 of the token in its address. */
  token_hash: Fixed<string>;
  session_id: Fixed<string>;
  workspace_uid: Fixed<string>;
  /** Operation, body and format, as JSON. */
  request: Fixed<string>;
  expires_at: Fixed<Date>;
}

export interface WorkbenchTables {
  saved_queries: SavedQueryTable;
  query_runs: QueryRunTable;
  exports: ExportTable;
}
