import type { PermissionCode, TransferStatus } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** That a person may manage one part of a workspace. */
export interface PermissionAssignmentTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  code: Fixed<PermissionCode>;
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
}

/** That somebody asks another person to take over what is theirs. */
export interface TransferRequestTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  resource_type: Fixed<'dataset'>;
  resource_id: Fixed<string>;
  recipient_id: Fixed<string>;
  /** Who asks. */
  account_id: Fixed<string>;
  status: TransferStatus;
  created_at: Fixed<Date>;
  ended_at: Date | null;
}
