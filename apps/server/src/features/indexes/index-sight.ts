import { isHiddenPath, parseColumnLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import { RedoubtError } from '@redoubt/errors';
import type { Db } from '../../platform/db/database.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { JobSight } from '../jobs/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import { createIndexRepository } from './index.repository.ts';

/** Labels whose holders satisfy all of these; '' where that is everybody. */
const allOf = (labels: readonly string[]): string => {
  const asked = labels.filter((label) => label !== '').map((label) => `(${label})`);
  return asked.join('&');
};

/** Who may know of work on indexes: those who see the fields. */
export const createIndexSight = ({
  db,
  access,
  heldTokens,
  store,
}: {
  db: Db;
  access: Pick<DatasetAccess, 'requireCall'>;
  heldTokens: HeldAttributes['heldTokens'];
  store: Pick<RecordStore, 'labelsWith' | 'schema' | 'visibleLabels'>;
}): JobSight => {
  const indexes = createIndexRepository(db);
  return {
    seer: async (actor, datasetId) => {
      try {
        const accessible = await access.requireCall(actor, datasetId, 'listIndexes');
        const visible = await resolveVisibleLabels({ heldTokens, store }, actor, accessible);
        const schema = await store.schema(accessible.dataset.id, visible, { nested: true });
        return (fields) => fields.every((field) => Object.hasOwn(schema, field));
      } catch (fault) {
        if (fault instanceof RedoubtError) return () => false;
        throw fault;
      }
    },
    audience: async (datasetId, about) => {
      const dataset = await indexes.dataset(datasetId);
      if (dataset === undefined) return [];
      const columns = [...parseColumnLabels(dataset.column_labels)];
      const labels = new Set<string>();
      for (const fields of about) {
        const ofColumns = columns.flatMap(([column, asked]) =>
          fields.some((field) => isHiddenPath([column], field)) ? asked : [],
        );
        for (const label of await store.labelsWith(datasetId, fields, dataset.label_count))
          labels.add(allOf([label, ...ofColumns]));
      }
      return [...labels];
    },
  };
};
