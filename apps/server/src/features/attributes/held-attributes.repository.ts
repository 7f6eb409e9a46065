import type { Db } from '../../platform/db/database.ts';

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

export const createHeldAttributesRepository = (db: Db): HeldAttributesRepository => ({
  heldTokens: async (workspaceUid, accountId) => {
    const rows = await db
      .selectFrom('attribute_assignments')
      .innerJoin('attributes', 'attributes.id', 'attribute_assignments.attribute_id')
      .where('attribute_assignments.workspace_uid', '=', workspaceUid)
      .where('attribute_assignments.account_id', '=', accountId)
      .select('attributes.token')
      .orderBy('attributes.token')
      .execute();
    return rows.map(({ token }) => token);
  },
  knownTokens: async (workspaceUid, tokens) => {
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
