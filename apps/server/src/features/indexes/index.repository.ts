import type { ListQuery } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import { sql, type Selectable } from 'kysely';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import type { DatasetTable, IndexState } from '../../platform/db/schema.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

export interface IndexRow {
  id: string;
  datasetId: string;
  fields: string[];
  state: IndexState;
  /** The creator, as `creatorOf` formats it; '' for an automatic index. */
  madeBy: string;
}

/** An index that a person created. */
type MadeIndex = Omit<IndexRow, 'state'>;

/** The properties of a dataset that decide, besides its index rows, which indexes the engine has. */
export type IndexedDataset = Pick<
  Selectable<DatasetTable>,
  'auto_create_indexes' | 'column_labels' | 'label_count'
>;

export interface IndexRepository {
  /** Returns undefined if the dataset no longer exists. */
  dataset(datasetId: string): Promise<IndexedDataset | undefined>;
  all(datasetId: string): Promise<IndexRow[]>;
  find(workspaceUid: string, id: string): Promise<IndexRow | undefined>;
  /** Returns a page of the indexes with these ids. */
  list(datasetId: string, ids: readonly string[], list: ListQuery): Promise<Page<IndexRow>>;
  /** Adds automatic indexes. Fields that already have one are skipped. */
  addAutomatic(
    rows: readonly Pick<IndexRow, 'id' | 'datasetId' | 'fields'>[],
    createdAt: Date,
  ): Promise<void>;
  /**
   * Creates an index for a person, which replaces an automatic or dropped one over the same fields.
   * @returns false if the person has already created one over these fields
   */
  make(row: MadeIndex, createdAt: Date): Promise<boolean>;
  /** @returns false if the person already has one over these fields */
  change(row: MadeIndex): Promise<boolean>;
  drop(row: IndexRow): Promise<void>;
}

/** Fields are stored as JSON strings: names may contain characters that PostgreSQL's `text` cannot store. */
const textOf = (fields: readonly string[]): string => JSON.stringify(fields);

const fromRow = ({ fields, ...row }: Omit<IndexRow, 'fields'> & { fields: string }): IndexRow => ({
  ...row,
  fields: JSON.parse(fields) as string[],
});

const unlessTaken = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
};

export const createIndexRepository = (db: Db): IndexRepository => {
  const rows = () =>
    db
      .selectFrom('dataset_indexes')
      .select([
        'dataset_indexes.id as id',
        'dataset_indexes.dataset_id as datasetId',
        'dataset_indexes.fields as fields',
        'dataset_indexes.state as state',
        'dataset_indexes.made_by as madeBy',
      ]);
  const clear = async (datasetId: string, fields: readonly string[]): Promise<void> => {
    await db
      .deleteFrom('dataset_indexes')
      .where('dataset_id', '=', datasetId)
      .where('fields', '=', textOf(fields))
      .where('state', '<>', 'made')
      .execute();
  };
  return {
    dataset: (datasetId) =>
      db
        .selectFrom('datasets')
        .select(['auto_create_indexes', 'column_labels', 'label_count'])
        .where('id', '=', datasetId)
        .executeTakeFirst(),
    all: async (datasetId) =>
      (await rows().where('dataset_id', '=', datasetId).orderBy('id').execute()).map(fromRow),
    find: async (workspaceUid, id) => {
      const row = await rows()
        .innerJoin('datasets', 'datasets.id', 'dataset_indexes.dataset_id')
        .where('datasets.workspace_uid', '=', workspaceUid)
        .where('dataset_indexes.id', '=', id)
        .executeTakeFirst();
      return row === undefined ? undefined : fromRow(row);
    },
    list: async (datasetId, ids, list) => {
      const page = await readPage(
        rows().where('dataset_id', '=', datasetId).where('dataset_indexes.id', 'in', textListSubquery(ids)),
        list,
        { id: sql.ref('dataset_indexes.id') },
        sql.ref('dataset_indexes.id'),
      );
      return { ...page, data: page.data.map(fromRow) };
    },
    addAutomatic: async (added, createdAt) => {
      if (added.length === 0) return;
      await db
        .insertInto('dataset_indexes')
        .values(
          added.map(({ id, datasetId, fields }) => ({
            id,
            dataset_id: datasetId,
            fields: textOf(fields),
            state: 'automatic' as const,
            made_by: '',
            created_at: createdAt,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    make: async ({ id, datasetId, fields, madeBy }, createdAt) => {
      await clear(datasetId, fields);
      const row = {
        id,
        dataset_id: datasetId,
        fields: textOf(fields),
        made_by: madeBy,
        created_at: createdAt,
      };
      const made = await db
        .insertInto('dataset_indexes')
        .values({ ...row, state: 'made' })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return made.numInsertedOrUpdatedRows === 1n;
    },
    change: async ({ id, datasetId, fields, madeBy }) => {
      await clear(datasetId, fields);
      return unlessTaken(() =>
        db
          .updateTable('dataset_indexes')
          .set({ fields: textOf(fields), made_by: madeBy })
          .where('id', '=', id)
          .execute(),
      );
    },
    // After dropping an index over a single field, that field gets no automatic index any more.
    drop: async ({ id, datasetId, fields }) => {
      const { created_at: createdAt } = await db
        .deleteFrom('dataset_indexes')
        .where('id', '=', id)
        .returning('created_at')
        .executeTakeFirstOrThrow(() => notFound('index', id));
      if (fields.length > 1) return;
      const row = { id, dataset_id: datasetId, fields: textOf(fields), made_by: '', created_at: createdAt };
      await db
        .insertInto('dataset_indexes')
        .values({ ...row, state: 'dropped' })
        .onConflict((conflict) =>
          conflict.expression(sql`dataset_id, md5(fields), made_by`).doUpdateSet({ state: 'dropped' }),
        )
        .execute();
    },
  };
};
