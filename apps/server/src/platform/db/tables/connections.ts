import type { ConnectionAction, Connection } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** A stored connection to a source. */
export interface ConnectionTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  name: string;
  type: Fixed<Connection['type']>;
  /** Where it leads, as JSON without secrets. */
  target: string;
  /** The encrypted part of connectionInfo that the connection holds. */
  sealed_info: string;
  /** What jobs may read, as JSON; null for all. */
  allowed: string | null;
  /** In canonical form. */
  minimum_label: string | null;
  /** The last test that succeeded with the stored connectionInfo and what is allowed. */
  tested_at: Date | null;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** A grant of a connection to a group. */
export interface ConnectionPermissionTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  connection_id: Fixed<string>;
  group_id: Fixed<string>;
  action: Fixed<ConnectionAction>;
  created_at: Fixed<Date>;
}

export interface ConnectionTables {
  connections: ConnectionTable;
  connection_permissions: ConnectionPermissionTable;
}
