import { maxListedFiles, type Job, type ListQuery, type Upload } from '@redoubt/contract';
import { badRequest, forbidden, notFound } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { Page } from '../../platform/db/list.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob } from '../jobs/index.ts';
import type { UploadFileRepository, UploadFileRow, UploadRow } from './upload-file.repository.ts';
import type { FindVisibleFiles, VisibleFiles } from './visible-files.ts';

export interface UploadListService {
  list(actor: Member, datasetId: string, list: ListQuery): Promise<Page<Upload>>;
  /** Starts a job that deletes the records of an upload that the actor sees. */
  remove(actor: Member, id: string): Promise<Job>;
}

export interface UploadListServiceDeps {
  access: Pick<DatasetAccess, 'requireCall' | 'resolve'>;
  findVisible: FindVisibleFiles;
  repository: Pick<UploadFileRepository, 'filesOf' | 'find' | 'list'>;
  startJob: StartJob;
}

const present = (
  { id, datasetId, jobId, createdAt, isOwn, hasHiddenFiles }: UploadRow,
  files: readonly UploadFileRow[],
  { counts, nameOf }: VisibleFiles,
): Upload => {
  const shown = files.filter((file) => (isOwn && !hasHiddenFiles) || counts.has(file.id));
  return {
    id,
    datasetId,
    jobId,
    createdAt: createdAt.toISOString(),
    files: shown.slice(0, maxListedFiles).map((file) => ({
      id: file.id,
      name: isOwn ? file.name : nameOf(file),
      size: isOwn ? file.size : null,
      recordCount: counts.get(file.id) ?? 0,
    })),
    fileCount: shown.length,
    recordCount: shown.reduce((sum, file) => sum + (counts.get(file.id) ?? 0), 0),
  };
};

export const createUploadListService = ({
  access,
  findVisible,
  repository,
  startJob,
}: UploadListServiceDeps): UploadListService => ({
  list: async (actor, datasetId, list) => {
    const visible = await findVisible(actor, datasetId);
    const page = await repository.list(actor, datasetId, [...visible.counts.keys()], list);
    const files = Map.groupBy(
      await repository.filesOf(page.data.map(({ id }) => id)),
      ({ uploadId }) => uploadId,
    );
    return { ...page, data: page.data.map((upload) => present(upload, files.get(upload.id) ?? [], visible)) };
  },
  remove: async (actor, id) => {
    const upload = await repository.find(actor, id);
    if (upload === undefined) throw notFound('upload', id);
    const { datasetId, isOwn, isOpen } = upload;
    const { counts } = await findVisible(actor, datasetId);
    const files = await repository.filesOf([id]);
    if (!isOwn && !files.some((file) => counts.has(file.id))) throw notFound('upload', id);
    const found = await access.resolve(actor, datasetId).catch(() => undefined);
    if (found === undefined) {
      throw forbidden(
        'You may no longer read and write the dataset of this upload, so you cannot delete its records: ask a person who manages it.',
      );
    }
    await access.requireCall(actor, datasetId, 'deleteRecords');
    if (isOwn && isOpen) {
      throw badRequest(
        `The job "${upload.jobId}" still stores the rows of this upload. Wait for its end, or cancel it first.`,
      );
    }
    return startJob(actor, { type: 'delete-record', datasetId, config: { uploadId: id } });
  },
});
