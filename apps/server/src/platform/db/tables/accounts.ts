import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** Mail to be sent. It contains no link, which is created when the mail is sent. */
export interface MailOutboxTable {
  id: Fixed<string>;
  kind: Fixed<string>;
  /** The data for its template, as JSON. */
  about: Fixed<string>;
  attempts: number;
  /** Time of the next attempt. Every attempt first moves it ahead, as a lease. */
  due_at: Date;
  created_at: Fixed<Date>;
}

export type LinkPurpose = 'verify-email' | 'reset-password' | 'leave-email' | 'take-email';

/** Links that were sent. An account has at most one per purpose, the newest. */
export interface AccountLinkTable {
  /** A part of the token. */
  id: string;
  account_id: Fixed<string>;
  purpose: Fixed<LinkPurpose>;
  /** SHA-256 of the token's secret part, in base64url. */
  secret_hash: string;
  /** The address that it was sent to; '' for a link that the operator got. */
  email: string;
  created_at: Date;
  expires_at: Date;
}

/** A change of the email address that must still be confirmed at both addresses. */
export interface EmailChangeTable {
  account_id: Fixed<string>;
  new_email: Fixed<string>;
  old_confirmed: boolean;
  new_confirmed: boolean;
  expires_at: Fixed<Date>;
}

/** A profile picture, as it is served. */
export interface AccountPictureTable {
  account_id: Fixed<string>;
  /** WebP in base64. */
  picture: string;
}
