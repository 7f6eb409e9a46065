import { QueryDeletion, RecordDeletion } from '@redoubt/contract';
import type { RecordStore } from '@redoubt/records';
import { strictObject } from '@redoubt/contract';
import type { Audit } from '../../platform/audit/index.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createValidator } from '../../platform/http/validation.ts';
import { jobIdOf, type JobKind } from '../../platform/jobs/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { UploadFiles } from '../ingest/index.ts';
import type { StartFromConfig, WiredJobs } from '../jobs/index.ts';
import { createStorageKinds, type StorageKindsDeps } from './storage-job-kinds.ts';
import { createStorageRoutes } from './storage.routes.ts';
import { createStorageService, type StorageService } from './storage.service.ts';

const requireEmpty = createValidator(strictObject({}), 'config');
const requireIds = createValidator(RecordDeletion, 'config');
const requireQuery = createValidator(QueryDeletion, 'config');

/** Lets `POST /jobs` start the storage jobs. `config` has the form of the specific call's body. */
const startersOf = (storage: StorageService): Partial<Record<JobKind['type'], StartFromConfig>> => ({
  'clear-dataset': (actor, datasetId, config) => {
    requireEmpty(config);
    return storage.clear(actor, datasetId);
  },
  'delete-record': (actor, datasetId, config) => {
    if (typeof config === 'object' && config !== null && 'query' in config) {
      requireQuery(config);
      return storage.deleteByQuery(actor, datasetId, config as QueryDeletion, 'delete-record');
    }
    requireIds(config);
    return storage.deleteRecords(actor, datasetId, config as RecordDeletion);
  },
  'delete-document': (actor, datasetId, config) => {
    requireQuery(config);
    return storage.deleteByQuery(actor, datasetId, config as QueryDeletion, 'delete-document');
  },
});

/** Wires deleting, clearing and relabelling of records. */
export const wireStorage = ({
  store,
  access,
  held,
  jobs,
  audit,
  uploads,
}: {
  uploads: UploadFiles;
  audit: Audit;
  store: Pick<RecordStore, 'changesLeft'> & StorageKindsDeps['store'];
  access: DatasetAccess;
  held: HeldAttributes;
  jobs: WiredJobs;
}): { bindings: RouteBinding[]; dropOldChanges(): Promise<void> } => {
  const storage = createStorageService({ access, held, startJob: jobs.startJob });
  const starters = startersOf(storage);
  for (const kind of createStorageKinds({ audit, access, heldTokens: held.heldTokens, store, uploads })) {
    jobs.offer(kind, starters[kind.type]);
  }
  return {
    bindings: createStorageRoutes(storage),
    /** Drops the saved selections of jobs that ended during a crash, without their own cleanup. */
    dropOldChanges: async () => {
      const leftovers = await store.changesLeft();
      const open = await jobs.open(leftovers.map(({ changeId }) => jobIdOf(changeId)));
      for (const { datasetId, changeId } of leftovers) {
        if (!open.has(jobIdOf(changeId))) await store.forgetChange(datasetId, changeId);
      }
    },
  };
};
