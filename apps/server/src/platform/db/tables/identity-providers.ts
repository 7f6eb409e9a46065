import type { ProviderType } from '@redoubt/contract';
import type { ColumnType } from 'kysely';

/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>;

/** An identity provider of a workspace. */
export interface IdentityProviderTable {
  id: Fixed<string>;
  workspace_uid: Fixed<string>;
  provider_type: Fixed<ProviderType>;
  /** JSON as text, without the secret. */
  config: string;
  /** The secret of the client, sealed. */
  secret: string;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** That somebody at an identity provider is the person of an account. */
export interface AccountIdentityTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** The strategy by which it was linked. */
  strategy: Fixed<string>;
  /** The provider of a workspace; null for one of the whole server. */
  provider_id: Fixed<string | null>;
  issuer: Fixed<string>;
  subject: Fixed<string>;
  created_at: Fixed<Date>;
}

/** Who came back from an identity provider in a browser, until the browser fetches its session. */
export interface SignInCodeTable {
  /** The hash of the code that the browser got. */
  code_hash: Fixed<string>;
  /** JSON as text: who the provider says it is, and where the session is to be. */
  proof: Fixed<string>;
  expires_at: Fixed<Date>;
}

/** Sign-ins that failed and are not forgotten yet. All times are milliseconds since 1970. */
export interface SignInFailureTable {
  kind: Fixed<'account' | 'pair' | 'source'>;
  /** What they are counted for, hashed with a key. */
  key: Fixed<string>;
  failures: number;
  /** When the last one was. */
  last_ms: number;
  /** From when on one after another is forgotten. */
  since_ms: number;
  /** When all are. */
  over_ms: number;
}
