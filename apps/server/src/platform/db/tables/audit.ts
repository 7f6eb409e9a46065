import type { ColumnType, Generated } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** Audit events that are still to be put into the chain of their workspace, in the order in which they happened. */
export interface AuditOutboxTable {
  position: Generated<number>;
  id: Fixed<string>;
  /** The key of the workspace; '-' for what belongs to none. It outlives the workspace. */
  workspace_uid: Fixed<string>;
  /** The event as a JSON text: what its hash is over. */
  event: Fixed<string>;
}

/** How far the chain of each workspace goes. */
export interface AuditChainTable {
  workspace_uid: Fixed<string>;
  /** What was put into it last, sealed, so that nobody who changes events can make this fit. */
  sealed: string;
}

/** How long audit events are kept: those of a dataset, or all others of a workspace. */
export interface AuditConfigTable {
  /** That of the dataset or of the workspace, which it is made with. */
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
