import type { Job, ListQuery, Segment } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { datasetAccessBits, selectAccessBits } from '../datasets/index.ts';
import type { JobSubjects } from './job-sight.ts';

/** Jobs are looked for by one of these. */
export type JobPlace = { datasetId: string } | { jobId: string };

/** What jobs are about, as the text that is kept of it. */
export interface AboutText {
  datasetId: string;
  about: string;
}

/**
 * What one reader sees of jobs: all of their own, and of datasets that they manage the outside of each. Of jobs about particular
 * indexes, only those whose `about` is among the `seen`. How many segments a job has says how many files somebody sent, so
 * segments are for the starter alone.
 */
export interface JobRepository {
  /** What jobs that others have started are about, each once; jobs about nothing in particular are left out. */
  abouts(actor: Member, place: JobPlace): Promise<AboutText[]>;
  /** What a job is about, where that is something in particular. */
  aboutOf(id: string): Promise<JobSubjects | undefined>;
  list(actor: Member, datasetId: string, seen: readonly string[], list: ListQuery): Promise<Page<Job>>;
  find(actor: Member, id: string, seen: readonly string[]): Promise<Job | undefined>;
  /** Whether the actor started the job, by the credential by which they come now or by a narrower one. */
  hasStarted(actor: Member, id: string): Promise<boolean>;
  /** Segments of jobs that the actor started. */
  listSegments(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Segment>>;
  findSegment(actor: Member, id: string): Promise<Segment | undefined>;
}

const moment = (column: string) => sql<Date | null>`${sql.ref(column)}`;

/** Whether the actor started the job: people themselves also what keys of theirs have, a key only what itself has. */
export const isStartedBy = ({ accountId, credential }: Member): RawBuilder<boolean> => {
  const narrowed = credentialText(credential);
  return narrowed === null
    ? sql<boolean>`jobs.account_id = ${accountId}`
    : sql<boolean>`(jobs.account_id = ${accountId} and jobs.credential = ${narrowed})`;
};

/** A column for whoever started the job, and null for anybody else. */
const own = <T>(actor: Member, column: RawBuilder<T>): RawBuilder<T | null> =>
  sql<T | null>`case when ${isStartedBy(actor)} then ${column} end`;

const jobColumns = (actor: Member) => ({
  id: sql.ref<string>('jobs.id'),
  type: sql.ref<Job['type']>('jobs.type'),
  status: sql.ref<Job['status']>('jobs.status'),
  error: own(actor, sql.ref<string | null>('jobs.error')),
  stage: own(actor, sql.ref<number>('jobs.stage')),
  totalStages: own(actor, sql.ref<number>('jobs.total_stages')),
  progress: own(actor, sql.ref<number>('jobs.progress')),
  recordCount: own(actor, sql.ref<number | null>('jobs.record_count')),
  datasetId: sql.ref<string>('jobs.dataset_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  userId: sql.ref<string>('jobs.account_id'),
  createdAt: sql.ref<Date>('jobs.created_at'),
  startedAt: moment('jobs.started_at'),
  endedAt: moment('jobs.ended_at'),
});

const segmentColumns = (actor: Member) => ({
  id: sql.ref<string>('segments.id'),
  stage: sql.ref<number>('segments.stage'),
  status: sql.ref<Segment['status']>('segments.status'),
  error: sql.ref<string | null>('segments.error'),
  datasetId: sql.ref<string>('jobs.dataset_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  jobId: sql.ref<string>('segments.job_id'),
  processedBy: sql.ref<string | null>('segments.processed_by'),
  uploadId: sql.ref<string | null>('segments.upload_id'),
  bytesRead: sql.ref<number | null>('ingest_files.bytes_read'),
  bytesTotal: sql.ref<number | null>('ingest_files.size'),
  recordCount: sql.ref<number | null>('ingest_files.written'),
});

export const createJobRepository = (db: Db): JobRepository => {
  const inWorkspace = (actor: Member) =>
    db
      .selectFrom('jobs')
      .innerJoin('datasets', 'datasets.id', 'jobs.dataset_id')
      .where('jobs.workspace_uid', '=', actor.workspace.uniqueId);

  const isManaged = (actor: Member) =>
    sql<boolean>`(${selectAccessBits(db, actor)}) & ${datasetAccessBits.manage}::integer <> 0`;

  const visibleTo = (actor: Member, seen: readonly string[]) =>
    inWorkspace(actor).where((row) =>
      row.or([
        isStartedBy(actor),
        row.and([
          row.or([row('jobs.about', 'is', null), row('jobs.about', 'in', textListSubquery(seen))]),
          isManaged(actor),
        ]),
      ]),
    );

  const selectJobs = (actor: Member, seen: readonly string[]) => {
    const columns = jobColumns(actor);
    return visibleTo(actor, seen).select([
      columns.id.as('id'),
      columns.type.as('type'),
      columns.status.as('status'),
      own(actor, sql.ref<string>('jobs.config')).as('config'),
      columns.error.as('error'),
      columns.stage.as('stage'),
      columns.totalStages.as('totalStages'),
      columns.progress.as('progress'),
      columns.recordCount.as('recordCount'),
      columns.datasetId.as('datasetId'),
      columns.workspaceId.as('workspaceId'),
      columns.userId.as('userId'),
      columns.createdAt.as('createdAt'),
      columns.startedAt.as('startedAt'),
      columns.endedAt.as('endedAt'),
    ]);
  };

  const selectSegments = (actor: Member) => {
    const columns = segmentColumns(actor);
    return inWorkspace(actor)
      .where(isStartedBy(actor))
      .innerJoin('segments', 'segments.job_id', 'jobs.id')
      .leftJoin('ingest_files', 'ingest_files.segment_id', 'segments.id')
      .select([
        columns.id.as('id'),
        sql.ref<string>('segments.config').as('config'),
        columns.stage.as('stage'),
        columns.status.as('status'),
        columns.error.as('error'),
        columns.datasetId.as('datasetId'),
        columns.workspaceId.as('workspaceId'),
        columns.jobId.as('jobId'),
        columns.processedBy.as('processedBy'),
        columns.uploadId.as('uploadId'),
        columns.bytesRead.as('bytesRead'),
        columns.bytesTotal.as('bytesTotal'),
        columns.recordCount.as('recordCount'),
      ]);
  };

  return {
    abouts: (actor, place) => {
      const others = inWorkspace(actor)
        .where('jobs.about', 'is not', null)
        .where((row) => row.not(isStartedBy(actor)))
        .select(['jobs.dataset_id as datasetId', 'jobs.about as about'])
        .distinct()
        .$narrowType<{ about: string }>();
      if ('datasetId' in place) return others.where('jobs.dataset_id', '=', place.datasetId).execute();
      return others.where('jobs.id', '=', place.jobId).execute();
    },
    aboutOf: async (id) => {
      const row = await db.selectFrom('jobs').where('id', '=', id).select('about').executeTakeFirst();
      return row?.about ? (JSON.parse(row.about) as JobSubjects) : undefined;
    },
    list: async (actor, datasetId, seen, list) => {
      const query = selectJobs(actor, seen).where('jobs.dataset_id', '=', datasetId);
      const columns = jobColumns(actor);
      const page = await readPage(query, list, columns, columns.id);
      return { ...page, data: page.data.map(presentJob) };
    },
    find: async (actor, id, seen) => {
      const row = await selectJobs(actor, seen).where('jobs.id', '=', id).executeTakeFirst();
      return row && presentJob(row);
    },
    hasStarted: async (actor, id) => {
      const row = await db
        .selectFrom('jobs')
        .where('jobs.workspace_uid', '=', actor.workspace.uniqueId)
        .where('jobs.id', '=', id)
        .where(isStartedBy(actor))
        .select('jobs.id')
        .executeTakeFirst();
      return row !== undefined;
    },
    listSegments: async (actor, datasetId, list) => {
      const query = selectSegments(actor).where('jobs.dataset_id', '=', datasetId);
      const columns = segmentColumns(actor);
      const page = await readPage(query, list, columns, columns.id);
      return { ...page, data: page.data.map(withConfig) };
    },
    findSegment: async (actor, id) => {
      const row = await selectSegments(actor).where('segments.id', '=', id).executeTakeFirst();
      return row && withConfig(row);
    },
  };
};

const withConfig = <Row extends { config: string | null }>(
  row: Row,
): Omit<Row, 'config'> & Pick<Job, 'config'> => ({
  ...row,
  config: row.config === null ? null : (JSON.parse(row.config) as Record<string, unknown>),
});

interface JobTimes {
  config: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

const presentJob = (row: Omit<Job, keyof JobTimes> & JobTimes): Job => ({
  ...withConfig(row),
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
});
