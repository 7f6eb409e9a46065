import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { ObjectDrops } from './object-drops.ts';
import type { EndedFile, UploadFileRepository } from './upload-file.repository.ts';

/** Removes uploads and their files when records are deleted. */
export interface UploadFiles {
  /** The ids of the files of an upload. */
  filesOf(uploadId: string): Promise<string[]>;
  /** Takes an upload out of the lists of the actor, if they made it. */
  remove(actor: Member, uploadId: string): Promise<void>;
  /** Deletes stored files that have no records left, hidden ones included. Call it after records were deleted. */
  tidy(datasetId: string): Promise<void>;
  /**
   * After a job cleared a dataset: deletes the uploads whose jobs had ended when it was requested. All of their records
   * were there to be cleared. Others are kept, whether or not they stored records since, which their owner may not see.
   */
  clear(datasetId: string, jobId: string): Promise<void>;
}

export const createUploadFiles = ({
  repository,
  store,
  drops,
  clock,
}: {
  repository: UploadFileRepository;
  store: Pick<RecordStore, 'filesInUse' | 'settleBlocks'>;
  drops: Pick<ObjectDrops, 'drain'>;
  clock: Clock;
}): UploadFiles => {
  const removeUnused = async (
    datasetId: string,
    isUploadGone: (file: EndedFile) => boolean,
    clearJobId?: string,
  ): Promise<void> => {
    const ended = await repository.endedFiles(datasetId, clearJobId);
    if (ended.length === 0) return;
    await store.settleBlocks(datasetId);
    const inUse = await store.filesInUse(datasetId);
    const used = new Set(ended.filter(({ id }) => inUse.has(id)).map(({ uploadId }) => uploadId));
    const gone = ended.filter((file) => isUploadGone(file) && !used.has(file.uploadId));
    await repository.remove([...new Set(gone.map(({ uploadId }) => uploadId))]);
    // Deleting the stored file discloses nothing: its job can never run again, and its receipt and rejected rows remain.
    const unused = ended.filter(({ id, isDone, written }) => isDone && written > 0 && !inUse.has(id));
    await repository.dropObjects(unused.map(({ id }) => id));
    await drops.drain();
  };
  return {
    filesOf: async (uploadId) => (await repository.filesOf([uploadId])).map(({ id }) => id),
    remove: (actor, uploadId) => repository.markRemoved(actor, uploadId, clock.now()),
    tidy: (datasetId) => removeUnused(datasetId, ({ isRemoved }) => isRemoved),
    clear: (datasetId, jobId) => removeUnused(datasetId, ({ isBeforeClear }) => isBeforeClear, jobId),
  };
};
