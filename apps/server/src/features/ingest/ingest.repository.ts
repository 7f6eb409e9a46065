import type { JobError, JobStatus } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { addSegments, errorColumns, type NewJob, type NewSegment } from '../../platform/jobs/index.ts';
import type { IngestOptions } from './ingest-options.ts';

/** A file of a new upload. */
export interface NewFile {
  id: string;
  segmentId: string;
  name: string;
  /** The name for readers who did not start the job, if it differs. */
  readerName?: string | undefined;
  /** Only for a file to fetch. */
  sealedSource?: string | undefined;
  /** Only for a file that was uploaded. */
  stored?: StoredObject | undefined;
}

export interface StoredObject {
  objectName: string;
  size: number;
  sha256: string;
}

export interface NewUpload {
  id: string;
  datasetId: string;
  jobId: string;
  options: IngestOptions;
  customMetadata: string | undefined;
  createdAt: Date;
  files: readonly NewFile[];
  /** The source whose segments the job has to list. */
  sealedSource?: string | undefined;
  /** The earlier job after which an append reads rows. */
  continuedJob?: string | undefined;
}

/** An upload as its job needs it. */
export interface StoredUpload {
  id: string;
  datasetId: string;
  options: IngestOptions;
  customMetadata: string | undefined;
  /** Null once its segments are listed; for a source without end, once it has been read to its end. */
  sealedSource: string | null;
}

/** A file with the state of its segment. */
export interface IngestFile {
  id: string;
  segmentId: string;
  name: string;
  /** The name for readers who did not start the job. */
  readerName: string;
  status: JobStatus;
  error: string | null;
  sealedSource: string | null;
  sealedVersion: string | null;
  isUnchanged: boolean;
  objectName: string | null;
  size: number | null;
  sha256: string | null;
  nextRow: number;
  written: number;
  rejected: number;
  dropped: number;
  duplicate: number;
  /** The archives and compressions around it, outermost first, as a JSON array; null until it is opened. */
  containers: string | null;
  replaced: number;
  replayed: number;
}

export interface IngestRepository {
  /** The upload of a job, unless its starter has removed it. */
  uploadOf(jobId: string): Promise<StoredUpload | undefined>;
  /** Stores the segments of a source that were listed, unless another worker has stored them already. */
  setListed(upload: Pick<NewUpload, 'files' | 'id' | 'jobId'>, keepsSource: boolean): Promise<void>;
  /** The files of a job in their order. */
  filesOf(jobId: string): Promise<IngestFile[]>;
  file(id: string): Promise<IngestFile | undefined>;
  setSegment(id: string, state: SegmentState): Promise<void>;
  /**
   * Stores where a fetched file is, and its name for readers if the host sent one.
   * @returns false if another worker has already fetched the file
   */
  setStored(
    fileId: string,
    /** @param duplicates rows that were left out, because an earlier job has read them */
    stored: StoredObject & { duplicates: number },
    sealedVersion: string,
    readerName: string | undefined,
  ): Promise<boolean>;
  /** @param documentFormat only for a document */
  setOpened(fileId: string, containers: readonly string[], documentFormat: string | undefined): Promise<void>;
  /** Records that a file was not fetched, because its host reports the version of an earlier job. */
  setUnchanged(fileId: string, sealedVersion: string): Promise<void>;
  setBytesRead(fileId: string, bytes: number): Promise<void>;
  /** The names of a file of a dataset, and the job that stored its rows. */
  originOf(
    datasetId: string,
    fileId: string,
  ): Promise<{ name: string; readerName: string; jobId: string; connectionId: string | null } | undefined>;
  /** The dataset of an ingest job, and whether its starter has removed the upload. */
  datasetOfJob(
    workspaceUid: string,
    jobId: string,
  ): Promise<{ datasetId: string; isRemoved: boolean } | undefined>;
}

export interface SegmentState {
  status: JobStatus;
  error?: JobError | null;
  stage?: number;
  worker?: string;
}

/** The segments of the files of an upload. */
export const segmentsOf = ({ id, files }: Pick<NewUpload, 'files' | 'id'>): NewSegment[] =>
  files.map((file) => ({ id: file.segmentId, config: { fileId: file.id, name: file.name }, uploadId: id }));

/** Stores an upload together with its job. */
export const storeUpload =
  (upload: NewUpload): NonNullable<NewJob['beside']> =>
  async (trx) => {
    const { id, datasetId, jobId, options, customMetadata, createdAt, files, sealedSource = null } = upload;
    await trx
      .insertInto('uploads')
      .values({
        id,
        dataset_id: datasetId,
        job_id: jobId,
        options: JSON.stringify(options),
        custom_metadata: customMetadata ?? null,
        created_at: createdAt,
        sealed_source: sealedSource,
        connection_id: options.connectionId ?? null,
        continued_job: upload.continuedJob ?? null,
      })
      .execute();
    await storeFiles(trx, upload);
    const names = files.flatMap(({ stored }) => stored?.objectName ?? []);
    if (names.length > 0) await trx.deleteFrom('object_drops').where('object_name', 'in', names).execute();
  };

/** The number of files of one statement. */
const filesAtOnce = 500;

/** Stores files of an upload; their numbers begin with `firstNumber`. */
export const storeFiles = async (
  trx: Db,
  { id, files }: Pick<NewUpload, 'files' | 'id'>,
  firstNumber = 0,
): Promise<void> => {
  const rows = files.map(({ id: fileId, segmentId, name, readerName, sealedSource, stored }, index) => ({
    id: fileId,
    upload_id: id,
    segment_id: segmentId,
    number: firstNumber + index,
    name,
    reader_name: readerName ?? null,
    sealed_source: sealedSource ?? null,
    object_name: stored?.objectName ?? null,
    size: stored?.size ?? null,
    sha256: stored?.sha256 ?? null,
  }));
  for (let from = 0; from < rows.length; from += filesAtOnce)
    await trx
      .insertInto('ingest_files')
      .values(rows.slice(from, from + filesAtOnce))
      .execute();
};

