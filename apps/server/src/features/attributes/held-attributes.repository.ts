import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/db/database.ts';
import { createAccessCache } from '../../platform/db/access-cache.ts';

export interface NewToken {
  id: string;
  token: string;
}

export interface HeldAttributesRepository {
  /** Returns the tokens that the person holds in the workspace now. */
  heldTokens(workspaceUid: string, accountId: string): Promise<string[]>;
  /**
   * Returns those of `tokens` that have an attribute in the workspace. Results are cached for each writer separately, so
   * that response times do not disclose which tokens other people have written.
   */
  knownTokens(
    writer: { workspaceUid: string; accountId: string },
    tokens: readonly string[],
  ): Promise<Set<string>>;
  mayCreateOnWrite(workspaceUid: string): Promise<boolean>;
  /** Creates attributes that nobody holds. One that another request created meanwhile stays as it is. */
  createMissing(workspaceUid: string, tokens: readonly NewToken[], createdAt: Date): Promise<void>;
}

/** Keeps a statement well below PostgreSQL's 65,535 parameters. */
const tokensPerStatement = 1000;

const inChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / tokensPerStatement) }, (_, index) =>
    items.slice(index * tokensPerStatement, (index + 1) * tokensPerStatement),
  );

const findHeldTokens = async (db: Db, workspaceUid: string, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('attribute_assignments')
    .innerJoin('attributes', 'attributes.id', 'attribute_assignments.attribute_id')
    .where('attribute_assignments.workspace_uid', '=', workspaceUid)
    .where('attribute_assignments.account_id', '=', accountId)
    .select('attributes.token')
    .orderBy('attributes.token')
    .execute();
  return rows.map(({ token }) => token);
};

const findKnownTokens = async (
  db: Db,
  workspaceUid: string,
  tokens: readonly string[],
): Promise<Set<string>> => {
  const known = new Set<string>();
  for (const chunk of inChunks(tokens)) {
    const rows = await db
      .selectFrom('attributes')
      .where('workspace_uid', '=', workspaceUid)
      .where('token', 'in', chunk)
      .select('token')
      .execute();
    for (const { token } of rows) known.add(token);
  }
  return known;
};

/** Looks up one token. Lookups for the same workspace in the same turn of the event loop share one query. */
const createTokenLookup = (db: Db): ((workspaceUid: string, token: string) => Promise<boolean>) => {
  const batches = new Map<string, { tokens: Set<string>; known: Promise<Set<string>> }>();
  const startBatch = (workspaceUid: string) => {
    const tokens = new Set<string>();
    const known = setImmediate().then(() => {
      batches.delete(workspaceUid);
      return findKnownTokens(db, workspaceUid, [...tokens]);
    });
    const batch = { tokens, known };
    batches.set(workspaceUid, batch);
    return batch;
  };
  return async (workspaceUid, token) => {
    const { tokens, known } = batches.get(workspaceUid) ?? startBatch(workspaceUid);
    tokens.add(token);
    return (await known).has(token);
  };
};

const maxCachedPeople = 10_000;
const maxCachedTokens = 10_000;
/** Small writes repeat the same few tokens, so those are cached; larger sets are always queried. */
const maxCachedLookup = 20;

export const createHeldAttributesRepository = (
  db: Db,
  cached = createAccessCache(db, maxCachedPeople),
  cachedToken = createAccessCache(db, maxCachedTokens),
  isKnown = createTokenLookup(db),
): HeldAttributesRepository => ({
  heldTokens: (workspaceUid, accountId) =>
    cached(JSON.stringify(['held', workspaceUid, accountId]), () =>
      findHeldTokens(db, workspaceUid, accountId),
    ),
  knownTokens: async ({ workspaceUid, accountId }, tokens) => {
    if (tokens.length > maxCachedLookup) return findKnownTokens(db, workspaceUid, tokens);
    const known = await Promise.all(
      tokens.map((token) =>
        cachedToken(JSON.stringify([workspaceUid, accountId, token]), () => isKnown(workspaceUid, token)),
      ),
    );
    return new Set(tokens.filter((_, index) => known[index]));
  },
  mayCreateOnWrite: (workspaceUid) =>
    cached(JSON.stringify(['creates', workspaceUid]), async () => {
      const workspace = await db
        .selectFrom('workspaces')
        .where('unique_id', '=', workspaceUid)
        .select('create_attributes_on_write')
        .executeTakeFirst();
      return workspace?.create_attributes_on_write ?? false;
    }),
  createMissing: async (workspaceUid, tokens, createdAt) => {
    for (const chunk of inChunks(tokens)) {
      await db
        .insertInto('attributes')
        .values(
          chunk.map(({ id, token }) => ({
            id,
            workspace_uid: workspaceUid,
            name: token,
            token,
            description: '',
            created_at: createdAt,
          })),
        )
        .onConflict((conflict) => conflict.columns(['workspace_uid', 'token']).doNothing())
        .execute();
    }
  },
});
