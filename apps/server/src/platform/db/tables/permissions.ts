import type { PermissionCode, TransferStatus } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** A permission of a person to manage one part of a workspace. */
export interface PermissionAssignmentTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  code: Fixed<PermissionCode>;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
}

/** A request to another person to take over the ownership of an object. */
export interface TransferRequestTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  resource_type: Fixed<'dataset'>;
  resource_id: Fixed<string>;
  recipient_id: Fixed<string>;
  /** The person who requests the transfer. */
  account_id: Fixed<string>;
  status: TransferStatus;
  created_at: Fixed<Date>;
  ended_at: Date | null;
}
