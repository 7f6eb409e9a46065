import type { DatasetAction, PermissionCode, WorkspaceRole } from '@redoubt/contract';

/** The workspace that a credential is bound to, and what the person is in it at this moment. */
export interface WorkspaceContext {
  /** The key used inside. */
  uniqueId: string;
  /** The id that the API shows. */
  slug: string;
  role: WorkspaceRole;
  /** The permissions assigned to the person. They count by way of `may` alone. */
  codes: ReadonlySet<PermissionCode>;
}

/**
 * By what somebody showed who they are.
 * - `session`: a person's own bearer token
 * - `key`: an API key, or a token that was given for one
 * - `application`: a token that a person gave to an application
 */
export type Credential =
  | { kind: 'session' }
  | { kind: 'key'; keyId: string }
  | { kind: 'application'; applicationId: string; type: 'mls' | 'sls' };

/** What a credential is cut down to, at this moment. A part that is undefined is not narrowed. */
export interface CredentialScope {
  /** Of the groups that the person is in, those that count. */
  groupIds: readonly string[] | undefined;
  /** Of the attributes that the person holds, those that count. */
  tokens: readonly string[] | undefined;
  /** The datasets that can be reached, each with the most that can be done there. */
  datasets: ReadonlyMap<string, readonly DatasetAction[]> | undefined;
}

/** Where a request came from. */
export interface RequestOrigin {
  /** The address of the client, as trusted proxies tell it. */
  ip: string;
  requestId: string;
}

/** Somebody with a valid credential, which may be bound to no workspace. */
export interface Person {
  accountId: string;
  email: string;
  /** The session of the token; '' where there is none. */
  sessionId: string;
  workspace: WorkspaceContext | undefined;
  credential: Credential;
  narrowing: CredentialScope | undefined;
  /**
   * Whether the session rests on the word of a provider that the workspace has brought: it is of that workspace alone,
   * and their account and what they are elsewhere are none of its business.
   */
  isConfined?: boolean;
  /** Of the request; a job has none. */
  origin?: RequestOrigin | undefined;
}

/** Somebody with a valid credential that is bound to a workspace they belong to. */
export interface Member extends Person {
  workspace: WorkspaceContext;
}

/** The same text for the same narrowing: what is remembered of an actor is remembered under it. */
export const serializeCredentialScope = ({ narrowing }: Person): string => {
  if (narrowing === undefined) return '';
  const { groupIds, tokens, datasets } = narrowing;
  return JSON.stringify([
    groupIds?.toSorted(),
    tokens?.toSorted(),
    datasets && [...datasets].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
};

/** What all who came by a session of their own are. */
export const ownSessionCredential: Pick<Person, 'credential' | 'narrowing'> = {
  credential: { kind: 'session' },
  narrowing: undefined,
};

/** The person themselves, who may know of what they have just made by a credential that does not reach it. */
export const withOwnSession = (actor: Member): Member => ({ ...actor, ...ownSessionCredential });

/**
 * Whether what somebody is (admin, holder of a permission, admin of a group) counts: only where they came
 * themselves, never for a key or an application that acts for them.
 */
export const hasPrivileges = ({ credential }: Person): boolean => credential.kind === 'session';

export const isAdmin = (actor: Person): boolean => hasPrivileges(actor) && actor.workspace?.role === 'admin';

/**
 * Whether being an admin, or having made it, gives the rights on a dataset: also where an application acts for the
 * person, but not to a key, which has what its groups are granted.
 */
export const hasOwnDatasets = ({ credential }: Person): boolean => credential.kind !== 'key';

/** Whether the actor may do what the permission allows: admins may all of it. */
export const hasPermission = (actor: Person, code: PermissionCode): boolean =>
  isAdmin(actor) || (hasPrivileges(actor) && actor.workspace?.codes.has(code) === true);
