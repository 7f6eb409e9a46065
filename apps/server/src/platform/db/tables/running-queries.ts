import type { ColumnType } from 'kysely';

type Fixed<T> = ColumnType<T, T, never>;

/** A query that its asker has named, while it runs. */
export interface RunningQueryTable {
  id: Fixed<string>;
  /** The process that runs it, by an id of its own. */
  process: Fixed<string>;
  /** SHA-256 over its name and whose it is. */
  name_hash: Fixed<string>;
  is_cancelled: ColumnType<boolean, boolean | undefined, boolean>;
  /** When its process last said that it runs, by the clock of the database. */
  seen_at: ColumnType<Date, undefined, Date>;
}
