import type { Job, ListQuery, Segment } from '@redoubt/contract';
import { messagesFormat } from '@redoubt/file-formats';
import { sql, type RawBuilder } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { toJobError } from '../../platform/jobs/index.ts';
import { datasetAccessBits, selectAccessBits } from '../datasets/index.ts';
import type { JobSubjects } from './job-visibility.ts';

/** Selects jobs by their dataset or their id. */
export type JobSelector = { datasetId: string } | { jobId: string };

/** The subjects of jobs, as the stored JSON string. */
export interface SubjectsText {
  datasetId: string;
  about: string;
}

/**
 * Jobs and segments as one reader may see them: everything of their own jobs, and the public properties of jobs on
 * datasets that they manage. Jobs about particular indexes are included only if their `about` is in `visibleSubjects`.
 * Only the starter sees segments: their number would disclose how many files somebody sent.
 */
export interface JobRepository {
  /** Returns the distinct subjects of jobs that other people started, without jobs that have none. */
  subjectsOfOthers(actor: Member, selector: JobSelector): Promise<SubjectsText[]>;
  /** Returns the subjects of a job; undefined if it has none. */
  aboutOf(id: string): Promise<JobSubjects | undefined>;
  /** @param datasetId undefined for the jobs that the actor started on any dataset */
  list(
    actor: Member,
    datasetId: string | undefined,
    visibleSubjects: readonly string[],
    list: ListQuery,
  ): Promise<Page<Job>>;
  find(actor: Member, id: string, visibleSubjects: readonly string[]): Promise<Job | undefined>;
  /** Whether the actor started the job, with the present credential or, for people, with one of their keys. */
  hasStarted(actor: Member, id: string): Promise<boolean>;
  /** Segments of jobs that the actor started. */
  listSegments(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Segment>>;
  findSegment(actor: Member, id: string): Promise<Segment | undefined>;
}

const timestamp = (column: string) => sql<Date | null>`${sql.ref(column)}`;

/** SQL for whether the actor started the job. People also own the jobs of their keys; a key owns only its own jobs. */
export const isStartedBy = ({ accountId, credential }: Member): RawBuilder<boolean> => {
  const scopeText = credentialText(credential);
  return scopeText === null
    ? sql<boolean>`jobs.account_id = ${accountId}`
    : sql<boolean>`(jobs.account_id = ${accountId} and jobs.credential = ${scopeText})`;
};

/** SQL for a column that is null for everybody except the person who started the job. */
const ownOnly = <T>(actor: Member, column: RawBuilder<T>): RawBuilder<T | null> =>
  sql<T | null>`case when ${isStartedBy(actor)} then ${column} end`;

const jobColumns = (actor: Member) => ({
  id: sql.ref<string>('jobs.id'),
  type: sql.ref<Job['type']>('jobs.type'),
  status: sql.ref<Job['status']>('jobs.status'),
  error: ownOnly(actor, sql.ref<string | null>('jobs.error')),
  stage: ownOnly(actor, sql.ref<number>('jobs.stage')),
  totalStages: ownOnly(actor, sql.ref<number>('jobs.total_stages')),
  progress: ownOnly(actor, sql.ref<number>('jobs.progress')),
  recordCount: ownOnly(actor, sql.ref<number | null>('jobs.record_count')),
  datasetId: sql.ref<string>('jobs.dataset_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  userId: sql.ref<string>('jobs.account_id'),
  createdAt: sql.ref<Date>('jobs.created_at'),
  startedAt: timestamp('jobs.started_at'),
  endedAt: timestamp('jobs.ended_at'),
});

/**
 * A value of a segment, which is null where the connection has a minimum label: sizes would measure hidden rows, and errors may
 * repeat them. The receipt shows them to people who satisfy the label.
 */
const withoutMinimumLabel = <Value>(value: RawBuilder<Value>) => sql<Value | null>`case
  when segments.upload_id is null or exists (
    select from uploads where uploads.id = segments.upload_id
      and (uploads.options::jsonb ->> 'minimumLabel') is null
  ) then ${value} end`;

const segmentColumns = (actor: Member) => ({
  id: sql.ref<string>('segments.id'),
  number: sql.ref<number>('segments.number'),
  stage: sql.ref<number>('segments.stage'),
  status: sql.ref<Segment['status']>('segments.status'),
  error: withoutMinimumLabel(sql.ref<string | null>('segments.error')),
  datasetId: sql.ref<string>('jobs.dataset_id'),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
  jobId: sql.ref<string>('segments.job_id'),
  processedBy: sql.ref<string | null>('segments.processed_by'),
  uploadId: sql.ref<string | null>('segments.upload_id'),
  bytesRead: withoutMinimumLabel(sql.ref<number | null>('ingest_files.bytes_read')),
  bytesTotal: withoutMinimumLabel(sql.ref<number | null>('ingest_files.size')),
  // The receipt counts the visible records of a stored connection; the total would tell of hidden ones.
  recordCount: sql<number | null>`case when not exists (
      select from uploads where uploads.id = segments.upload_id and uploads.connection_id is not null
    ) then ingest_files.written end`,
});

/**
 * Whether an upload has messages that come through a stored connection: its files are as many as the cluster has sent, also
 * where the starter sees none of the records.
 */
export const hasHiddenFiles = sql<boolean>`(uploads.connection_id is not null
  and coalesce(uploads.options::jsonb #>> '{reading,format}' = ${messagesFormat}, false))`;

const isOfHiddenMessages = sql<boolean>`exists (
  select from uploads where uploads.id = segments.upload_id and ${hasHiddenFiles})`;

export const createJobRepository = (db: Db): JobRepository => {
  const inWorkspace = (actor: Member) =>
    db
      .selectFrom('jobs')
      .innerJoin('datasets', 'datasets.id', 'jobs.dataset_id')
      .where('jobs.workspace_uid', '=', actor.workspace.uniqueId);

  const isManaged = (actor: Member) =>
    sql<boolean>`(${selectAccessBits(db, actor)}) & ${datasetAccessBits.manage}::integer <> 0`;

  const visibleTo = (actor: Member, visibleSubjects: readonly string[]) =>
    inWorkspace(actor).where((row) =>
      row.or([
        isStartedBy(actor),
        row.and([
          row.or([row('jobs.about', 'is', null), row('jobs.about', 'in', textListSubquery(visibleSubjects))]),
          isManaged(actor),
        ]),
      ]),
    );

  const selectJobs = (actor: Member, visibleSubjects: readonly string[]) => {
    const columns = jobColumns(actor);
    return visibleTo(actor, visibleSubjects).select([
      columns.id.as('id'),
      columns.type.as('type'),
      columns.status.as('status'),
      ownOnly(actor, sql.ref<string>('jobs.config')).as('config'),
      columns.error.as('error'),
      ownOnly(actor, sql.ref<string | null>('jobs.error_name')).as('errorName'),
      ownOnly(actor, sql.ref<number | null>('jobs.error_code')).as('errorCode'),
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
      .where((row) => row.not(isOfHiddenMessages))
      .leftJoin('ingest_files', (join) =>
        join.onRef('ingest_files.segment_id', '=', 'segments.id').on((row) =>
          // Whether the file of a removed upload is still kept depends on records that the starter may not see.
          row.exists(
            row
              .selectFrom('uploads')
              .whereRef('uploads.id', '=', 'ingest_files.upload_id')
              .where('uploads.removed_at', 'is', null)
              .select('uploads.id'),
          ),
        ),
      )
      .select([
        columns.id.as('id'),
        columns.number.as('number'),
        sql.ref<string>('segments.config').as('config'),
        columns.stage.as('stage'),
        columns.status.as('status'),
        columns.error.as('error'),
        sql.ref<string | null>('segments.error_name').as('errorName'),
        sql.ref<number | null>('segments.error_code').as('errorCode'),
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
    subjectsOfOthers: (actor, selector) => {
      const others = inWorkspace(actor)
        .where('jobs.about', 'is not', null)
        .where((row) => row.not(isStartedBy(actor)))
        .select(['jobs.dataset_id as datasetId', 'jobs.about as about'])
        .distinct()
        .$narrowType<{ about: string }>();
      if ('datasetId' in selector) return others.where('jobs.dataset_id', '=', selector.datasetId).execute();
      return others.where('jobs.id', '=', selector.jobId).execute();
    },
    aboutOf: async (id) => {
      const row = await db.selectFrom('jobs').where('id', '=', id).select('about').executeTakeFirst();
      return row?.about ? (JSON.parse(row.about) as JobSubjects) : undefined;
    },
    list: async (actor, datasetId, visibleSubjects, list) => {
      const selected = selectJobs(actor, visibleSubjects);
      const query =
        datasetId === undefined
          ? selected.where(isStartedBy(actor))
          : selected.where('jobs.dataset_id', '=', datasetId);
      const columns = jobColumns(actor);
      const page = await readPage(query, list, columns, columns.id);
      return { ...page, data: page.data.map(presentJob) };
    },
    find: async (actor, id, visibleSubjects) => {
      const row = await selectJobs(actor, visibleSubjects).where('jobs.id', '=', id).executeTakeFirst();
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
      return { ...page, data: page.data.map(present) };
    },
    findSegment: async (actor, id) => {
      const row = await selectSegments(actor).where('segments.id', '=', id).executeTakeFirst();
      return row && present(row);
    },
  };
};

interface StoredColumns {
  config: string | null;
  error: string | null;
  errorName: string | null;
  errorCode: number | null;
}

const present = <Row extends StoredColumns>({
  config,
  error,
  errorName,
  errorCode,
  ...row
}: Row): Omit<Row, keyof StoredColumns> & Pick<Job, 'config' | 'error'> => ({
  ...row,
  config: config === null ? null : (JSON.parse(config) as Record<string, unknown>),
  error: toJobError(error, errorName, errorCode),
});

interface JobTimes extends StoredColumns {
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

const presentJob = (row: Omit<Job, keyof JobTimes> & JobTimes): Job => ({
  ...present(row),
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
});
