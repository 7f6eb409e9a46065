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
  /** Deletes stored files of which no record is left, not even a hidden one. Call it after records were deleted. */
  tidy(datasetId: string): Promise<void>;
  /**
   * Call it after a job has cleared a dataset. Deletes uploads without records whose jobs had ended when the clear was
   * requested: all of their records existed by then. Uploads of other jobs stay, even without records: their owner may
   * not know whether they have hidden ones.
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
    const isUsed = ({ id }: EndedFile): boolean => id !== null && inUse.has(id);
    const used = new Set(ended.filter(isUsed).map(({ uploadId }) => uploadId));
    const gone = ended.filter((file) => isUploadGone(file) && !used.has(file.uploadId));
    await repository.remove([...new Set(gone.map(({ uploadId }) => uploadId))]);
    // Deleting the stored file discloses nothing: its job can never run again, and its receipt and rejected rows remain.
    const unused = ended.filter((file) => file.isDone && file.written > 0 && !isUsed(file));
    await repository.dropObjects(unused.flatMap(({ id }) => id ?? []));
    await drops.drain();
  };
  return {
    filesOf: async (uploadId) => (await repository.filesOf([uploadId])).map(({ id }) => id),
    remove: (actor, uploadId) => repository.markRemoved(actor, uploadId, clock.now()),
    tidy: (datasetId) => removeUnused(datasetId, ({ isRemoved }) => isRemoved),
    clear: (datasetId, jobId) => removeUnused(datasetId, ({ isBeforeClear }) => isBeforeClear, jobId),
  };
};
