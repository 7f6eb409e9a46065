import { sql } from 'kysely';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { createAccessCache } from '../db/access-cache.ts';
import type { Member } from './actor.ts';

/** Characters at the start of a key by which it is found. They are no secret. */
export const keyIdLength = 6;

/** What of a key is kept to know it again: it is random and long, so that one pass over it is enough. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Who comes with an API key, with what the key is narrowed to. */
export interface ActiveApiKey {
  keyId: string;
  member: Member;
  /** When the key ends; null where it does not by itself. */
  expiresAt: Date | null;
}

export interface KeyRepository {
  /** The key of this text, unless it is revoked, deleted or expired, or its membership is disabled or has ended. */
  findByKey(key: string, now: Date): Promise<ActiveApiKey | undefined>;
  /** The same by its id. */
  find(id: string, now: Date): Promise<ActiveApiKey | undefined>;
}

type StoredKey = ActiveApiKey & { hash: string };

const noHash = hashOfKey('');

const sameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

const isLive = ({ expiresAt }: ActiveApiKey, now: Date): boolean => expiresAt === null || expiresAt > now;

/** Keys that are neither revoked nor deleted, of members who are not disabled. */
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
      // What the person is in the workspace is nothing to the key.
      workspace: { uniqueId, slug, role: 'member', codes: new Set() },
      credential: { kind: 'key', keyId: id },
      narrowing: {
        groupIds: JSON.parse(groupIds) as string[],
        tokens: JSON.parse(tokens) as string[],
        datasets: undefined,
      },
    },
  }));
};

const rememberedKeys = 10_000;

export const createKeyRepository = (
  db: Db,
  remembered = createAccessCache(db, rememberedKeys),
): KeyRepository => ({
  findByKey: async (key, now) => {
    const hash = hashOfKey(key);
    const keyId = key.slice(0, keyIdLength);
    const rows = await remembered(JSON.stringify(['key', keyId]), () =>
      findUnrevoked(db, 'api_keys.key_id', keyId),
    );
    if (rows.length === 0) sameHash(hash, noHash);
    const matching = rows.filter((row) => sameHash(hash, row.hash));
    return matching.find((row) => isLive(row, now));
  },
  find: async (id, now) => {
    const [row] = await remembered(JSON.stringify(['id', id]), () => findUnrevoked(db, 'api_keys.id', id));
    return row !== undefined && isLive(row, now) ? row : undefined;
  },
});
