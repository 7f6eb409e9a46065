import type { CurrentUserPermissions } from '@redoubt/contract';
import { forbidden, notFound } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { DatasetAction } from '../../platform/db/schema.ts';
import {
  accessBits,
  type DatasetAccessRepository,
  type DatasetAccessRow,
} from './dataset-access.repository.ts';

/** A dataset with what the actor may do with it: at least one of the three. */
export interface AccessibleDataset {
  dataset: DatasetAccessRow['dataset'];
  permissions: CurrentUserPermissions;
}

export interface DatasetAccess {
  /** @throws NotFoundError 404 where there is no such dataset, and where the actor may do nothing with it. */
  resolve(actor: Member, datasetId: string): Promise<AccessibleDataset>;
  /** As `resolve`. @throws ForbiddenError 403 where the actor may do something else, and not this. */
  requireAction(actor: Member, datasetId: string, action: DatasetAction): Promise<AccessibleDataset>;
  /** The datasets that the actor may read whose id or name is one of these; names in any case of A to Z. */
  readable(actor: Member, names: readonly string[]): Promise<AccessibleDataset[]>;
  /** All datasets that the actor may read, or those with these ids, by name. */
  allReadable(actor: Member, ids?: readonly string[]): Promise<AccessibleDataset[]>;
}

export const permissionsFrom = (bits: number): CurrentUserPermissions => ({
  read: (bits & accessBits.read) !== 0,
  write: (bits & accessBits.write) !== 0,
  manage: (bits & accessBits.manage) !== 0,
});

const readableOf = (rows: readonly DatasetAccessRow[]): AccessibleDataset[] =>
  rows
    .map(({ dataset, bits }) => ({ dataset, permissions: permissionsFrom(bits) }))
    .filter(({ permissions }) => permissions.read);

/** Asks the metadata database afresh each time, so that a revoked grant is gone with the next request. */
export const createDatasetAccess = (repository: DatasetAccessRepository): DatasetAccess => {
  const resolve = async (actor: Member, datasetId: string): Promise<AccessibleDataset> => {
    const row = await repository.find(actor, datasetId);
    if (row === undefined) throw notFound('dataset', datasetId);
    return { dataset: row.dataset, permissions: permissionsFrom(row.bits) };
  };
  return {
    resolve,
    readable: async (actor, names) => readableOf(await repository.findNamed(actor, names)),
    allReadable: async (actor, ids) => readableOf(await repository.findAll(actor, ids)),
    requireAction: async (actor, datasetId, action) => {
      const accessible = await resolve(actor, datasetId);
      if (!accessible.permissions[action]) {
        throw forbidden(
          `You may not ${action} the dataset "${datasetId}": ask whoever manages it to grant "${action}" to a group that you are in.`,
        );
      }
      return accessible;
    },
  };
};
