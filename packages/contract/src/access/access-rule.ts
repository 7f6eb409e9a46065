import type { PermissionCode } from '../permission-codes.ts';

/**
 * The role or permission of a person in the workspace. API keys and applications never have the privileges of their
 * owner.
 */
export type Privilege = 'admin' | PermissionCode;

/** The relation of an actor to the object of a call. */
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
  | 'manage'
  /** May use the connection. */
  | 'connection-user'
  /** May manage the connection, and use it. */
  | 'connection-manager';

/**
 * A class of actors that a rule names.
 * - `stranger`: requests without a credential
 * - `everyone`: all who have the credential that the call needs
 * - `colleague`: members of the workspace of the object
 */
export type ActorClass = 'stranger' | 'everyone' | 'colleague' | Privilege | ObjectRelation;

/** Who may make a call. Other actors get 403 if the object is visible to them, and 404 if it is not. */
export interface AccessRule {
  /** An actor who has one of these classes may make the call. */
  may: readonly ActorClass[];
  /**
   * The classes of actors to whom the object is visible, or for a list, to whom each entry is visible. Absent if the
   * call has no object that could be hidden: then all others get 403.
   */
  sees?: readonly ActorClass[];
  /**
   * A further rule as a sentence, about the entries of a list or about rejected input. It is only text: the service
   * enforces it.
   */
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
  'connection-user': 'people who may use the connection',
  'connection-manager': 'people who may manage the connection',
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

/** The responses of requesters who may not make the call, as sentences. */
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

/**
 * Decides whether an actor with these classes may make the call (`allowed`), gets 403 (`forbidden`) or 404
 * (`hidden`).
 */
export const evaluateRule = (
  rule: AccessRule,
  classes: ReadonlySet<ActorClass>,
): 'allowed' | 'forbidden' | 'hidden' => {
  const has = (actorClass: ActorClass): boolean => classes.has(actorClass);
  if (rule.may.some(has)) return 'allowed';
  return rule.sees === undefined || rule.sees.some(has) ? 'forbidden' : 'hidden';
};

/** The classes of actors who have all rights on a dataset without a grant. */
export const fullRights = ['owner', 'admin', 'manage-datasets'] as const satisfies readonly ActorClass[];

/** The classes that a grant on a dataset implies. */
export const datasetRights = {
  read: ['any-right', 'read'],
  write: ['any-right', 'write'],
  manage: ['any-right', 'read', 'write', 'read-and-write', 'manage'],
} as const satisfies Record<string, readonly ActorClass[]>;
