import { expectedMessage, notFound, securityError } from '@redoubt/errors';
import {
  maxLabelledColumns,
  parseColumnLabels,
  serializeColumnLabels,
  type ColumnLabels,
} from '@redoubt/labels';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';

/** A change of column labels by a person. */
export interface ColumnChange {
  change: (labels: ColumnLabels) => ColumnLabels;
  /** Whether a record that the person sees has the column, which then is visible to them. */
  isSeen: (path: string) => boolean;
}

/** Changes the labels of columns. */
export interface DatasetColumns {
  /**
   * Replaces the labels by the result of `change`. Concurrent calls run one after another.
   * @returns the new version of the labels
   * @throws NotFoundError 404 if the dataset no longer exists
   * @throws SecurityError 400 if the change adds columns beyond the limit. It counts the columns that the person
   * labelled or sees labelled; other labelled columns are hidden from them.
   */
  change(author: Member, datasetId: string, change: ColumnChange): Promise<number>;
}

const countLabelled = (own: ColumnLabels, all: ColumnLabels, isSeen: ColumnChange['isSeen']): number =>
  new Set([...own.keys(), ...[...all.keys()].filter(isSeen)]).size;

const tooManyColumns = (count: number): Error => {
  const message = expectedMessage({
    field: 'The labelled columns of a dataset that you labelled or see',
    expected: `at most ${String(maxLabelledColumns)}`,
    got: String(count),
    advice: 'Label an object that contains several columns, or remove labels by sending an empty text.',
  });
  return securityError(message, [{ field: 'columns', message }]);
};

export const createDatasetColumns = (db: Db): DatasetColumns => ({
  change: ({ workspace, accountId }, datasetId, { change, isSeen }) =>
    inTransaction(db, async (trx) => {
      const row = await trx
        .selectFrom('datasets')
        .select(['column_labels', 'column_version'])
        .where('workspace_uid', '=', workspace.uniqueId)
        .where('id', '=', datasetId)
        .forUpdate()
        .executeTakeFirstOrThrow(() => notFound('dataset', datasetId));
      const before = parseColumnLabels(row.column_labels);
      const after = change(before);
      const labelled = await trx
        .selectFrom('labelled_columns')
        .select('column_labels')
        .where('dataset_id', '=', datasetId)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      const ownBefore = parseColumnLabels(labelled?.column_labels ?? '[]');
      // The same change without the labels of others, so that it discloses none of them.
      const own = change(ownBefore);
      const count = countLabelled(own, after, isSeen);
      if (count > maxLabelledColumns && count > countLabelled(ownBefore, before, isSeen))
        throw tooManyColumns(count);
      const ownText = serializeColumnLabels(own);
      if (ownText !== (labelled?.column_labels ?? '[]'))
        await trx
          .insertInto('labelled_columns')
          .values({ dataset_id: datasetId, account_id: accountId, column_labels: ownText })
          .onConflict((conflict) =>
            conflict.columns(['dataset_id', 'account_id']).doUpdateSet({ column_labels: ownText }),
          )
          .execute();
      const text = serializeColumnLabels(after);
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
