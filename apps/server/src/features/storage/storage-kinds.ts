import type { JobType, OperationId } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import type { RecordStore, Which } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { JobKind, RunningJob } from '../../platform/jobs/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { parseSearch, visibleLabelsOf } from '../records/index.ts';

/** What a job that changes records keeps of its call: which of them, and for relabelling their new label, canonical. */
export type ChangeConfig =
  { recordIds: string[]; deleteAll?: boolean; label?: string } | { query: string; label?: string };

export interface StorageKindsDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  heldTokens(actor: Member): Promise<string[]>;
  store: Pick<
    RecordStore,
    'clearDataset' | 'deleteRecords' | 'forgetChange' | 'relabelRecords' | 'visibleLabels'
  >;
}

/** Choosing the records, and changing them. */
const changeStages = 2;

const whichOf = (type: JobType, config: ChangeConfig): Which => {
  if ('recordIds' in config) {
    return config.recordIds.length === 0 ? { all: true } : { recordIds: config.recordIds };
  }
  // What the dataset lets be searched was asked when the job was: the query stays what it was.
  const tree = parseSearch(config.query, true);
  return type === 'delete-document' ? { documentsOf: tree } : { tree };
};

/** What the jobs of the storage calls do. Rights are asked for again each time before anything is done. */
export const createStorageKinds = (deps: StorageKindsDeps): JobKind[] => {
  const { access, store } = deps;

  const ended = async ({ datasetId, changeId }: Pick<RunningJob, 'changeId' | 'datasetId'>): Promise<void> =>
    store.forgetChange(datasetId, changeId);

  const change = (
    type: JobType,
    operation: OperationId,
    apply: (request: Parameters<RecordStore['deleteRecords']>[0], config: ChangeConfig) => Promise<void>,
  ): JobKind => ({
    type,
    totalStages: changeStages,
    run: async (job) => {
      const config = job.config as ChangeConfig;
      const { datasetId, changeId, signal } = job;
      const visible = async (): Promise<VisibleLabels> => {
        const actor = await job.actor();
        return visibleLabelsOf(deps, actor, await access.requireCall(actor, datasetId, operation));
      };
      const { accountId: person } = await job.actor();
      const chosen = async (recordCount: number): Promise<void> =>
        job.progress({ stage: 1, percent: 50, recordCount });
      const which = whichOf(type, config);
      await apply({ datasetId, changeId, which, visible, person, signal, chosen }, config);
    },
    ended,
  });

  const deleting = (type: JobType, operation: OperationId): JobKind =>
    change(type, operation, (request) => store.deleteRecords(request));

  return [
    {
      type: 'clear-dataset',
      totalStages: 1,
      run: async (job) => {
        const { datasetId, changeId, signal } = job;
        const mayStill = async (): Promise<unknown> =>
          access.requireCall(await job.actor(), datasetId, 'clearDataset');
        await store.clearDataset({ datasetId, changeId, mayStill, signal });
      },
    },
    deleting('delete-record', 'deleteRecords'),
    deleting('delete-document', 'deleteDocumentsByQuery'),
    change('relabel-record', 'relabelRecords', async (request, { label }) => {
      if (label === undefined) throw new Error('A job that changes labels names none');
      await store.relabelRecords({ ...request, label });
    }),
  ];
};
