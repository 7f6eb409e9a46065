import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

export interface ApiKeyTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  /** The owner, who created it. */
  account_id: Fixed<string>;
  /** The first characters of the key, which find its row. Several keys may share them. */
  key_id: Fixed<string>;
  /** SHA-256 of the whole key, in hexadecimal. */
  key_hash: Fixed<string>;
  name: string;
  description: string;
  revoked: boolean;
  expires_at: Date | null;
  created_at: Fixed<Date>;
  updated_at: Date;
  deleted_at: Date | null;
}

/** The groups of a key. They apply as long as its owner is in them. */
export interface ApiKeyGroupTable {
  api_key_id: Fixed<string>;
  group_id: Fixed<string>;
}

/** The attributes of a key. They apply as long as its owner holds them. */
export interface ApiKeyAttributeTable {
  api_key_id: Fixed<string>;
  attribute_id: Fixed<string>;
}
