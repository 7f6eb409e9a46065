import { sql } from 'kysely';
import { cacheVersionOf, type Db } from './database.ts';
import { catalogOnlySuffix, keepsCachePrefix } from './pglite-client.ts';

/**
 * Goes at the beginning of a statement that changes only a table of which nothing is cached, such as usage: the
 * statement does not invalidate the cache. Never use it for rights, people or labels.
 */
export const keepsCacheMark = sql.raw(keepsCachePrefix);

/**
 * Goes at the end of a statement that changes only labels and paths of datasets. In the embedded database, such a
 * statement does not invalidate cached people and rights: otherwise every write that adds a label would.
 */
export const catalogOnlyMark = sql.raw(catalogOnlySuffix);

/**
 * Returns the cached result of `read` for `key` as long as nothing in the database has changed; else calls `read`.
 * ```ts
 * const held = await cached(JSON.stringify(['held', workspaceUid, accountId]), () => queryHeldTokens(db, accountId));
 * ```
 */
export type ReadCached = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Caches what was read about people, rights and datasets. Any change invalidates the whole cache, so a revoked right
 * has no effect from the next request on, as without a cache. Only this process changes an embedded database, so it
 * counts the changes in memory; with a PostgreSQL server, each call queries their number.
 * `read` may only read tables whose changes are counted: those in the migration `0015-changes` and in later ones that
 * add to it.
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
