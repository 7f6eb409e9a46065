import { permissionCodes } from '../permission-codes.ts';
import type { RouteDescriptor } from '../core/route.ts';
import { datasetRights, evaluateRule, fullRights, type AccessRule, type ActorClass } from './access-rule.ts';

/** A kind of requester that the access rules distinguish. */
export interface ActorKind {
  name: string;
  title: string;
  credential: 'nothing' | 'unbound session' | 'session' | 'key' | 'application';
  /** Their privileges in the workspace, and their relations to the object of a call. */
  classes: ReadonlySet<ActorClass>;
}

const full: ReadonlySet<ActorClass> = new Set(fullRights);

/** The classes together with those that they imply. */
const withImpliedClasses = (classes: readonly ActorClass[]): ReadonlySet<ActorClass> => {
  const granted = classes.flatMap((actorClass) => [
    actorClass,
    ...(actorClass === 'read' || actorClass === 'write' || actorClass === 'manage'
      ? datasetRights[actorClass]
      : []),
    ...(full.has(actorClass) ? datasetRights.manage : []),
    ...(actorClass === 'group-admin' ? (['group-member'] as const) : []),
    ...(actorClass === 'connection-manager' ? (['connection-user'] as const) : []),
  ]);
  return new Set<ActorClass>(['everyone', 'colleague', ...granted]);
};

const person = (name: string, title: string, ...classes: ActorClass[]): ActorKind => ({
  name,
  title,
  credential: 'session',
  classes: withImpliedClasses(classes),
});

/** Every kind of requester. The page of access rules shows the outcome of each call for each of them. */
export const actorKinds: readonly ActorKind[] = [
  {
    name: 'nobody',
    title: 'a caller without a credential',
    credential: 'nothing',
    classes: new Set(['stranger']),
  },
  {
    name: 'no-workspace',
    title: 'a session without a workspace',
    credential: 'unbound session',
    classes: new Set(['everyone']),
  },
  person('member', 'a member without a relation to the object'),
  person('self', 'the person concerned', 'self'),
  person('admin', 'an admin of the workspace', 'admin'),
  ...permissionCodes.map((code) => person(code, `a holder of ${code}`, code)),
  person('group-admin', 'an admin of the group', 'group-admin'),
  person('group-member', 'a member of the group', 'group-member'),
  person('owner', 'the owner of the dataset', 'owner'),
  person('reader', 'someone who may read the dataset', 'read'),
  person('writer', 'someone who may write to the dataset', 'write'),
  person('manager', 'someone who may manage the dataset', 'manage'),
  person('connection-user', 'someone who may use the connection', 'connection-user'),
  person('connection-manager', 'someone who may manage the connection', 'connection-manager'),
  {
    name: 'key',
    title: 'an API key of an admin’s group, with manage on the dataset',
    credential: 'key',
    classes: withImpliedClasses(['manage', 'group-member']),
  },
  {
    name: 'mls',
    title: 'an application of kind `mls` that acts for an admin',
    credential: 'application',
    classes: withImpliedClasses(['manage', 'connection-manager']),
  },
  {
    name: 'sls',
    title: 'an application of kind `sls` that acts for an admin',
    credential: 'application',
    classes: withImpliedClasses(['manage', 'connection-manager']),
  },
];

/** The outcome of a request whose input is valid: it works, or fails with this status. */
export type ExpectedStatus = 'works' | 401 | 403 | 404;

const statuses = { allowed: 'works', forbidden: 403, hidden: 404 } as const;

/** The outcome of a call for one kind of requester, by the access rules. */
export const expectedStatus = (
  { caller, bearer }: Pick<RouteDescriptor, 'caller' | 'bearer'>,
  rule: AccessRule,
  { credential, classes }: ActorKind,
): ExpectedStatus => {
  if (credential === 'nothing' && caller !== 'anyone') return 401;
  if (bearer === true && (credential === 'key' || credential === 'application')) return 403;
  if (credential === 'unbound session' && caller === 'member') return 403;
  return statuses[evaluateRule(rule, classes)];
};
