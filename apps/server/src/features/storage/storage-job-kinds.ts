import type { JobType, OperationId } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import { toCanonicalLabel, parseLabel } from '@redoubt/labels';
import type { RecordStore, RecordSelector } from '@redoubt/records';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { JobKind, RunningJob } from '../../platform/jobs/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { UploadFiles } from '../ingest/index.ts';
import { parseSearch, resolveVisibleLabels } from '../records/index.ts';

/** The stored configuration of a job that changes records: its selection and, for relabelling, the canonical new label. */
export type ChangeConfig =
  | { recordIds: string[]; deleteAll?: boolean; label?: string }
  | { query: string; label?: string }
  | { uploadId: string; label?: undefined };

export interface StorageKindsDeps {
  audit: Pick<Audit, 'log'>;
  access: Pick<DatasetAccess, 'requireCall'>;
  heldTokens(actor: Member): Promise<string[]>;
  uploads: UploadFiles;
  store: Pick<
    RecordStore,
    'clearDataset' | 'deleteRecords' | 'forgetChange' | 'relabelRecords' | 'visibleLabels'
  >;
}

/** Two stages: selecting the records, and changing them. */
const changeStages = 2;

const selectorOf = async (
  type: JobType,
  config: ChangeConfig,
  uploads: Pick<UploadFiles, 'filesOf'>,
): Promise<RecordSelector> => {
  if ('uploadId' in config) return { files: await uploads.filesOf(config.uploadId) };
  if ('recordIds' in config) {
    return config.recordIds.length === 0 ? { all: true } : { recordIds: config.recordIds };
  }
  // The search settings of the dataset were checked when the job was created. A later change does not affect it.
  const tree = parseSearch(config.query, true);
  return type === 'delete-document' ? { documentsOf: tree } : { tree };
};

/** Changes of a label are visible only to readers who satisfy both labels, so that others learn about neither. */
const conjunctionOf = (old: string, label: string): string =>
  toCanonicalLabel(parseLabel(old === '' ? label : `(${old})&(${label})`));

const changeEvent = (
  { id, datasetId }: Pick<RunningJob, 'datasetId' | 'id'>,
  type: JobType,
  labels: ReadonlyMap<string, number>,
  newLabel: string | undefined,
): AuditEvent => ({
  type: 'WriteRecords',
  description: newLabel === undefined ? 'deletes records' : 'changes the label of records',
  datasetId,
  details: { job: type, jobId: id },
  labels:
    newLabel === undefined
      ? labels
      : new Map([...labels].map(([old, count]) => [conjunctionOf(old, newLabel), count])),
});

/** The jobs of the storage calls. They check the starter's permissions again before every step. */
export const createStorageKinds = (deps: StorageKindsDeps): JobKind[] => {
  const { access, audit, store, uploads } = deps;

  const ended = async ({ datasetId, changeId }: Pick<RunningJob, 'changeId' | 'datasetId'>): Promise<void> =>
    store.forgetChange(datasetId, changeId);

  const change = (
    type: JobType,
    operation: OperationId,
    apply: (
      request: Parameters<RecordStore['deleteRecords']>[0],
      config: ChangeConfig,
      job: RunningJob,
    ) => Promise<void>,
  ): JobKind => ({
    type,
    totalStages: changeStages,
    run: async (job) => {
      const config = job.config as ChangeConfig;
      const { datasetId, changeId, signal } = job;
      const visible = async (): Promise<VisibleLabels> => {
        const actor = await job.actor();
        return resolveVisibleLabels(deps, actor, await access.requireCall(actor, datasetId, operation));
      };
      const { accountId: person } = await job.actor();
      const chosen = async (labels: ReadonlyMap<string, number>): Promise<void> => {
        const counts = [...labels.values()];
        await job.progress({
          stage: 1,
          percent: 50,
          recordCount: counts.reduce((sum, count) => sum + count, 0),
        });
        if (labels.size > 0) await audit.log(await job.actor(), changeEvent(job, type, labels, config.label));
      };
      const which = await selectorOf(type, config, uploads);
      await apply({ datasetId, changeId, which, visible, person, signal, chosen }, config, job);
    },
    ended,
  });

  const deletion = (type: JobType, operation: OperationId): JobKind =>
    change(type, operation, async (request, config, job) => {
      await store.deleteRecords(request);
      if ('uploadId' in config) await uploads.remove(await job.actor(), config.uploadId);
      await uploads.tidy(request.datasetId);
    });

  return [
    {
      type: 'clear-dataset',
      totalStages: 1,
      run: async (job) => {
        const { datasetId, changeId, signal } = job;
        const mayStill = async (): Promise<void> => {
          const actor = await job.actor();
          await access.requireCall(actor, datasetId, 'clearDataset');
          await audit.log(actor, {
            type: 'DatasetManagement',
            description: 'clears a dataset, including records that are hidden from the actor',
            datasetId,
            details: { jobId: job.id },
          });
        };
        await store.clearDataset({ datasetId, changeId, mayStill, signal });
        await uploads.clear(datasetId, job.id);
      },
    },
    deletion('delete-record', 'deleteRecords'),
    deletion('delete-document', 'deleteDocumentsByQuery'),
    change('relabel-record', 'relabelRecords', async (request, { label }) => {
      if (label === undefined)
        throw new Error('A job of the type relabel-record must have a label in its configuration');
      await store.relabelRecords({ ...request, label });
    }),
  ];
};
