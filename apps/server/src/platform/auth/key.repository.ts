import { sql } from 'kysely';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';
import type { Member } from './actor.ts';

/** Number of characters at the start of a key that find its row. They are not secret. */
export const keyIdLength = 6;

/** The stored form of a key. One pass of SHA-256 is enough, because keys are long and random. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A valid API key with the requester it stands for and its scope. */
export interface ActiveApiKey {
  keyId: string;
  member: Member;
  /** When the key expires; null if it does not. */
  expiresAt: Date | null;
}

export interface KeyRepository {
  /** Finds a key by its text, unless it is revoked, deleted or expired, or its membership is disabled or has ended. */
  findByKey(key: string, now: Date): Promise<ActiveApiKey | undefined>;
  /** Finds a key by its id, under the same conditions. */
  find(id: string, now: Date): Promise<ActiveApiKey | undefined>;
}

type StoredKey = ActiveApiKey & { hash: string };

const noHash = hashOfKey('');

const sameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

const isLive = ({ expiresAt }: ActiveApiKey, now: Date): boolean => expiresAt === null || expiresAt > now;

/** Keys that are neither revoked nor deleted, and whose members are not disabled; they may have expired. */
const findUnrevoked = async (
  db: Db,
  column: 'api_keys.id' | 'api_keys.key_id',
  value: string,
): Promise<StoredKey[]> => {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .innerJoin('workspaces', 'workspaces.unique_id', 'api_keys.workspace_uid')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_uid', '=', 'api_keys.workspace_uid')
        .onRef('memberships.account_id', '=', 'api_keys.account_id')
        .on('memberships.disabled', '=', false),
    )
    .where(column, '=', value)
    .where('api_keys.revoked', '=', false)
    .where('api_keys.deleted_at', 'is', null)
    .select([
      'api_keys.id',
      'api_keys.key_hash as hash',
      'api_keys.expires_at as expiresAt',
      'accounts.id as accountId',
      'accounts.email',
      'workspaces.unique_id as uniqueId',
      'workspaces.slug',
      sql<string>`(select coalesce(json_agg(group_id), '[]') from api_key_groups where api_key_id = api_keys.id)::text`.as(
        'groupIds',
      ),
      sql<string>`(select coalesce(json_agg(attributes.token), '[]') from api_key_attributes
        join attributes on attributes.id = attribute_id where api_key_id = api_keys.id)::text`.as('tokens'),
    ])
    .execute();
  return rows.map(({ id, hash, expiresAt, accountId, email, uniqueId, slug, groupIds, tokens }) => ({
    hash,
    expiresAt,
    keyId: id,
    member: {
      accountId,
      email,
      sessionId: '',
      // A key never has the person's role or permissions.
      workspace: { uniqueId, slug, role: 'member', codes: new Set() },
      credential: { kind: 'key', keyId: id },
      scope: {
        groupIds: JSON.parse(groupIds) as string[],
        tokens: JSON.parse(tokens) as string[],
        datasets: undefined,
      },
    },
  }));
};

const maxCachedKeys = 10_000;

export const createKeyRepository = (
  db: Db,
  cached = createAccessCache(db, maxCachedKeys),
): KeyRepository => ({
  findByKey: async (key, now) => {
    const hash = hashOfKey(key);
    const keyId = key.slice(0, keyIdLength);
    const rows = await cached(JSON.stringify(['key', keyId]), () =>
      findUnrevoked(db, 'api_keys.key_id', keyId),
    );
    if (rows.length === 0) sameHash(hash, noHash);
    const matching = rows.filter((row) => sameHash(hash, row.hash));
    return matching.find((row) => isLive(row, now));
  },
  find: async (id, now) => {
    const [row] = await cached(JSON.stringify(['id', id]), () => findUnrevoked(db, 'api_keys.id', id));
    return row !== undefined && isLive(row, now) ? row : undefined;
  },
});
