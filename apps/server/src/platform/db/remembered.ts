import { sql } from 'kysely';
import { changesOf, type Db } from './database.ts';
import { unrememberedMark } from './pglite-client.ts';

/**
 * What a single statement begins with that changes a table of which nothing is ever remembered, such as what
 * workspaces use: it leaves what is remembered of others as it is. Never for rights, people or labels.
 */
export const unremembered = sql.raw(unrememberedMark);

/** Gives what `read` gave for `key` before, as long as nothing in the database has changed since. */
export type Remember = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Remembers what was read from the embedded database, which nobody but this process can change: each change, of
 * whatever table, makes all that was read before count for nothing. So a revoked right is gone with the next request,
 * as if it were read afresh. On a PostgreSQL server, which others may change too, nothing is remembered.
 * @param size entries to keep
 */
export const createRemembered = (db: Db, size: number): Remember => {
  const changes = changesOf(db);
  if (changes === undefined) return (_key, read) => read();
  let readAt = changes();
  const entries = new Map<string, Promise<unknown>>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const now = changes();
    if (now !== readAt || entries.size >= size) {
      entries.clear();
      readAt = now;
    }
    const known = entries.get(key);
    if (known !== undefined) return known as Promise<T>;
    const reading = read();
    entries.set(key, reading);
    reading.catch(() => {
      if (entries.get(key) === reading) entries.delete(key);
    });
    return reading;
  };
};
