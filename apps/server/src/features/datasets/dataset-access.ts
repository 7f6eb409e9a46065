import {
  accessRules,
  describeAllowedActors,
  type CurrentUserPermissions,
  type OperationId,
  type ObjectRelation,
} from '@redoubt/contract';
import { forbidden, notFound } from '@redoubt/errors';
import { canSeeObject, canCall } from '../../platform/auth/access.ts';
import { hasOwnDatasets, type Member } from '../../platform/auth/actor.ts';
import {
  datasetAccessBits,
  type DatasetAccessRepository,
  type DatasetAccessRow,
} from './dataset-access.repository.ts';

/** A dataset with the actor's permissions, of which at least one is true. */
export interface AccessibleDataset {
  dataset: DatasetAccessRow['dataset'];
  permissions: CurrentUserPermissions;
}

export interface DatasetAccess {
  /** @throws NotFoundError 404 if the dataset does not exist or the actor has no permission on it */
  resolve(actor: Member, datasetId: string): Promise<AccessibleDataset>;
  /**
   * Returns the dataset if the access rules let the actor make the call for it.
   * @param relations the actor's relations to the object of the call, beyond those to the dataset
   * @throws NotFoundError 404 if the dataset does not exist or is hidden from the actor
   * @throws ForbiddenError 403 if the actor may see the dataset but not make this call
   */
  requireCall(
    actor: Member,
    datasetId: string,
    operation: OperationId,
    relations?: readonly ObjectRelation[],
  ): Promise<AccessibleDataset>;
  /** Returns the datasets with these ids or names for which the actor may make the call. Names ignore the case of A to Z. */
  named(actor: Member, operation: OperationId, names: readonly string[]): Promise<AccessibleDataset[]>;
  /** Returns the datasets for which the actor may make the call, ordered by name; only those with these ids if given. */
  all(actor: Member, operation: OperationId, ids?: readonly string[]): Promise<AccessibleDataset[]>;
}

export const permissionsFrom = (bits: number): CurrentUserPermissions => ({
  read: (bits & datasetAccessBits.read) !== 0,
  write: (bits & datasetAccessBits.write) !== 0,
  manage: (bits & datasetAccessBits.manage) !== 0,
});

/** Lists the actor's relations to a dataset, as the access rules name them. */
const relationsTo = (actor: Member, { dataset, permissions }: AccessibleDataset): ObjectRelation[] => {
  const { read, write, manage } = permissions;
  return [
    'any-right',
    ...(read ? (['read'] as const) : []),
    ...(write ? (['write'] as const) : []),
    ...(read && write ? (['read-and-write'] as const) : []),
    ...(manage ? (['manage'] as const) : []),
    ...(hasOwnDatasets(actor) && dataset.created_by === actor.accountId ? (['owner'] as const) : []),
  ];
};

const toAccessible = ({ dataset, bits }: DatasetAccessRow): AccessibleDataset => ({
  dataset,
  permissions: permissionsFrom(bits),
});

const actions = ['read', 'write', 'manage'] as const;

const describeRefusal = (
  operation: OperationId,
  datasetId: string,
  permissions: CurrentUserPermissions,
): string => {
  const needed = actions.filter((action) =>
    accessRules[operation].may.some((power) => power.split('-and-').includes(action)),
  );
  const lacking = needed.find((action) => !permissions[action]);
  return lacking === undefined
    ? `Only ${describeAllowedActors(accessRules[operation])} may do this with the dataset "${datasetId}": ask one of them.`
    : `You may not ${lacking} the dataset "${datasetId}": ask a person who manages it to grant "${lacking}" to a group that you are in.`;
};

/** Selects the datasets for which the actor may make the call. */
const selectAllowed = (
  actor: Member,
  operation: OperationId,
  rows: readonly DatasetAccessRow[],
): AccessibleDataset[] =>
  rows.map(toAccessible).filter((found) => canCall(actor, operation, relationsTo(actor, found)));

/** Reads permissions anew for every request, so that a revoked grant has no effect from the next request on. */
export const createDatasetAccess = (repository: DatasetAccessRepository): DatasetAccess => {
  const resolve = async (actor: Member, datasetId: string): Promise<AccessibleDataset> => {
    const row = await repository.find(actor, datasetId);
    if (row === undefined) throw notFound('dataset', datasetId);
    return toAccessible(row);
  };
  return {
    named: async (actor, operation, names) =>
      selectAllowed(actor, operation, await repository.findNamed(actor, names)),
    all: async (actor, operation, ids) =>
      selectAllowed(actor, operation, await repository.findAll(actor, ids)),
    resolve,
    requireCall: async (actor, datasetId, operation, relations = []) => {
      const found = await resolve(actor, datasetId);
      const allRelations = [...relationsTo(actor, found), ...relations];
      if (canCall(actor, operation, allRelations)) return found;
      if (!canSeeObject(actor, operation, allRelations)) throw notFound('dataset', datasetId);
      throw forbidden(describeRefusal(operation, datasetId, found.permissions));
    },
  };
};
