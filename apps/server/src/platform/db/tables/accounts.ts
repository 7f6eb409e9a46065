import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** Mail that is still to be sent. It holds no link: that is made when it is sent. */
export interface MailOutboxTable {
  id: Fixed<string>;
  kind: Fixed<string>;
  /** What it is about, as a JSON text. */
  about: Fixed<string>;
  attempts: number;
  /** When it is to be tried next; whoever tries it moves this ahead first. */
  due_at: Date;
  created_at: Fixed<Date>;
}

export type LinkPurpose = 'verify-email' | 'reset-password' | 'leave-email' | 'take-email';

/** Links that were sent. An account has one of each purpose at most, the newest. */
export interface AccountLinkTable {
  /** Stands in the token. */
  id: string;
  account_id: Fixed<string>;
  purpose: Fixed<LinkPurpose>;
  /** SHA-256 of the token's secret part, in base64url. */
  secret_hash: string;
  /** The address that it was sent to; '' where an operator got it. */
  email: string;
  created_at: Date;
  expires_at: Date;
}

/** A change of address that is still to be confirmed, once at each address. */
export interface EmailChangeTable {
  account_id: Fixed<string>;
  new_email: Fixed<string>;
  old_confirmed: boolean;
  new_confirmed: boolean;
  expires_at: Fixed<Date>;
}

/** A picture of a person, as it is served. */
export interface AccountPictureTable {
  account_id: Fixed<string>;
  /** WebP in base64. */
  picture: string;
}
