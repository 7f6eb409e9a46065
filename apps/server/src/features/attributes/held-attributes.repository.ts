import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/db/database.ts';
import { createAccessCache } from '../../platform/db/access-cache.ts';

export interface NewToken {
  id: string;
  token: string;
}

export interface HeldAttributesRepository {
  /** The tokens that the person holds in the workspace at this moment. */
  heldTokens(workspaceUid: string, accountId: string): Promise<string[]>;
  /**
   * Those of `tokens` that have an attribute in the workspace. Each is remembered for the one who asked: how long it takes
   * tells nobody which tokens others have written.
   */
  knownTokens(
    writer: { workspaceUid: string; accountId: string },
    tokens: readonly string[],
  ): Promise<Set<string>>;
  mayCreateOnWrite(workspaceUid: string): Promise<boolean>;
  /** Makes attributes that nobody holds; one that somebody else made meanwhile is left as it is. */
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

/** Looks one token up, together with all others of the workspace that are asked for in the same turn of the loop. */
const createTokenLook = (db: Db): ((workspaceUid: string, token: string) => Promise<boolean>) => {
  const gathered = new Map<string, { tokens: Set<string>; known: Promise<Set<string>> }>();
  const gather = (workspaceUid: string) => {
    const tokens = new Set<string>();
    const known = setImmediate().then(() => {
      gathered.delete(workspaceUid);
      return findKnownTokens(db, workspaceUid, [...tokens]);
    });
    const look = { tokens, known };
    gathered.set(workspaceUid, look);
    return look;
  };
  return async (workspaceUid, token) => {
    const { tokens, known } = gathered.get(workspaceUid) ?? gather(workspaceUid);
    tokens.add(token);
    return (await known).has(token);
  };
};

const rememberedPeople = 10_000;
const rememberedTokens = 10_000;
/** Tokens of small writes are named again and again; larger sets are looked up. */
const fewTokens = 20;

export const createHeldAttributesRepository = (
  db: Db,
  remembered = createAccessCache(db, rememberedPeople),
  rememberedOf = createAccessCache(db, rememberedTokens),
  isKnown = createTokenLook(db),
): HeldAttributesRepository => ({
  heldTokens: (workspaceUid, accountId) =>
    remembered(JSON.stringify(['held', workspaceUid, accountId]), () =>
      findHeldTokens(db, workspaceUid, accountId),
    ),
  knownTokens: async ({ workspaceUid, accountId }, tokens) => {
    if (tokens.length > fewTokens) return findKnownTokens(db, workspaceUid, tokens);
    const known = await Promise.all(
      tokens.map((token) =>
        rememberedOf(JSON.stringify([workspaceUid, accountId, token]), () => isKnown(workspaceUid, token)),
      ),
    );
    return new Set(tokens.filter((_, index) => known[index]));
  },
  mayCreateOnWrite: (workspaceUid) =>
    remembered(JSON.stringify(['creates', workspaceUid]), async () => {
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
