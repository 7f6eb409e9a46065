import { isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import { unnamedFile } from './unnamed-file.ts';

/** What a reader sees of the files of a dataset. */
export interface VisibleFiles {
  /** The number of visible records of each file, by its id. */
  counts: ReadonlyMap<string, number>;
  /** The name of a file that the reader did not send. */
  nameOf(file: { id: string; readerName: string }): string;
}

export type FindVisibleFiles = (actor: Member, datasetId: string) => Promise<VisibleFiles>;

/** The names of files for a reader. The column `file_name` of documents has them, so who may not see it gets no names. */
export const namesFor =
  ({ hidden }: Pick<VisibleLabels, 'hidden'>): VisibleFiles['nameOf'] =>
  ({ id, readerName }) =>
    isHiddenPath(hidden, 'file_name') ? unnamedFile(id) : readerName;

/** Nothing is visible without the right to read, or if the dataset does not exist. */
export const createFindVisibleFiles =
  ({
    access,
    held,
    store,
  }: {
    access: Pick<DatasetAccess, 'resolve'>;
    held: Pick<HeldAttributes, 'heldTokens'>;
    store: Pick<RecordStore, 'countByFile' | 'visibleLabels'>;
  }): FindVisibleFiles =>
  async (actor, datasetId) => {
    const accessible = await access.resolve(actor, datasetId).catch(() => undefined);
    if (accessible?.permissions.read !== true)
      return { counts: new Map(), nameOf: ({ id }) => unnamedFile(id) };
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    const scope = { datasetId: accessible.dataset.id, visible, person: actor.accountId };
    return { counts: await store.countByFile(scope), nameOf: namesFor(visible) };
  };
