import type { DatasetAction } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** A program that acts for people who let it. */
export interface ApplicationTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  name: string;
  url: string;
  redirect_url: string;
  client_id: Fixed<string>;
  /** SHA-256 in hex. */
  secret_hash: string;
  visible: boolean;
  description: string;
  type: 'mls' | 'sls';
  created_by: Fixed<string>;
  created_at: Fixed<Date>;
}

/** Who may use an application. */
export interface ApplicationUserTable {
  application_id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
}

/**
 * The datasets that an application can reach. A row outlives its dataset: an application that was bound to a dataset
 * must not become one that is bound to none.
 */
export interface ApplicationDatasetTable {
  application_id: Fixed<string>;
  dataset_id: Fixed<string>;
  action: Fixed<DatasetAction>;
}

/** What a person has given to an application once: everything that comes of it ends with it. */
export interface ApplicationGrantTable {
  id: Fixed<string>;
  application_id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  /** Who the person was at an identity provider, where they came by one: the row ends with the link. */
  identity_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Fixed<Date>;
  revoked_at: Date | null;
}

export interface ApplicationCodeTable {
  /** SHA-256 in hex. */
  code_hash: Fixed<string>;
  grant_id: Fixed<string>;
  redirect_url: Fixed<string>;
  /** Of PKCE, made by S256. */
  challenge: Fixed<string>;
  expires_at: Fixed<Date>;
  used_at: Date | null;
}

export interface ApplicationRefreshTokenTable {
  /** SHA-256 in hex. */
  token_hash: Fixed<string>;
  grant_id: Fixed<string>;
  expires_at: Fixed<Date>;
  used_at: Date | null;
}

export interface ApplicationTables {
  applications: ApplicationTable;
  application_users: ApplicationUserTable;
  application_datasets: ApplicationDatasetTable;
  application_grants: ApplicationGrantTable;
  application_codes: ApplicationCodeTable;
  application_refresh_tokens: ApplicationRefreshTokenTable;
}
