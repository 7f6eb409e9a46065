import {
  accessRules,
  evaluateRule,
  fullRights,
  describeAllowedActors,
  type OperationId,
  type ActorClass,
  type ObjectRelation,
  type Privilege,
  type WorkspaceRole,
} from '@redoubt/contract';
import { forbidden } from '@redoubt/errors';
import { hasOwnDatasets, hasPrivileges, isAdmin, type Member, type Person } from './actor.ts';

/** The privileges of the actor in the workspace: none for a key or an application. */
const privilegesOf = (actor: Person): Privilege[] => [
  ...(isAdmin(actor) ? (['admin'] as const) : []),
  ...(hasPrivileges(actor) ? (actor.workspace?.codes ?? []) : []),
];

/** The actor's classes in the access table. Every actor is a `colleague`, because the object is in their workspace. */
const classesOf = (actor: Person, relations: readonly ObjectRelation[]): ReadonlySet<ActorClass> =>
  new Set<ActorClass>(['everyone', 'colleague', ...privilegesOf(actor), ...relations]);

/**
 * Whether the access table allows the actor to make the call.
 * @param relations what the actor is to the object of the call, such as its owner
 */
export const canCall = (
  actor: Person,
  operation: OperationId,
  relations: readonly ObjectRelation[] = [],
): boolean => evaluateRule(accessRules[operation], classesOf(actor, relations)) === 'allowed';

/**
 * Checks the access table. The caller has already checked that the actor may know about the object at all.
 * @param action completes "Only … may …"
 * @param relations what the actor is to the object of the call, such as its owner
 * @throws ForbiddenError 403 if the table does not allow the call
 */
export const requireCall = (
  actor: Person,
  operation: OperationId,
  action: string,
  relations: readonly ObjectRelation[] = [],
): void => {
  if (!canCall(actor, operation, relations)) {
    throw forbidden(`Only ${describeAllowedActors(accessRules[operation])} may ${action}: ask one of them.`);
  }
};

/**
 * Whether the object of the call is visible to an actor with these relations. If not, the response is the same as for an
 * absent object.
 */
export const canSeeObject = (
  actor: Person,
  operation: OperationId,
  relations: readonly ObjectRelation[],
): boolean => {
  const classes = classesOf(actor, relations);
  return accessRules[operation].sees?.some((actorClass) => classes.has(actorClass)) ?? false;
};

/** Whether the actor may see every object of this kind in the workspace, even those that they have no relation to. */
export const canSeeAllObjects = (actor: Person, operation: OperationId): boolean =>
  canSeeObject(actor, operation, []);

/** Whether this relation alone lets an actor know about the object. */
export const isVisibleByRelation = (operation: OperationId, relation: ObjectRelation): boolean =>
  accessRules[operation].sees?.includes(relation) ?? false;

/**
 * Whether the actor may manage all datasets of the workspace: admins and holders of the permission may, and so may an
 * application that acts for one of them.
 */
export const hasRightsOnAllDatasets = (actor: Member): boolean => {
  const { role, codes } = actor.workspace;
  const held = fullRights.some((actorClass) =>
    actorClass === 'admin' ? role === 'admin' : actorClass !== 'owner' && codes.has(actorClass),
  );
  return held && hasOwnDatasets(actor);
};

/**
 * Only admins may create, change and remove admins.
 * @param role the role that another person has or is to get; undefined if it does not change
 * @throws ForbiddenError 403
 */
export const requireRoleAtMostOwn = (actor: Person, role: WorkspaceRole | undefined): void => {
  if (role === 'admin' && !isAdmin(actor)) {
    throw forbidden('Only admins of the workspace may create, change and remove admins: ask one of them.');
  }
};
