import type { ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { openStates } from '../../platform/jobs/index.ts';
import { hasHiddenFiles, isStartedBy } from '../jobs/index.ts';
import { readerName } from './ingest.repository.ts';

export interface UploadRow {
  id: string;
  datasetId: string;
  jobId: string;
  createdAt: Date;
  /** Whether the actor made it and has not removed it. */
  isOwn: boolean;
  /** Whether its job is queued or running. */
  isOpen: boolean;
  /** Whether even the actor who made it sees only files with visible records. */
  hasHiddenFiles: boolean;
}

export interface UploadFileRow {
  id: string;
  uploadId: string;
  name: string;
  /** The name for readers who did not start its job. */
  readerName: string;
  size: number | null;
}

/** A file whose job has ended, or an upload of such a job that has no files, as when its source could not be listed. */
export interface EndedFile {
  id: string | null;
  uploadId: string;
  isRemoved: boolean;
  /** Whether its job had ended before the clear of the dataset was requested. */
  isBeforeClear: boolean;
  /** Whether the file is stored, and its job can never read it again. */
  isDone: boolean;
  written: number;
}

export interface UploadFileRepository {
  /** The uploads of a dataset that the actor made or that contain one of these files. */
  list(
    actor: Member,
    datasetId: string,
    fileIds: readonly string[],
    list: ListQuery,
  ): Promise<Page<UploadRow>>;
  /** An upload of the workspace, whether or not it is visible to the actor. */
  find(actor: Member, id: string): Promise<UploadRow | undefined>;
  filesOf(uploadIds: readonly string[]): Promise<UploadFileRow[]>;
  /** Records that the actor removed an upload of their own. Has no effect on the uploads of others. */
  markRemoved(actor: Member, id: string, now: Date): Promise<void>;
  /** @param clearJobId the job that cleared the dataset, if one did */
  endedFiles(datasetId: string, clearJobId?: string): Promise<EndedFile[]>;
  /** Deletes uploads whose jobs have ended; a trigger queues the deletion of their stored files. */
  remove(uploadIds: readonly string[]): Promise<void>;
  /** Queues the deletion of stored files whose rows remain. */
  dropObjects(fileIds: readonly string[]): Promise<void>;
}

const columns = {
  id: sql.ref<string>('uploads.id'),
  jobId: sql.ref<string>('uploads.job_id'),
  createdAt: sql.ref<Date>('uploads.created_at'),
};

/** A size is null where the connection has a minimum label, because it would measure hidden rows. */
const shownSize = sql<number | null>`case when not exists (
    select from uploads where uploads.id = ingest_files.upload_id
      and (uploads.options::jsonb ->> 'minimumLabel') is not null
  ) then ingest_files.size end`;

const isOwn = (actor: Member) => sql<boolean>`(uploads.removed_at is null and ${isStartedBy(actor)})`;
const isOpen = sql<boolean>`jobs.status in (${sql.join(openStates)})`;

export const createUploadFileRepository = (db: Db): UploadFileRepository => {
  const uploads = (actor: Member) =>
    db
      .selectFrom('uploads')
      .innerJoin('jobs', 'jobs.id', 'uploads.job_id')
      .where('jobs.workspace_uid', '=', actor.workspace.uniqueId)
      .select([
        columns.id.as('id'),
        'uploads.dataset_id as datasetId',
        columns.jobId.as('jobId'),
        columns.createdAt.as('createdAt'),
        isOwn(actor).as('isOwn'),
        isOpen.as('isOpen'),
        hasHiddenFiles.as('hasHiddenFiles'),
      ]);
  return {
    list: (actor, datasetId, fileIds, list) => {
      const query = uploads(actor)
        .where('uploads.dataset_id', '=', datasetId)
        .where((row) =>
          row.or([
            isOwn(actor),
            row(
              'uploads.id',
              'in',
              row
                .selectFrom('ingest_files')
                .where('ingest_files.id', 'in', textListSubquery(fileIds))
                .select('ingest_files.upload_id'),
            ),
          ]),
        );
      return readPage(query, list, columns, columns.id);
    },
    find: (actor, id) => uploads(actor).where('uploads.id', '=', id).executeTakeFirst(),
    filesOf: async (uploadIds) =>
      db
        .selectFrom('ingest_files')
        .where('upload_id', 'in', textListSubquery(uploadIds))
        .select(['id', 'upload_id as uploadId', 'name', readerName, shownSize.as('size')])
        .orderBy('number')
        .execute(),
    markRemoved: async (actor, id, now) => {
      await db
        .updateTable('uploads')
        .from('jobs')
        .set({ removed_at: now })
        .whereRef('jobs.id', '=', 'uploads.job_id')
        .where('uploads.id', '=', id)
        .where('uploads.removed_at', 'is', null)
        .where(isStartedBy(actor))
        .execute();
    },
    endedFiles: (datasetId, clearJobId = '') =>
      db
        .selectFrom('uploads')
        .innerJoin('jobs', 'jobs.id', 'uploads.job_id')
        .leftJoin('ingest_files', 'ingest_files.upload_id', 'uploads.id')
        .where('uploads.dataset_id', '=', datasetId)
        .where('jobs.status', 'not in', openStates)
        .select([
          'ingest_files.id',
          'uploads.id as uploadId',
          sql<boolean>`uploads.removed_at is not null`.as('isRemoved'),
          sql<boolean>`coalesce(jobs.ended_at <= (select clears.created_at from jobs as clears where clears.id = ${clearJobId}), false)`.as(
            'isBeforeClear',
          ),
          // A failed or canceled job may be retried.
          sql<boolean>`(jobs.status = 'completed' and ingest_files.object_name is not null)`.as('isDone'),
          sql<number>`coalesce(ingest_files.written, 0)`.as('written'),
        ])
        .execute(),
    remove: async (uploadIds) => {
      await db
        .deleteFrom('uploads')
        .where('id', 'in', textListSubquery(uploadIds))
        .where('job_id', 'not in', (jobs) =>
          jobs.selectFrom('jobs').where('status', 'in', openStates).select('jobs.id'),
        )
        .execute();
    },
    dropObjects: (fileIds) =>
      db.transaction().execute(async (trx) => {
        const files = await trx
          .selectFrom('ingest_files')
          .where('id', 'in', textListSubquery(fileIds))
          .where('object_name', 'is not', null)
          .select(['id', 'object_name'])
          .forUpdate()
          .execute();
        for (const { id, object_name: name } of files) {
          if (name === null) continue;
          await trx
            .insertInto('object_drops')
            .values({ object_name: name })
            .onConflict((conflict) => conflict.column('object_name').doUpdateSet({ is_receiving: false }))
            .execute();
          await trx.deleteFrom('document_parts').where('file_id', '=', id).execute();
          await trx.updateTable('ingest_files').set({ object_name: null }).where('id', '=', id).execute();
        }
      }),
  };
};
