import type { JobError, JobType } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../auth/actor.ts';
import { credentialFrom } from '../auth/credential.ts';
import { parsePermissionCodes, selectPermissionCodes } from '../auth/permission-codes.repository.ts';
import { createApplyCredentialScope } from '../auth/credential-scope.repository.ts';
import type { Db } from '../db/database.ts';
import type { JobRow } from '../db/schema.ts';
import { errorColumns, openStates, type EndedStatus } from './job.ts';

export interface Claim {
  worker: string;
  now: Date;
  /** The end of the lease: until then other workers do not claim the job. */
  leaseUntil: Date;
  /** Maximum number of jobs of a workspace that run at once. */
  perWorkspace: number;
  /** Whether the subscription of a workspace may replace this number. */
  isBilled?: boolean;
  types: readonly JobType[];
  /** Whether jobs with an end may be claimed, and jobs without. */
  lanes?: { ending: boolean; endless: boolean };
}

export interface JobQueueRepository {
  /**
   * Whether any job is queued. If `besideWorker` is given, also whether another worker runs one, even with an expired lease.
   */
  hasWaiting(besideWorker: string | undefined): Promise<boolean>;
  /**
   * Claims a job that may run. People take turns: the job is the oldest one of the person whose last claim is the longest ago. A workspace runs at most `perWorkspace` jobs at once, beside those without end. A dataset runs at most one job
   * that is not an ingest; ingests do not wait for it.
   */
  claim(claim: Claim): Promise<JobRow | undefined>;
  /** Renews the leases of the worker. @returns the jobs that it still holds */
  renew(worker: string, leaseUntil: Date): Promise<Pick<JobRow, 'id' | 'cancel_asked'>[]>;
  isOwn(id: string, worker: string): Promise<boolean>;
  progress(
    id: string,
    worker: string,
    done: { stage?: number; percent?: number; recordCount?: number },
  ): Promise<void>;
  end(id: string, worker: string, status: EndedStatus, error: JobError | null, endedAt: Date): Promise<void>;
  /** Returns a job to the queue. */
  giveBack(id: string, worker: string): Promise<void>;
  /** Returns all running jobs to the queue, at a start when no other process can be running jobs. */
  giveBackAll(): Promise<void>;
  /** Returns those of the ids whose jobs are queued or running. */
  open(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Authenticates the person who started a job again, with the same credential; undefined if the person is no longer a
   * member or the credential is no longer valid.
   */
  findStarter(
    job: Pick<JobRow, 'account_id' | 'credential' | 'grant_id' | 'workspace_uid'>,
    now: Date,
  ): Promise<Member | undefined>;
}

/**
 * The number of the lock under which workers claim jobs, one at a time, so that limits are counted correctly. It is
 * arbitrary, and the same in all processes.
 */
const claimLock = 7_204_600_031;
/** Maximum number of jobs without end that run at once in a workspace. They take no place of others. */
const maxEndless = 8;
const queuedAgain = { status: 'queued', worker: null, lease_until: null } as const;

export const createJobQueueRepository = (db: Db): JobQueueRepository => {
  const applyScope = createApplyCredentialScope(db);
  const ofWorker = (id: string, worker: string) =>
    db.updateTable('jobs').where('id', '=', id).where('worker', '=', worker).where('status', '=', 'running');

  return {
    hasWaiting: async (besideWorker) => {
      const row = await db
        .selectFrom('jobs')
        .where((job) =>
          besideWorker === undefined
            ? job('status', '=', 'queued')
            : job.or([
                job('status', '=', 'queued'),
                job.and([job('status', '=', 'running'), job('worker', '!=', besideWorker)]),
              ]),
        )
        .select('id')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    claim: ({
      worker,
      now,
      leaseUntil,
      perWorkspace,
      isBilled = false,
      types,
      lanes = { ending: true, endless: true },
    }) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${claimLock})`.execute(trx);
        const isRunning = sql<boolean>`(other.status = 'running' and other.lease_until >= ${now} and other.id <> jobs.id)`;
        const limit = sql`coalesce((select concurrency from billing_accounts where ${isBilled}::boolean and billing_accounts.workspace_uid = jobs.workspace_uid), ${perWorkspace}::integer)`;
        const next = await trx
          .selectFrom('jobs')
          .select('id')
          .where('type', 'in', [...types])
          .where(sql<boolean>`(status = 'queued' or (status = 'running' and lease_until < ${now}))`)
          .where(
            sql<boolean>`(case when is_endless then ${lanes.endless}::boolean else ${lanes.ending}::boolean end)`,
          )
          .where(
            sql<boolean>`(select count(*) from jobs other where other.workspace_uid = jobs.workspace_uid and other.is_endless = jobs.is_endless and ${isRunning}) < (case when jobs.is_endless then ${maxEndless}::bigint else ${limit} end)`,
          )
          .where(
            sql<boolean>`(jobs.type = 'ingest' or not exists (select from jobs other where other.dataset_id = jobs.dataset_id and other.type <> 'ingest' and ${isRunning}))`,
          )
          .orderBy(
            sql`coalesce((select turn from job_turns where job_turns.account_id = jobs.account_id), 0)`,
          )
          .orderBy('created_at')
          .orderBy('id')
          .limit(1)
          // A job that is being canceled right now is skipped until the next poll.
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (next === undefined) return undefined;
        const row = await trx
          .updateTable('jobs')
          .set({
            status: 'running',
            worker,
            lease_until: leaseUntil,
            started_at: sql<Date>`coalesce(started_at, ${now})`,
          })
          .where('id', '=', next.id)
          .returningAll()
          .executeTakeFirst();
        await sql`insert into job_turns (account_id)
          select accounts.id from jobs join accounts on accounts.id = jobs.account_id where jobs.id = ${next.id}
          on conflict (account_id) do update set turn = excluded.turn`.execute(trx);
        // The segments of an ingest begin one after another.
        if (row?.type !== 'ingest') {
          await trx
            .updateTable('segments')
            .set({ status: 'running', processed_by: worker })
            .where('job_id', '=', next.id)
            .execute();
        }
        return row;
      }),

    renew: (worker, leaseUntil) =>
      db
        .updateTable('jobs')
        .set({ lease_until: leaseUntil })
        .where('worker', '=', worker)
        .where('status', '=', 'running')
        .returning(['id', 'cancel_asked'])
        .execute(),

    isOwn: async (id, worker) => {
      const row = await db
        .selectFrom('jobs')
        .where('id', '=', id)
        .where('worker', '=', worker)
        .where('status', '=', 'running')
        .select('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    progress: async (id, worker, { stage, percent, recordCount }) => {
      const changes = {
        ...(stage === undefined ? {} : { stage }),
        ...(percent === undefined ? {} : { progress: percent }),
        ...(recordCount === undefined ? {} : { record_count: recordCount }),
      };
      if (Object.keys(changes).length > 0) await ofWorker(id, worker).set(changes).execute();
      if (stage === undefined) return;
      await db.updateTable('segments').set({ stage }).where('job_id', '=', id).execute();
    },

    end: (id, worker, status, error, endedAt) =>
      db.transaction().execute(async (trx) => {
        const ended = await trx
          .updateTable('jobs')
          .set((row) => ({
            status,
            ...errorColumns(error),
            ended_at: endedAt,
            worker: null,
            lease_until: null,
            cancel_asked: false,
            ...(status === 'completed' ? { stage: row.ref('total_stages'), progress: 100 } : {}),
          }))
          .where('id', '=', id)
          .where('worker', '=', worker)
          .where('status', '=', 'running')
          .returning('stage')
          .executeTakeFirst();
        if (ended === undefined) return;
        const { stage } = ended;
        await trx
          .updateTable('segments')
          .set({ status, ...errorColumns(error), stage })
          .where('job_id', '=', id)
          .where('status', 'in', openStates)
          .execute();
      }),

    giveBack: async (id, worker) => {
      await ofWorker(id, worker).set(queuedAgain).execute();
      await db
        .updateTable('segments')
        .set({ status: 'queued' })
        .where('job_id', '=', id)
        .where('status', '=', 'running')
        .execute();
    },

    giveBackAll: async () => {
      await db.updateTable('jobs').set(queuedAgain).where('status', '=', 'running').execute();
      await db.updateTable('segments').set({ status: 'queued' }).where('status', '=', 'running').execute();
    },

    open: async (ids) => {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('jobs')
        .where('id', 'in', [...ids])
        .where('status', 'in', openStates)
        .select('id')
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    findStarter: async (
      { workspace_uid: workspaceUid, account_id: accountId, credential, grant_id: grantId },
      now,
    ) => {
      const by = credentialFrom(credential);
      // An application may do nothing without a grant: if the job has none, it may have been revoked.
      if (by.kind === 'application' && grantId === null) return undefined;
      const row = await db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
        .innerJoin('workspaces', 'workspaces.unique_id', 'memberships.workspace_uid')
        .where('memberships.workspace_uid', '=', workspaceUid)
        .where('memberships.account_id', '=', accountId)
        .where('memberships.disabled', '=', false)
        .where(
          sql<boolean>`(${grantId}::text is null or exists (
            select from application_grants where id = ${grantId} and revoked_at is null))`,
        )
        .select([
          'accounts.email',
          'workspaces.slug',
          'memberships.role',
          selectPermissionCodes('memberships.workspace_uid', 'memberships.account_id').as('codes'),
        ])
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { email, slug, role, codes } = row;
      const workspace = { uniqueId: workspaceUid, slug, role, codes: parsePermissionCodes(codes) };
      const person = { accountId, email, credential: by, scope: undefined };
      const starter = await applyScope({ ...person, workspace }, now);
      return starter?.workspace && { ...starter, workspace: starter.workspace, sessionId: '' };
    },
  };
};
