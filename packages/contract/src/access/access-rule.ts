import type { PermissionCode } from '../permission-codes.ts';

/** What a person is in the workspace. API keys and applications never have the privileges of their owner. */
export type Privilege = 'admin' | PermissionCode;

/** What an actor is to the object of a call. */
export type ObjectRelation =
  /** The person whom the object is about or who created it; the note of a rule says which. */
  | 'self'
  | 'group-member'
  | 'group-admin'
  | 'owner'
  /** At least one right on the dataset. */
  | 'any-right'
  | 'read'
  | 'write'
  | 'read-and-write'
  | 'manage';

/**
 * A class of actors that a rule names.
 * - `stranger`: requests without a credential
 * - `everyone`: all who have the credential that the call needs
 * - `colleague`: members of the workspace of the object
 */
export type ActorClass = 'stranger' | 'everyone' | 'colleague' | Privilege | ObjectRelation;

/** Who may make a call. Others get 403 if the object is visible to them, and 404 if it is not. */
export interface AccessRule {
  /** An actor needs one of these. */
  may: readonly ActorClass[];
  /**
   * To whom the object is visible; for a list, to whom each entry is visible. All others get 404. Absent if the call has
   * no object that could be hidden: then others get 403.
   */
  sees?: readonly ActorClass[];
  /** A further rule, about the entries of a list or about rejected input. */
  note?: string;
}

const classTexts: Readonly<Partial<Record<ActorClass, string>>> = {
  stranger: 'anyone without a credential',
  everyone: 'everyone',
  colleague: 'everyone in the workspace',
  admin: 'admins of the workspace',
  self: 'the person concerned',
  'group-member': 'members of the group',
  'group-admin': 'admins of the group',
  owner: 'the owner of the dataset',
  'any-right': 'people with any right on the dataset',
  read: 'people who may read the dataset',
  write: 'people who may write to the dataset',
  'read-and-write': 'people who may read and write the dataset',
  manage: 'people who may manage the dataset',
};

/** The name of a class as part of a sentence. */
const describeClass = (actorClass: ActorClass): string =>
  classTexts[actorClass] ?? `holders of ${actorClass}`;

/** British English has no comma before the last "and". */
const listFormat = new Intl.ListFormat('en-GB');

const listActorClasses = (classes: readonly ActorClass[]): string =>
  classes.includes('stranger') && classes.includes('everyone')
    ? 'everyone, with or without a credential'
    : listFormat.format(classes.map(describeClass));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Who may make the call, as part of a sentence: "admins of the workspace and holders of manage-users". */
export const describeAllowedActors = (rule: AccessRule): string => listActorClasses(rule.may);

/** What other requesters get. */
const describeOthers = ({ may, sees }: AccessRule): string[] => {
  if (sees === undefined) return [];
  if (may.includes('everyone')) return [`Each entry is visible to ${listActorClasses(sees)}.`];
  const forbidden = sees.filter((actorClass) => !may.includes(actorClass));
  const sentences = forbidden.length === 0 ? [] : [`403 for ${listActorClasses(forbidden)}.`];
  return [...sentences, '404 for everyone else.'];
};

/** The rule in sentences, for the API reference and the page of access rules. */
export const describeRule = (rule: AccessRule): string =>
  [
    `${capital(describeAllowedActors(rule))}.`,
    ...describeOthers(rule),
    ...(rule.note === undefined ? [] : [rule.note]),
  ].join(' ');

/** What the rule decides for an actor with these classes. */
export const evaluateRule = (
  rule: AccessRule,
  classes: ReadonlySet<ActorClass>,
): 'allowed' | 'forbidden' | 'hidden' => {
  const has = (actorClass: ActorClass): boolean => classes.has(actorClass);
  if (rule.may.some(has)) return 'allowed';
  return rule.sees === undefined || rule.sees.some(has) ? 'forbidden' : 'hidden';
};

/** Who has all rights on a dataset without a grant. */
export const fullRights = ['owner', 'admin', 'manage-datasets'] as const satisfies readonly ActorClass[];

/** The classes that a grant on a dataset implies. */
export const datasetRights = {
  read: ['any-right', 'read'],
  write: ['any-right', 'write'],
  manage: ['any-right', 'read', 'write', 'read-and-write', 'manage'],
} as const satisfies Record<string, readonly ActorClass[]>;
