import { sql } from 'kysely';
import { cacheVersionOf, type Db } from './database.ts';
import { catalogOnlySuffix, keepsCachePrefix } from './pglite-client.ts';

/**
 * Marks a single statement (at its beginning) that changes only a table of which nothing is cached, such as usage
 * figures: it does not invalidate the cache. Never use it for rights, people or labels.
 */
export const keepsCacheMark = sql.raw(keepsCachePrefix);

/**
 * Marks a statement (at its end) that changes only labels and paths of datasets. In the embedded database it does not
 * invalidate cached people and rights, since every write may add a label.
 */
export const catalogOnlyMark = sql.raw(catalogOnlySuffix);

/** Returns the cached result of `read` for `key` as long as nothing in the database has changed; else calls `read`. */
export type ReadCached = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Caches what was read about people, rights and datasets until any of it changes. Every change invalidates everything,
 * so a revoked right is gone with the next request, as without a cache. For the embedded database this process counts
 * the changes itself, since nothing else can change it; a PostgreSQL server is queried.
 * @param size maximum number of entries
 * @param withCatalog whether cached values depend on what `catalogOnlyMark` statements change, such as `label_count`
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
    // Everything that is read from here on has this version or a newer one.
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
