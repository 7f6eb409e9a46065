import type { Db } from '../../platform/db/database.ts';
import { createRemembered } from '../../platform/db/remembered.ts';

export interface NewToken {
  id: string;
  token: string;
}

export interface HeldAttributesRepository {
  /** The tokens that the person holds in the workspace at this moment. */
  heldTokens(workspaceUid: string, accountId: string): Promise<string[]>;
  /** Those of `tokens` that have an attribute in the workspace. */
  knownTokens(workspaceUid: string, tokens: readonly string[]): Promise<Set<string>>;
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

const rememberedPeople = 10_000;
/** The few tokens that small writes name again and again; larger sets are looked up. */
const fewTokens = 20;

export const createHeldAttributesRepository = (
  db: Db,
  remembered = createRemembered(db, rememberedPeople),
): HeldAttributesRepository => ({
  heldTokens: (workspaceUid, accountId) =>
    remembered(JSON.stringify(['held', workspaceUid, accountId]), () =>
      findHeldTokens(db, workspaceUid, accountId),
    ),
  knownTokens: (workspaceUid, tokens) => {
    const find = (): Promise<Set<string>> => findKnownTokens(db, workspaceUid, tokens);
    if (tokens.length > fewTokens) return find();
    return remembered(JSON.stringify(['known', workspaceUid, ...tokens]), find);
  },
  mayCreateOnWrite: async (workspaceUid) => {
    const workspace = await db
      .selectFrom('workspaces')
      .where('unique_id', '=', workspaceUid)
      .select('create_attributes_on_write')
      .executeTakeFirst();
    return workspace?.create_attributes_on_write ?? false;
  },
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
