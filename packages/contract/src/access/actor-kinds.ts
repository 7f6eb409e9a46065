import { permissionCodes } from '../permission-codes.ts';
import type { RouteDescriptor } from '../core/route.ts';
import { datasetRights, evaluateRule, fullRights, type AccessRule, type ActorClass } from './access-rule.ts';

/** Somebody of a certain kind, as the table of rules tells people and programs apart. */
export interface ActorKind {
  name: string;
  title: string;
  /** By what they come. */
  comesBy: 'nothing' | 'unbound session' | 'session' | 'key' | 'application';
  /** What they are in the workspace, and to the thing that a call is about. */
  powers: ReadonlySet<ActorClass>;
}

const full: ReadonlySet<ActorClass> = new Set(fullRights);

/** With everything that comes with them. */
const withRights = (powers: readonly ActorClass[]): ReadonlySet<ActorClass> => {
  const granted = powers.flatMap((power) => [
    power,
    ...(power === 'read' || power === 'write' || power === 'manage' ? datasetRights[power] : []),
    ...(full.has(power) ? datasetRights.manage : []),
    ...(power === 'group-admin' ? (['group-member'] as const) : []),
  ]);
  return new Set<ActorClass>(['everyone', 'colleague', ...granted]);
};

const person = (name: string, title: string, ...powers: ActorClass[]): ActorKind => ({
  name,
  title,
  comesBy: 'session',
  powers: withRights(powers),
});

/** Everybody for whom the table has to have an answer. */
export const actorKinds: readonly ActorKind[] = [
  {
    name: 'nobody',
    title: 'a caller without a credential',
    comesBy: 'nothing',
    powers: new Set(['stranger']),
  },
  {
    name: 'no-workspace',
    title: 'a session without a workspace',
    comesBy: 'unbound session',
    powers: new Set(['everyone']),
  },
  person('member', 'a member with no tie to the thing'),
  person('self', 'the person concerned', 'self'),
  person('admin', 'an admin of the workspace', 'admin'),
  ...permissionCodes.map((code) => person(code, `a holder of ${code}`, code)),
  person('group-admin', 'an admin of the group', 'group-admin'),
  person('group-member', 'a member of the group', 'group-member'),
  person('owner', 'the owner of the dataset', 'owner'),
  person('reader', 'someone who may read the dataset', 'read'),
  person('writer', 'someone who may write to the dataset', 'write'),
  person('manager', 'someone who may manage the dataset', 'manage'),
  {
    name: 'key',
    title: 'an API key of an admin’s group, with manage on the dataset',
    comesBy: 'key',
    powers: withRights(['manage', 'group-member']),
  },
  {
    name: 'mls',
    title: 'an application of kind `mls` that acts for an admin',
    comesBy: 'application',
    powers: withRights(['manage']),
  },
  {
    name: 'sls',
    title: 'an application of kind `sls` that acts for an admin',
    comesBy: 'application',
    powers: withRights(['manage']),
  },
];

/** What a call that is otherwise right comes to: it works, or is refused with this status. */
export type ExpectedStatus = 'works' | 401 | 403 | 404;

const statuses = { allowed: 'works', forbidden: 403, hidden: 404 } as const;

/** What the table says of one call and one subject. */
export const expectedStatus = (
  { caller, bearer }: Pick<RouteDescriptor, 'caller' | 'bearer'>,
  rule: AccessRule,
  { comesBy, powers }: ActorKind,
): ExpectedStatus => {
  if (comesBy === 'nothing' && caller !== 'anyone') return 401;
  if (bearer === true && (comesBy === 'key' || comesBy === 'application')) return 403;
  if (comesBy === 'unbound session' && caller === 'member') return 403;
  return statuses[evaluateRule(rule, powers)];
};
