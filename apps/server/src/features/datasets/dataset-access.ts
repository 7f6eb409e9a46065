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

/** A dataset with what the actor may do with it: at least one of the three. */
export interface AccessibleDataset {
  dataset: DatasetAccessRow['dataset'];
  permissions: CurrentUserPermissions;
}

export interface DatasetAccess {
  /** @throws NotFoundError 404 where there is no such dataset, and where the actor may do nothing with it. */
  resolve(actor: Member, datasetId: string): Promise<AccessibleDataset>;
  /**
   * The dataset, if the table of rules lets the actor make the call for it.
   * @param relations what the actor is to the thing of the call, beside what they may do with the dataset
   * @throws NotFoundError 404 where there is no such dataset, or the actor does not know of it
   * @throws ForbiddenError 403 where the actor may do something else, and not this
   */
  requireCall(
    actor: Member,
    datasetId: string,
    operation: OperationId,
    relations?: readonly ObjectRelation[],
  ): Promise<AccessibleDataset>;
  /** Those for which the actor may make the call whose id or name is one of these; names in any case of A to Z. */
  named(actor: Member, operation: OperationId, names: readonly string[]): Promise<AccessibleDataset[]>;
  /** All for which the actor may make the call, or those with these ids, by name. */
  all(actor: Member, operation: OperationId, ids?: readonly string[]): Promise<AccessibleDataset[]>;
}

export const permissionsFrom = (bits: number): CurrentUserPermissions => ({
  read: (bits & datasetAccessBits.read) !== 0,
  write: (bits & datasetAccessBits.write) !== 0,
  manage: (bits & datasetAccessBits.manage) !== 0,
});

/** What the actor is to a dataset, as the table of rules names it. */
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

const accessible = ({ dataset, bits }: DatasetAccessRow): AccessibleDataset => ({
  dataset,
  permissions: permissionsFrom(bits),
});

const actions = ['read', 'write', 'manage'] as const;

const refusal = (operation: OperationId, datasetId: string, permissions: CurrentUserPermissions): string => {
  const wanted = actions.filter((action) =>
    accessRules[operation].may.some((power) => power.split('-and-').includes(action)),
  );
  const lacking = wanted.find((action) => !permissions[action]);
  return lacking === undefined
    ? `Only ${describeAllowedActors(accessRules[operation])} may do this with the dataset "${datasetId}": ask one of them.`
    : `You may not ${lacking} the dataset "${datasetId}": ask whoever manages it to grant "${lacking}" to a group that you are in.`;
};

/** Those of the datasets for which the actor may make the call. */
const allowed = (
  actor: Member,
  operation: OperationId,
  rows: readonly DatasetAccessRow[],
): AccessibleDataset[] =>
  rows.map(accessible).filter((found) => canCall(actor, operation, relationsTo(actor, found)));

/** Asks the metadata database afresh each time, so that a revoked grant is gone with the next request. */
export const createDatasetAccess = (repository: DatasetAccessRepository): DatasetAccess => {
  const resolve = async (actor: Member, datasetId: string): Promise<AccessibleDataset> => {
    const row = await repository.find(actor, datasetId);
    if (row === undefined) throw notFound('dataset', datasetId);
    return accessible(row);
  };
  return {
    named: async (actor, operation, names) =>
      allowed(actor, operation, await repository.findNamed(actor, names)),
    all: async (actor, operation, ids) => allowed(actor, operation, await repository.findAll(actor, ids)),
    resolve,
    requireCall: async (actor, datasetId, operation, others = []) => {
      const found = await resolve(actor, datasetId);
      const relations = [...relationsTo(actor, found), ...others];
      if (canCall(actor, operation, relations)) return found;
      if (!canSeeObject(actor, operation, relations)) throw notFound('dataset', datasetId);
      throw forbidden(refusal(operation, datasetId, found.permissions));
    },
  };
};
