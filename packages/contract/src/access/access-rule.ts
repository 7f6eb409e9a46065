import type { PermissionCode } from '../permission-codes.ts';

/** What somebody is in the workspace: it counts for people themselves, never for a key or an application. */
export type Privilege = 'admin' | PermissionCode;

/** What somebody is to the thing that a call is about. */
export type ObjectRelation =
  /** The person whom it is about, or who made it: the note of a rule says which. */
  | 'self'
  | 'group-member'
  | 'group-admin'
  | 'owner'
  /** Some right on the dataset, whichever. */
  | 'any-right'
  | 'read'
  | 'write'
  | 'read-and-write'
  | 'manage';

/**
 * - `stranger`: without a credential
 * - `everyone`: whoever has the credential that the call asks for
 * - `colleague`: whoever is in the workspace of the thing
 */
export type ActorClass = 'stranger' | 'everyone' | 'colleague' | Privilege | ObjectRelation;

/** Who may make a call. Everybody else is refused, with 403 where they know of the thing and 404 where they do not. */
export interface AccessRule {
  /** One of these is enough. */
  may: readonly ActorClass[];
  /**
   * Who knows of the thing; of a list, who finds it there. For all others it does not exist (404).
   * Absent where the call is about nothing that could be hidden: then a refusal is 403.
   */
  sees?: readonly ActorClass[];
  /** What else holds: of what a list shows, or of input that is refused. */
  note?: string;
}

const powerTexts: Readonly<Partial<Record<ActorClass, string>>> = {
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

/** A power in words, as part of a sentence. */
const powerText = (power: ActorClass): string => powerTexts[power] ?? `holders of ${power}`;

/** British English has no comma before the last "and". */
const listFormat = new Intl.ListFormat('en-GB');

const listActorClasses = (classes: readonly ActorClass[]): string =>
  classes.includes('stranger') && classes.includes('everyone')
    ? 'everyone, with or without a credential'
    : listFormat.format(classes.map(powerText));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Who may make the call, as part of a sentence: "admins of the workspace and holders of manage-users". */
export const describeAllowedActors = (rule: AccessRule): string => listActorClasses(rule.may);

/** What becomes of those who may not make the call. */
const refusalText = ({ may, sees }: AccessRule): string[] => {
  if (sees === undefined) return [];
  if (may.includes('everyone')) return [`Each entry is visible to ${listActorClasses(sees)}.`];
  const refused = sees.filter((power) => !may.includes(power));
  const known = refused.length === 0 ? [] : [`403 for ${listActorClasses(refused)}.`];
  return [...known, '404 for everyone else.'];
};

/** The rule in words, for the reference and for reviewers. */
export const describeRule = (rule: AccessRule): string =>
  [
    `${capital(describeAllowedActors(rule))}.`,
    ...refusalText(rule),
    ...(rule.note === undefined ? [] : [rule.note]),
  ].join(' ');

/** What somebody with these powers comes to: by the table alone, for a call that is otherwise right. */
export const evaluateRule = (
  rule: AccessRule,
  powers: ReadonlySet<ActorClass>,
): 'allowed' | 'forbidden' | 'hidden' => {
  const has = (power: ActorClass): boolean => powers.has(power);
  if (rule.may.some(has)) return 'allowed';
  return rule.sees === undefined || rule.sees.some(has) ? 'forbidden' : 'hidden';
};

/** Who has all rights on a dataset beside those to whom manage is granted. */
export const fullRights = ['owner', 'admin', 'manage-datasets'] as const satisfies readonly ActorClass[];

/** The rights that come with a power over a dataset. */
export const datasetRights = {
  read: ['any-right', 'read'],
  write: ['any-right', 'write'],
  manage: ['any-right', 'read', 'write', 'read-and-write', 'manage'],
} as const satisfies Record<string, readonly ActorClass[]>;
