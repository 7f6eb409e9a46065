import type { ColumnType, Generated } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** Audit events that must still be appended to the chain of their workspace, in the order in which they happened. */
export interface AuditOutboxTable {
  position: Generated<number>;
  id: Fixed<string>;
  /** The key of the workspace; '-' for events of no workspace. The row outlives the workspace. */
  workspace_uid: Fixed<string>;
  /** The event as JSON, which is the text that is hashed. */
  event: Fixed<string>;
}

/** How far the chain of each workspace goes. */
export interface AuditChainTable {
  workspace_uid: Fixed<string>;
  /** The `ChainEnd`, sealed with the server's key. Nobody can seal an end for changed events without this key. */
  sealed: string;
}

/** How long audit events are kept: those of a dataset or, without a dataset, all others of a workspace. */
export interface AuditConfigTable {
  /** The id of the dataset or of the workspace. */
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  dataset_id: Fixed<string | null>;
  keep_forever: boolean;
  age_in_days: number;
}

export interface AuditTables {
  audit_outbox: AuditOutboxTable;
  audit_chains: AuditChainTable;
  audit_configs: AuditConfigTable;
}
