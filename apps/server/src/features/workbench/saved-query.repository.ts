import type { ListQuery, SavedQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';

/** The saved queries of one person in one workspace. */
export interface SavedQueryRepository {
  list(actor: Member, list: ListQuery): Promise<Page<SavedQuery>>;
  find(actor: Member, id: string): Promise<SavedQuery | undefined>;
  count(actor: Member): Promise<number>;
  create(actor: Member, query: { id: string; name: string; text: string; now: Date }): Promise<void>;
  /** @returns false, without a change, if the stored query has another version */
  update(
    actor: Member,
    id: string,
    change: { version: number; name?: string | undefined; text?: string | undefined; now: Date },
  ): Promise<boolean>;
  remove(actor: Member, id: string): Promise<void>;
}

const columns = {
  id: sql.ref<string>('saved_queries.id'),
  name: sql.ref<string>('saved_queries.name'),
  version: sql.ref<number>('saved_queries.version'),
  createdAt: sql.ref<Date>('saved_queries.created_at'),
  updatedAt: sql.ref<Date>('saved_queries.updated_at'),
};

type Row = Omit<SavedQuery, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date };

const toSavedQuery = (row: Row): SavedQuery => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const createSavedQueryRepository = (db: Db): SavedQueryRepository => {
  const own = ({ accountId, workspace }: Member) =>
    db
      .selectFrom('saved_queries')
      .where('saved_queries.account_id', '=', accountId)
      .where('saved_queries.workspace_uid', '=', workspace.uniqueId);
  const shown = (actor: Member) =>
    own(actor).select([
      columns.id.as('id'),
      columns.name.as('name'),
      'saved_queries.text',
      columns.version.as('version'),
      columns.createdAt.as('createdAt'),
      columns.updatedAt.as('updatedAt'),
    ]);
  return {
    list: async (actor, list) => {
      const page = await readPage(shown(actor), list, columns, columns.id);
      return { ...page, data: page.data.map(toSavedQuery) };
    },
    find: async (actor, id) => {
      const row = await shown(actor).where('saved_queries.id', '=', id).executeTakeFirst();
      return row && toSavedQuery(row);
    },
    count: async (actor) => {
      const { total } = await own(actor)
        .select((row) => row.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    create: async ({ accountId, workspace }, { id, name, text, now }) => {
      await db
        .insertInto('saved_queries')
        .values({
          id,
          workspace_uid: workspace.uniqueId,
          account_id: accountId,
          name,
          text,
          version: 1,
          created_at: now,
          updated_at: now,
        })
        .execute();
    },
    update: async ({ accountId, workspace }, id, { version, name, text, now }) => {
      const { numUpdatedRows } = await db
        .updateTable('saved_queries')
        .set({
          version: version + 1,
          updated_at: now,
          ...(name !== undefined && { name }),
          ...(text !== undefined && { text }),
        })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('workspace_uid', '=', workspace.uniqueId)
        .where('version', '=', version)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove: async ({ accountId, workspace }, id) => {
      await db
        .deleteFrom('saved_queries')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('workspace_uid', '=', workspace.uniqueId)
        .execute();
    },
  };
};
