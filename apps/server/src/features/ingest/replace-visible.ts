import { badRequest, RedoubtError } from '@redoubt/errors';
import type { RecordStore } from '@redoubt/records';
import type { Audit } from '../../platform/audit/index.ts';
import type { RunningJob } from '../../platform/jobs/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { AccessibleDataset, DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels, type AfterWrite } from '../records/index.ts';
import type { IngestRepository } from './ingest.repository.ts';
import type { ReceiptRepository } from './receipt.repository.ts';
import type { StoredConnections } from './sources/sources.ts';
import type { Replacement, ReplacementRepository } from './replacement.repository.ts';

/** Replaces the records of a dataset that are visible to the starter of a job by the rows of its files. */
export interface ReplaceVisible {
  /** Returns the state of the job, and takes a slot for its rows if it has just started. */
  begin(job: RunningJob): Promise<Pick<Replacement, 'slot'> & { isDone: boolean }>;
  /** Replaces the records. @throws RedoubtError where nothing can be replaced */
  finish(job: RunningJob, slot: number): Promise<void>;
  /** Deletes rows of this attempt that arrived but never became visible. */
  ended(job: Pick<RunningJob, 'changeId' | 'datasetId' | 'id'>): Promise<void>;
}

export interface ReplaceVisibleDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  audit: Pick<Audit, 'log'>;
  held: Pick<HeldAttributes, 'heldTokens'>;
  store: Pick<RecordStore, 'removeStaged' | 'replaceVisible' | 'settleBlocks' | 'visibleLabels'>;
  afterWrite: AfterWrite;
  files: Pick<IngestRepository, 'uploadOf'>;
  receipts: Pick<ReceiptRepository, 'sums'>;
  requireUse: StoredConnections['requireUse'];
  replacements: ReplacementRepository;
}

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

export const createReplaceVisible = (deps: ReplaceVisibleDeps): ReplaceVisible => {
  const { access, audit, held, store, afterWrite, files, receipts, replacements, requireUse } = deps;

  const enter = async ({ id, actor: authenticate, datasetId }: RunningJob) => {
    const actor = await authenticate();
    const upload = await files.uploadOf(id);
    if (upload !== undefined) await requireUse(actor, upload.options);
    await access.requireCall(actor, datasetId, 'createUpload');
    return { actor, accessible: await access.requireCall(actor, datasetId, 'deleteRecords') };
  };

  return {
    begin: async (job) => {
      const { id, datasetId } = job;
      await enter(job);
      await store.settleBlocks(datasetId);
      const { slot, state } = await replacements.begin(job);
      if (state === 'preparing' && slot !== null) {
        await store.removeStaged({ datasetId, slot });
        await replacements.ready(id);
      }
      return { slot, isDone: state === 'done' };
    },

    finish: async (job, slot) => {
      const { id, datasetId, signal } = job;
      const { written: expected } = await receipts.sums(id);
      if (expected === 0) {
        throw new RedoubtError(
          'FileParseError',
          'No row of the files could be stored, so no record was replaced. Look at the rejected rows, or delete the records with POST /storage/datasets/{datasetId}/deleteRecords/query.',
        );
      }
      let target: AccessibleDataset['dataset'] | undefined;
      const isWhole = await store.replaceVisible({
        datasetId,
        slot,
        expected,
        signal,
        author: async () => {
          const { actor, accessible } = await enter(job);
          const visible = await resolveVisibleLabels(
            { heldTokens: held.heldTokens, store },
            actor,
            accessible,
          );
          return { visible, columnVersion: accessible.dataset.column_version };
        },
        decided: async (gone, come) => {
          const { actor, accessible } = await enter(job);
          target = accessible.dataset;
          await replacements.switching(id, sum(gone));
          const details = { jobId: id };
          const event = { type: 'WriteRecords', datasetId, details } as const;
          if (gone.size > 0) {
            const description = 'deletes records that an ingest replaces';
            await audit.log(actor, { ...event, description, labels: gone });
          }
          await audit.log(actor, { ...event, description: 'ingests records', labels: come });
        },
        stored: () => replacements.done(id),
      });
      if (!isWhole || target === undefined) {
        throw badRequest(
          'The dataset was cleared while the files were read, so no record was replaced. Retry the job.',
        );
      }
      // Rights are checked until the records are replaced, not afterwards.
      await afterWrite(target, false);
    },

    ended: async ({ id, datasetId, changeId }) => {
      if ((await replacements.of(id)) === undefined) return;
      await store.settleBlocks(datasetId);
      const own = await replacements.of(id);
      // Another process may have begun a retry of the job by now.
      if (own === undefined || own.slot === null || own.changeId !== changeId) return;
      await store.removeStaged({ datasetId, slot: own.slot });
      await replacements.end(id, changeId);
    },
  };
};
