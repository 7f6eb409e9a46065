import { notFound } from '@redoubt/errors';
import { serializeColumnLabels, parseColumnLabels, type ColumnLabels } from '@redoubt/labels';
import { sql } from 'kysely';
import { inTransaction, type Db } from '../../platform/db/database.ts';

/** Changes the labels of columns. */
export interface DatasetColumns {
  /**
   * Puts what `change` makes of the labels in their place; of changes at once, each sees what the one before made.
   * @returns the version of the labels from now on
   * @throws NotFoundError 404 where the dataset is gone
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
      // Records written from now on get other numbers for their labels. Whoever looked up before what they see knows none of
      // these numbers, and so sees no record in which a column has become another's secret since.
      await trx
        .updateTable('dataset_labels')
        .set({ expression_hash: sql`label_id || ':' || expression_hash` })
        .where('dataset_id', '=', datasetId)
        .where('expression_hash', 'not like', '%:%')
        .execute();
      return version;
    }),
});
