import { sql } from 'kysely';
import { cacheVersionOf, type Db } from './database.ts';
import { catalogOnlySuffix, keepsCachePrefix } from './pglite-client.ts';

/**
 * What a single statement begins with that changes a table of which nothing is ever remembered, such as what
 * workspaces use: it leaves what is remembered of others as it is. Never for rights, people or labels.
 */
export const keepsCacheMark = sql.raw(keepsCachePrefix);

/**
 * What a statement ends with that changes labels and paths of datasets and nothing beside: in the embedded database it
 * leaves what is remembered of people and rights as it is, since each record of a writer may bring a label.
 */
export const catalogOnlyMark = sql.raw(catalogOnlySuffix);

/** Gives what `read` gave for `key` before, as long as nothing in the database has changed since. */
export type ReadCached = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Remembers what was read of people, rights and datasets until any of that changes: each change makes all that was
 * read before count for nothing, so a revoked right is gone with the next request, as if it were read afresh. What the
 * embedded database was changed in, this process knows, as nobody else can change it; a PostgreSQL server is asked.
 * `read` may read the tables that the migration `0015-changes` names, and those that a later one adds to them.
 * @param size entries to keep
 * @param withCatalog whether it reads what `catalogOnlyMark` statements change: `label_count` and the like
 */
export const createAccessCache = (
  db: Db,
  size: number,
  { withCatalog = false }: { withCatalog?: boolean } = {},
): ReadCached => {
  const version = cacheVersionOf(db);
  if (version === undefined) return (_key, read) => read();
  let readAt: number | string | undefined;
  const entries = new Map<string, Promise<unknown>>();
  return async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // What is read from here on is of that version or newer.
    const now = await version(withCatalog);
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
