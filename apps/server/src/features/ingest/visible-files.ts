import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';

/** Counts the visible records of each file, by the id of the file. */
export type CountVisibleRecords = (actor: Member, datasetId: string) => Promise<ReadonlyMap<string, number>>;

/** Nothing is visible without the right to read, or if the dataset does not exist. */
export const createCountVisibleRecords =
  ({
    access,
    held,
    store,
  }: {
    access: Pick<DatasetAccess, 'resolve'>;
    held: Pick<HeldAttributes, 'heldTokens'>;
    store: Pick<RecordStore, 'countByFile' | 'visibleLabels'>;
  }): CountVisibleRecords =>
  async (actor, datasetId) => {
    const accessible = await access.resolve(actor, datasetId).catch(() => undefined);
    if (accessible?.permissions.read !== true) return new Map();
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    return store.countByFile({ datasetId: accessible.dataset.id, visible, person: actor.accountId });
  };
