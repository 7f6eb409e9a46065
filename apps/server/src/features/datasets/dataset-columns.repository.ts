import { notFound } from '@redoubt/errors';
import { serializeColumnLabels, parseColumnLabels, type ColumnLabels } from '@redoubt/labels';
import { sql } from 'kysely';
import { inTransaction, type Db } from '../../platform/db/database.ts';

/** Changes the labels of columns. */
export interface DatasetColumns {
  /**
   * Replaces the labels by the result of `change`. Concurrent calls run one after another.
   * @returns the new version of the labels
   * @throws NotFoundError 404 if the dataset no longer exists
   */
  change(
    workspaceUid: string,
    datasetId: string,
    change: (labels: ColumnLabels) => ColumnLabels,
  ): Promise<number>;
}

export const createDatasetColumns = (db: Db): DatasetColumns => ({
  change: (workspaceUid, datasetId, change) =>
    inTransaction(db, async (trx) => {
      const row = await trx
        .selectFrom('datasets')
        .select(['column_labels', 'column_version'])
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', datasetId)
        .forUpdate()
        .executeTakeFirstOrThrow(() => notFound('dataset', datasetId));
      const text = serializeColumnLabels(change(parseColumnLabels(row.column_labels)));
      if (text === row.column_labels) return row.column_version;
      const version = row.column_version + 1;
      await trx
        .updateTable('datasets')
        .set({ column_labels: text, column_version: version })
        .where('id', '=', datasetId)
        .execute();
      // Hides the interned labels, so that records written from now on get new label ids. A request that resolved its
      // visibility earlier does not have these ids, so it cannot read such a record under the old column labels.
      await trx
        .updateTable('dataset_labels')
        .set({ expression_hash: sql`label_id || ':' || expression_hash` })
        .where('dataset_id', '=', datasetId)
        .where('expression_hash', 'not like', '%:%')
        .execute();
      return version;
    }),
});
