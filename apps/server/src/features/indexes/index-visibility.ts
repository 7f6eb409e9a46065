import { isHiddenPath, parseColumnLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import { RedoubtError } from '@redoubt/errors';
import type { Db } from '../../platform/db/database.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { JobVisibility } from '../jobs/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import { createIndexRepository } from './index.repository.ts';

/** The conjunction of labels; '' (everybody) if all are empty. */
const conjunctionOf = (labels: readonly string[]): string => {
  const terms = labels.filter((label) => label !== '').map((label) => `(${label})`);
  return terms.join('&');
};

/** Work on indexes is visible to readers who may see the indexed fields. */
export const createIndexVisibility = ({
  db,
  access,
  heldTokens,
  store,
}: {
  db: Db;
  access: Pick<DatasetAccess, 'requireCall'>;
  heldTokens: HeldAttributes['heldTokens'];
  store: Pick<RecordStore, 'labelsWith' | 'schema' | 'visibleLabels'>;
}): JobVisibility => {
  const indexes = createIndexRepository(db);
  return {
    visibleFieldsCheck: async (actor, datasetId) => {
      try {
        const accessible = await access.requireCall(actor, datasetId, 'listIndexes');
        const visible = await resolveVisibleLabels({ heldTokens, store }, actor, accessible);
        const schema = await store.schema(accessible.dataset.id, visible, { nested: true });
        return (fields) => fields.every((field) => Object.hasOwn(schema, field));
      } catch (error) {
        if (error instanceof RedoubtError) return () => false;
        throw error;
      }
    },
    audience: async (datasetId, about) => {
      const dataset = await indexes.dataset(datasetId);
      if (dataset === undefined) return [];
      const columns = [...parseColumnLabels(dataset.column_labels)];
      const labels = new Set<string>();
      for (const fields of about) {
        const columnLabels = columns.flatMap(([column, label]) =>
          fields.some((field) => isHiddenPath([column], field)) ? label : [],
        );
        for (const label of await store.labelsWith(datasetId, fields, dataset.label_count))
          labels.add(conjunctionOf([label, ...columnLabels]));
      }
      return [...labels];
    },
  };
};
