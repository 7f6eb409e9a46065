import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

export interface ApiKeyTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  /** Whose it is, and who made it. */
  account_id: Fixed<string>;
  /** The first characters of the key, by which it is found. Several keys may have the same. */
  key_id: Fixed<string>;
  /** SHA-256 of the whole key, in hexadecimal digits. */
  key_hash: Fixed<string>;
  name: string;
  description: string;
  revoked: boolean;
  expires_at: Date | null;
  created_at: Fixed<Date>;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The groups that a key is made for. They count as long as its person is in them. */
export interface ApiKeyGroupTable {
  api_key_id: Fixed<string>;
  group_id: Fixed<string>;
}

/** The attributes that a key is made for. They count as long as its person holds them. */
export interface ApiKeyAttributeTable {
  api_key_id: Fixed<string>;
  attribute_id: Fixed<string>;
}
