import {
  accessRules,
  decide,
  fullRights,
  whoMay,
  type OperationId,
  type Power,
  type Relation,
  type Standing,
} from '@redoubt/contract';
import { forbidden } from '@redoubt/errors';
import { hasOwnDatasets, hasStanding, isAdmin, type Member, type Person } from './actor.ts';
import type { WorkspaceRole } from '../db/schema.ts';

/** What the actor is in the workspace: nothing for a key or an application. */
const standingOf = (actor: Person): Standing[] => [
  ...(isAdmin(actor) ? (['admin'] as const) : []),
  ...(hasStanding(actor) ? (actor.workspace?.codes ?? []) : []),
];

/** What is looked at is of the workspace of the actor, so they are colleagues. */
const powersOf = (actor: Person, relations: readonly Relation[]): ReadonlySet<Power> =>
  new Set<Power>(['everyone', 'colleague', ...standingOf(actor), ...relations]);

/**
 * Whether the table of rules lets the actor make the call.
 * @param relations what the actor is to the thing that the call is about
 */
export const mayCall = (
  actor: Person,
  operation: OperationId,
  relations: readonly Relation[] = [],
): boolean => decide(accessRules[operation], powersOf(actor, relations)) === 'allowed';

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
  relations: readonly Relation[] = [],
): void => {
  if (!mayCall(actor, operation, relations)) {
    throw forbidden(`Only ${whoMay(accessRules[operation])} may ${deed}: ask one of them.`);
  }
};

/** Whether whoever is this to the thing of a call knows of it: else it is refused as what does not exist. */
export const knows = (actor: Person, operation: OperationId, relations: readonly Relation[]): boolean => {
  const powers = powersOf(actor, relations);
  return accessRules[operation].sees?.some((power) => powers.has(power)) ?? false;
};

/** Whether the actor knows of every thing of the call's kind in the workspace, whatever it is to them. */
export const knowsAll = (actor: Person, operation: OperationId): boolean => knows(actor, operation, []);

/** Whether whoever is this to a thing knows of it by that alone. */
export const isKnownBy = (operation: OperationId, relation: Relation): boolean =>
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
export const requireRoleWithin = (actor: Person, role: WorkspaceRole | undefined): void => {
  if (role === 'admin' && !isAdmin(actor)) {
    throw forbidden('Only admins of the workspace make, change and remove admins: ask one of them.');
  }
};
