import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** A running query that its requester has named. */
export interface RunningQueryTable {
  id: Fixed<string>;
  /** The id of the process that runs it. */
  process: Fixed<string>;
  /** SHA-256 over its name and its owner. */
  name_hash: Fixed<string>;
  is_cancelled: ColumnType<boolean, boolean | undefined, boolean>;
  /** When its process last reported that it runs, by the clock of the database. */
  seen_at: ColumnType<Date, undefined, Date>;
}
