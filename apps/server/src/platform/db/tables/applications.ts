import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** A program that acts for people who granted it access. */
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
 * The datasets that an application is restricted to. A row outlives its dataset: otherwise, deleting the last dataset
 * would lift the restriction.
 */
export interface ApplicationDatasetTable {
  application_id: Fixed<string>;
  dataset_id: Fixed<string>;
  action: Fixed<'read' | 'write' | 'manage'>;
}

/** A person's grant to an application. Its codes, tokens and sessions end with it. */
export interface ApplicationGrantTable {
  id: Fixed<string>;
  application_id: Fixed<string>;
  workspace_uid: Fixed<string>;
  account_id: Fixed<string>;
  /** The identity provider link that the person signed in through, with which the grant ends; null for others. */
  identity_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Fixed<Date>;
  revoked_at: Date | null;
}

export interface ApplicationCodeTable {
  /** SHA-256 in hex. */
  code_hash: Fixed<string>;
  grant_id: Fixed<string>;
  redirect_url: Fixed<string>;
  /** The PKCE challenge (S256). */
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
