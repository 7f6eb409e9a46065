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

/** What the actor is in the workspace: nothing for a key or an application. */
const standingOf = (actor: Person): Privilege[] => [
  ...(isAdmin(actor) ? (['admin'] as const) : []),
  ...(hasPrivileges(actor) ? (actor.workspace?.codes ?? []) : []),
];

/** What is looked at is of the workspace of the actor, so they are colleagues. */
const powersOf = (actor: Person, relations: readonly ObjectRelation[]): ReadonlySet<ActorClass> =>
  new Set<ActorClass>(['everyone', 'colleague', ...standingOf(actor), ...relations]);

/**
 * Whether the table of rules lets the actor make the call.
 * @param relations what the actor is to the thing that the call is about
 */
export const canCall = (
  actor: Person,
  operation: OperationId,
  relations: readonly ObjectRelation[] = [],
): boolean => evaluateRule(accessRules[operation], powersOf(actor, relations)) === 'allowed';

/**
 * Holds the actor to the table of rules. Whether they know of the thing at all has been looked at before.
 * @param deed completes "Only … may …"
 * @param relations what the actor is to the thing that the call is about
 * @throws ForbiddenError 403 unless they may
 */
export const requireCall = (
  actor: Person,
  operation: OperationId,
  deed: string,
  relations: readonly ObjectRelation[] = [],
): void => {
  if (!canCall(actor, operation, relations)) {
    throw forbidden(`Only ${describeAllowedActors(accessRules[operation])} may ${deed}: ask one of them.`);
  }
};

/** Whether whoever is this to the thing of a call knows of it: else it is refused as what does not exist. */
export const canSeeObject = (
  actor: Person,
  operation: OperationId,
  relations: readonly ObjectRelation[],
): boolean => {
  const powers = powersOf(actor, relations);
  return accessRules[operation].sees?.some((power) => powers.has(power)) ?? false;
};

/** Whether the actor knows of every thing of the call's kind in the workspace, whatever it is to them. */
export const canSeeAllObjects = (actor: Person, operation: OperationId): boolean =>
  canSeeObject(actor, operation, []);

/** Whether whoever is this to a thing knows of it by that alone. */
export const isVisibleByRelation = (operation: OperationId, relation: ObjectRelation): boolean =>
  accessRules[operation].sees?.includes(relation) ?? false;

/**
 * Whether all datasets of the workspace are the actor's to manage: of admins and holders of the permission, and of an
 * application that acts for one.
 */
export const hasRightsOnAllDatasets = (actor: Member): boolean => {
  const { role, codes } = actor.workspace;
  const held = fullRights.some((power) =>
    power === 'admin' ? role === 'admin' : power !== 'owner' && codes.has(power),
  );
  return held && hasOwnDatasets(actor);
};

/**
 * Nobody acts on a role above their own: only admins make, change and remove admins.
 * @param role what somebody else has, or is to have; undefined where it stays as it is
 * @throws ForbiddenError 403
 */
export const requireRoleAtMostOwn = (actor: Person, role: WorkspaceRole | undefined): void => {
  if (role === 'admin' && !isAdmin(actor)) {
    throw forbidden('Only admins of the workspace make, change and remove admins: ask one of them.');
  }
};
