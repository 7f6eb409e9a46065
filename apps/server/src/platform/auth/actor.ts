import type { DatasetAction, PermissionCode, WorkspaceRole } from '@redoubt/contract';

/** The workspace that a credential is bound to, with the person's current role and permissions in it. */
export interface WorkspaceContext {
  /** The internal key. */
  uniqueId: string;
  /** The id that the API shows. */
  slug: string;
  role: WorkspaceRole;
  /** The permissions assigned to the person. Check them with `hasPermission`, which also looks at the credential. */
  codes: ReadonlySet<PermissionCode>;
}

/**
 * What a request authenticated with.
 * - `session`: a person's own bearer token
 * - `key`: an API key, or a token that was issued for one
 * - `application`: a token that a person granted to an application
 */
export type Credential =
  | { kind: 'session' }
  | { kind: 'key'; keyId: string }
  | { kind: 'application'; applicationId: string; type: 'mls' | 'sls' };

/** What a credential is currently limited to. An undefined part is not limited. */
export interface CredentialScope {
  /** The person's groups that apply. */
  groupIds: readonly string[] | undefined;
  /** The person's attributes that apply. */
  tokens: readonly string[] | undefined;
  /** The datasets that can be reached, each with the actions that are possible at most. */
  datasets: ReadonlyMap<string, readonly DatasetAction[]> | undefined;
}

/** Where a request came from. */
export interface RequestOrigin {
  /** The IP address of the client, as trusted proxies report it. */
  ip: string;
  requestId: string;
}

/** A requester with a valid credential, which may not be bound to a workspace. */
export interface Person {
  accountId: string;
  email: string;
  /** The session of the token; '' if there is none. */
  sessionId: string;
  workspace: WorkspaceContext | undefined;
  credential: Credential;
  scope: CredentialScope | undefined;
  /**
   * Whether the person signed in through an identity provider that a workspace set up. Such a session is limited to
   * that workspace: it may not see or change the account, or anything in other workspaces.
   */
  isConfined?: boolean;
  /** Where the request came from; undefined for a job. */
  origin?: RequestOrigin | undefined;
}

/** A requester whose credential is bound to a workspace that they belong to. */
export interface Member extends Person {
  workspace: WorkspaceContext;
}

/** A cache key: equal scopes give the same text. */
export const serializeCredentialScope = ({ scope }: Person): string => {
  if (scope === undefined) return '';
  const { groupIds, tokens, datasets } = scope;
  return JSON.stringify([
    groupIds?.toSorted(),
    tokens?.toSorted(),
    datasets && [...datasets].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
};

/** The credential of every person who signed in themselves. */
export const ownSessionCredential: Pick<Person, 'credential' | 'scope'> = {
  credential: { kind: 'session' },
  scope: undefined,
};

/**
 * The person behind the credential, who may see an object that they just created even if the credential's scope
 * excludes it.
 */
export const withOwnSession = (actor: Member): Member => ({ ...actor, ...ownSessionCredential });

/**
 * Whether the person's privileges apply (admin, permissions, admin of a group): only in their own session, never for a
 * key or an application that acts for them.
 */
export const hasPrivileges = ({ credential }: Person): boolean => credential.kind === 'session';

export const isAdmin = (actor: Person): boolean => hasPrivileges(actor) && actor.workspace?.role === 'admin';

/**
 * Whether the rights of admins and owners on datasets apply: also for an application that acts for the person, but not
 * for a key, which has only what its groups are granted.
 */
export const hasOwnDatasets = ({ credential }: Person): boolean => credential.kind !== 'key';

/** Whether the actor has the permission; admins have all of them. */
export const hasPermission = (actor: Person, code: PermissionCode): boolean =>
  isAdmin(actor) || (hasPrivileges(actor) && actor.workspace?.codes.has(code) === true);
