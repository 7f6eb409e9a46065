import type { RecordStore } from '@redoubt/records';
import type { JobKind } from '../../platform/jobs/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { IndexSync } from './index-sync.ts';

/** The job that updates the indexes of a dataset and adds its existing records to them. */
export const createReindexKind = ({
  access,
  arranging,
  store,
}: {
  access: Pick<DatasetAccess, 'requireCall'>;
  arranging: Pick<IndexSync, 'arrange'>;
  store: Pick<RecordStore, 'buildIndexes'>;
}): JobKind => ({
  type: 'reindex',
  totalStages: 2,
  run: async (job) => {
    const requireManage = async () => access.requireCall(await job.actor(), job.datasetId, 'manageIndexes');
    const { dataset } = await requireManage();
    await arranging.arrange(dataset.id);
    await job.progress({ stage: 1, percent: 0 });
    await store.buildIndexes(dataset.id, {
      signal: job.signal,
      progress: async (percent) => {
        await requireManage();
        await job.progress({ percent });
      },
    });
    await job.progress({ stage: 2, percent: 100 });
  },
});
