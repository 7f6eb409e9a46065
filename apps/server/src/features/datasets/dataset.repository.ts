import type { DatasetPatch, ListQuery } from '@redoubt/contract';
import { sql, type Insertable } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { createAuditConfigRepository } from '../../platform/audit/index.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import type { DatasetTable } from '../../platform/db/schema.ts';
import { selectAccessBits, type DatasetAccessRow } from './dataset-access.repository.ts';

/** The number of records visible to the actor, keyed by dataset id. */
export type RecordCounts = ReadonlyMap<string, number>;

export interface DatasetRepository {
  /** @param counts the values for filtering and sorting by `recordCount`; a missing dataset counts 0 */
  list(actor: Member, list: ListQuery, counts: RecordCounts): Promise<Page<DatasetAccessRow>>;
  /** Returns all datasets on which the actor has a permission. */
  listAll(actor: Member): Promise<DatasetAccessRow[]>;
  /**
   * Stores a dataset whose record table has a pending drop, and cancels that drop.
   * @returns false, without storing anything, if another process has already released the drop: the table may be gone
   */
  create(dataset: Insertable<DatasetTable>): Promise<boolean>;
  update(
    workspaceUid: string,
    id: string,
    patch: Pick<DatasetPatch, 'name' | 'description' | 'autoCreateIndexes' | 'searchAnyField'>,
    updatedAt: Date,
  ): Promise<void>;
  /** Deletes the dataset and schedules the drop of its record table, in one transaction. */
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (actor: Member, counts: RecordCounts) => ({
  id: sql.ref('datasets.id'),
  name: sql.ref('datasets.name'),
  description: sql.ref('datasets.description'),
  autoCreateIndexes: sql.ref('datasets.auto_create_indexes'),
  searchAnyField: sql.ref('datasets.search_any_field'),
  userId: sql.ref('datasets.created_by'),
  workspaceId: sql`${actor.workspace.slug}::text`,
  recordCount: sql`coalesce((${JSON.stringify(Object.fromEntries(counts))}::text::jsonb ->> datasets.id)::bigint, 0)`,
});

const accessibleTo = (db: Db, actor: Member) =>
  db
    .selectFrom('datasets')
    .where('datasets.workspace_uid', '=', actor.workspace.uniqueId)
    .where(selectAccessBits(db, actor), '>', 0)
    .selectAll('datasets')
    .select(selectAccessBits(db, actor).as('bits'));

const splitBits = <T extends { bits: number }>({ bits, ...dataset }: T) => ({ dataset, bits });

export const createDatasetRepository = (db: Db): DatasetRepository => ({
  list: async (actor, list, counts) => {
    const page = await readPage(
      accessibleTo(db, actor),
      list,
      columnsOf(actor, counts),
      sql.ref('datasets.id'),
    );
    return { ...page, data: page.data.map(splitBits) };
  },
  listAll: async (actor) => (await accessibleTo(db, actor).execute()).map(splitBits),
  create: (dataset) =>
    inTransaction(db, async (trx) => {
      const cancelledDrop = await trx
        .deleteFrom('pending_drops')
        .where('dataset_id', '=', dataset.id)
        .where('creating', '=', true)
        .executeTakeFirst();
      if (cancelledDrop.numDeletedRows !== 1n) return false;
      await trx.insertInto('datasets').values(dataset).execute();
      await createAuditConfigRepository(trx).create(dataset.workspace_uid, dataset.id);
      return true;
    }),
  update: async (workspaceUid, id, patch, updatedAt) => {
    await db
      .updateTable('datasets')
      .set((row) => ({
        name: patch.name ?? row.ref('name'),
        description: patch.description ?? row.ref('description'),
        auto_create_indexes: patch.autoCreateIndexes ?? row.ref('auto_create_indexes'),
        search_any_field: patch.searchAnyField ?? row.ref('search_any_field'),
        updated_at: updatedAt,
      }))
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: (workspaceUid, id) =>
    inTransaction(db, async (trx) => {
      await trx
        .deleteFrom('datasets')
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .execute();
      await trx
        .insertInto('pending_drops')
        .values({ dataset_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }),
});