/** The name of a file for readers who did not start its job. */
export const readerName = sql<string>`coalesce(ingest_files.reader_name, ingest_files.name)`.as('readerName');

/** The columns of an `IngestFile`. */
export const fileColumns = [
  'ingest_files.id',
  'ingest_files.segment_id as segmentId',
  'ingest_files.name',
  readerName,
  'segments.status',
  'segments.error',
  'ingest_files.sealed_source as sealedSource',
  'ingest_files.sealed_version as sealedVersion',
  'ingest_files.is_unchanged as isUnchanged',
  'ingest_files.object_name as objectName',
  'ingest_files.size',
  'ingest_files.sha256',
  'ingest_files.next_row as nextRow',
  'ingest_files.written',
  'ingest_files.rejected',
  'ingest_files.dropped',
  'ingest_files.duplicate',
  'ingest_files.containers',
  'ingest_files.replaced',
  'ingest_files.replayed',
] as const;

export const createIngestRepository = (db: Db): IngestRepository => {
  const files = () =>
    db.selectFrom('ingest_files').innerJoin('segments', 'segments.id', 'ingest_files.segment_id');
  return {
    uploadOf: async (jobId) => {
      const row = await db
        .selectFrom('uploads')
        .where('job_id', '=', jobId)
        .where('removed_at', 'is', null)
        .selectAll()
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          datasetId: row.dataset_id,
          options: JSON.parse(row.options) as IngestOptions,
          customMetadata: row.custom_metadata ?? undefined,
          sealedSource: row.sealed_source,
        }
      );
    },
    setListed: (upload, keepsSource) =>
      db.transaction().execute(async (trx) => {
        const first = await trx
          .updateTable('uploads')
          .set((row) => ({ sealed_source: keepsSource ? row.ref('sealed_source') : null }))
          .where('id', '=', upload.id)
          .where('sealed_source', 'is not', null)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('ingest_files').where('upload_id', '=', upload.id).select('id'))),
          )
          .returning('id')
          .executeTakeFirst();
        if (first === undefined) return;
        await addSegments(trx, upload.jobId, segmentsOf(upload));
        await storeFiles(trx, upload);
      }),
    filesOf: (jobId) =>
      files()
        .where('segments.job_id', '=', jobId)
        .select(fileColumns)
        .orderBy('ingest_files.number')
        .execute(),
    file: (id) => files().where('ingest_files.id', '=', id).select(fileColumns).executeTakeFirst(),
    setSegment: async (id, { status, error = null, stage, worker }) => {
      await db
        .updateTable('segments')
        .set({
          status,
          ...errorColumns(error),
          ...(stage === undefined ? {} : { stage }),
          ...(worker === undefined ? {} : { processed_by: worker }),
        })
        .where('id', '=', id)
        .execute();
    },
    setStored: (fileId, { objectName, size, sha256, duplicates }, sealedVersion, shownName) =>
      db.transaction().execute(async (trx) => {
        const first = await trx
          .updateTable('ingest_files')
          .set((row) => ({
            object_name: objectName,
            duplicate: row('duplicate', '+', duplicates),
            size,
            sha256,
            sealed_source: null,
            sealed_version: sealedVersion,
            ...(shownName === undefined ? {} : { reader_name: shownName }),
          }))
          .where('id', '=', fileId)
          .where('object_name', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (first === undefined) return false;
        await trx.deleteFrom('object_drops').where('object_name', '=', objectName).execute();
        return true;
      }),
    setOpened: async (fileId, containers, documentFormat) => {
      await db
        .updateTable('ingest_files')
        .set({ containers: JSON.stringify(containers), document_format: documentFormat ?? null })
        .where('id', '=', fileId)
        .execute();
    },
    setUnchanged: async (fileId, sealedVersion) => {
      await db
        .updateTable('ingest_files')
        .set({ is_unchanged: true, sealed_source: null, sealed_version: sealedVersion })
        .where('id', '=', fileId)
        .execute();
    },
    setBytesRead: async (fileId, bytes) => {
      await db
        .updateTable('ingest_files')
        .set({ bytes_read: sql<number>`least(${bytes}::double precision, coalesce(size, 0))` })
        .where('id', '=', fileId)
        .execute();
    },
    originOf: (datasetId, fileId) =>
      db
        .selectFrom('ingest_files')
        .innerJoin('uploads', 'uploads.id', 'ingest_files.upload_id')
        .where('uploads.dataset_id', '=', datasetId)
        .where('ingest_files.id', '=', fileId)
        .select([
          'ingest_files.name',
          readerName,
          'uploads.job_id as jobId',
          'uploads.connection_id as connectionId',
        ])
        .executeTakeFirst(),
    datasetOfJob: async (workspaceUid, jobId) => {
      const row = await db
        .selectFrom('jobs')
        .innerJoin('uploads', 'uploads.job_id', 'jobs.id')
        .where('jobs.id', '=', jobId)
        .where('jobs.workspace_uid', '=', workspaceUid)
        .select(['uploads.dataset_id', 'uploads.removed_at'])
        .executeTakeFirst();
      return row && { datasetId: row.dataset_id, isRemoved: row.removed_at !== null };
    },
  };
};
