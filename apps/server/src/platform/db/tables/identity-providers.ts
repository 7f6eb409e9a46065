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
  /** The client secret, encrypted. */
  secret: string;
  created_at: Fixed<Date>;
  updated_at: Date;
}

/** A link between a subject of an identity provider and an account. */
export interface AccountIdentityTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  /** The sign-in strategy that created the link. */
  strategy: Fixed<string>;
  /** The provider of a workspace; null for a provider of the whole server. */
  provider_id: Fixed<string | null>;
  issuer: Fixed<string>;
  subject: Fixed<string>;
  created_at: Fixed<Date>;
}

/** A sign-in through an identity provider that has ended in a browser, until the browser fetches its session. */
export interface SignInCodeTable {
  /** The hash of the code that was given to the browser. */
  code_hash: Fixed<string>;
  /** JSON as text: the identity that the provider confirmed, and the workspace of the session. */
  proof: Fixed<string>;
  expires_at: Fixed<Date>;
}

/** Failed sign-ins that are not forgotten yet. All times are milliseconds since 1970. */
export interface SignInFailureTable {
  kind: Fixed<'account' | 'pair' | 'source'>;
  /** A keyed hash of the account name, the client address, or both, for which the failures are counted. */
  key: Fixed<string>;
  failures: number;
  /** Time of the last failure. */
  last_ms: number;
  /** The time from which failures are forgotten, one after another. */
  since_ms: number;
  /** The time at which all are forgotten. */
  over_ms: number;
}
