import { RedoubtError } from '@redoubt/errors';
import { stagingSlots } from '@redoubt/records';
import type { Db } from '../../platform/db/database.ts';
import { openStates } from '../../platform/jobs/index.ts';

/** The state of a job that replaces the visible records of its dataset. */
export interface Replacement {
  datasetId: string;
  /** The attempt of the job. */
  changeId: string;
  /** The slot in which its rows wait; null if none wait. */
  slot: number | null;
  /** `preparing`: its slot may hold rows of earlier jobs. `switching`: the records are being replaced. */
  state: 'arriving' | 'done' | 'preparing' | 'switching';
  /** The number of replaced records. */
  replaced: number;
}

export interface ReplacementRepository {
  of(jobId: string): Promise<Replacement | undefined>;
  /** Takes a slot for an attempt of a job, unless it has one or has completed. */
  begin(job: {
    id: string;
    datasetId: string;
    changeId: string;
  }): Promise<Replacement & { slot: number | null }>;
  /** Records that rows may arrive, and resets the counts of earlier attempts. */
  ready(jobId: string): Promise<void>;
  switching(jobId: string, replaced: number): Promise<void>;
  done(jobId: string): Promise<void>;
  /** Releases the slot of an attempt, unless a later attempt has begun. */
  end(jobId: string, changeId: string): Promise<void>;
}

const columns = ['dataset_id as datasetId', 'change_id as changeId', 'slot', 'state', 'replaced'] as const;

/** The counts with which a retry of the job begins. */
const nothing = {
  next_row: 0,
  written: 0,
  rejected: 0,
  dropped: 0,
  duplicate: 0,
  replaced: 0,
  bytes_read: 0,
};

const find = async (from: Db, jobId: string): Promise<Replacement | undefined> => {
  const row = await from
    .selectFrom('ingest_replacements')
    .where('job_id', '=', jobId)
    .select(columns)
    .executeTakeFirst();
  return row && { ...row, state: row.state as Replacement['state'] };
};

export const createReplacementRepository = (db: Db): ReplacementRepository => {
  const set = async (
    jobId: string,
    change: { state?: Replacement['state']; slot?: null; replaced?: number },
  ): Promise<void> => {
    await db.updateTable('ingest_replacements').set(change).where('job_id', '=', jobId).execute();
  };
  return {
    of: (jobId) => find(db, jobId),
    begin: ({ id, datasetId, changeId }) =>
      db.transaction().execute(async (trx) => {
        // Only one transaction at a time takes slots of a dataset.
        await trx.selectFrom('datasets').where('id', '=', datasetId).select('id').forUpdate().execute();
        const own = await find(trx, id);
        // A completed replacement is never repeated.
        if (own?.state === 'done') return own;
        if (own?.changeId === changeId && own.slot !== null) return own;
        await trx.deleteFrom('ingest_replacements').where('job_id', '=', id).execute();
        // A job that ended without releasing its slot no longer needs it.
        await trx
          .updateTable('ingest_replacements')
          .set({ slot: null })
          .where('dataset_id', '=', datasetId)
          .where('job_id', 'not in', (jobs) =>
            jobs.selectFrom('jobs').where('status', 'in', openStates).select('jobs.id'),
          )
          .execute();
        const taken = await trx
          .selectFrom('ingest_replacements')
          .where('dataset_id', '=', datasetId)
          .where('slot', 'is not', null)
          .select('slot')
          .execute();
        const used = new Set(taken.map(({ slot }) => slot));
        // Another process may still empty the slot of the attempt before, so it is taken last.
        const slot = Array.from({ length: stagingSlots }, (_, each) => each)
          .toSorted((a, b) => Number(a === own?.slot) - Number(b === own?.slot))
          .find((each) => !used.has(each));
        if (slot === undefined) {
          throw new RedoubtError(
            'BadRequestError',
            `Up to ${String(stagingSlots)} jobs may replace the records of a dataset at the same time. Retry the job when one of them has ended.`,
          );
        }
        await trx
          .insertInto('ingest_replacements')
          .values({ job_id: id, dataset_id: datasetId, change_id: changeId, slot, state: 'preparing' })
          .execute();
        return { datasetId, changeId, slot, state: 'preparing', replaced: 0 };
      }),
    ready: (jobId) =>
      db.transaction().execute(async (trx) => {
        const files = await trx
          .updateTable('ingest_files')
          .set(nothing)
          .where('segment_id', 'in', (segments) =>
            segments.selectFrom('segments').where('job_id', '=', jobId).select('segments.id'),
          )
          .returning('id')
          .execute();
        const ids = files.map(({ id }) => id);
        for (const table of ['ingest_blocks', 'ingest_rejects'] as const) {
          if (ids.length > 0) await trx.deleteFrom(table).where('file_id', 'in', ids).execute();
        }
        await trx.updateTable('segments').set({ status: 'queued' }).where('job_id', '=', jobId).execute();
        await trx
          .updateTable('ingest_replacements')
          .set({ state: 'arriving' })
          .where('job_id', '=', jobId)
          .execute();
      }),
    switching: (jobId, replaced) => set(jobId, { state: 'switching', replaced }),
    done: (jobId) => set(jobId, { state: 'done', slot: null }),
    end: async (jobId, changeId) => {
      await db
        .updateTable('ingest_replacements')
        .set({ slot: null })
        .where('job_id', '=', jobId)
        .where('change_id', '=', changeId)
        .execute();
    },
  };
};

/** Finds out which replacements of processes that died were completed. Call it while no other work changes the dataset. */
export const settleReplacements = async (
  db: Db,
  datasetId: string,
  hasStaged: (slot: number) => Promise<boolean>,
): Promise<void> => {
  const open = await db
    .selectFrom('ingest_replacements')
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'switching')
    .select(['job_id', 'slot'])
    .execute();
  for (const { job_id: jobId, slot } of open) {
    if (slot === null) continue;
    // One update makes the new records visible and deletes the old ones.
    const state = (await hasStaged(slot)) ? { state: 'arriving' } : { state: 'done', slot: null };
    await db.updateTable('ingest_replacements').set(state).where('job_id', '=', jobId).execute();
  }
};
