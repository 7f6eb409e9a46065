import type { RedoubtError } from '@redoubt/errors';
import type { SignUp } from '../../platform/config/index.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { IdentityRepository } from './identity.repository.ts';
import type { Provider } from './provider.ts';
import { providerRefused } from './provider-error.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/** The account of a sign-in, and the workspace of its session. */
export interface ResolvedAccount {
  accountId: string;
  email: string;
  /** Null for a session that is bound to no workspace. */
  workspaceUid: string | null;
  /** The proof that the session depends on. */
  proof: { identityId: string } | { verifiedEmail: string };
}

/** Returns the workspaces that an account can sign in to. */
export type WorkspacesOf = (accountId: string) => Promise<{ uniqueId: string; slug: string }[]>;

export interface ResolveAccountRequest {
  provider: Provider;
  identity: ProvenIdentity;
  workspaceId: string | undefined;
}

/**
 * Finds the account of a proven identity: the linked one, or the one with the same address if both sides have verified it,
 * which is then linked. It may create an account, and never a membership.
 * @throws AuthError 401, without any change
 */
export type ResolveAccount = (request: ResolveAccountRequest) => Promise<ResolvedAccount>;

export const signUpHint = 'Ask an admin of the workspace to add you, or sign up.';

export const notAMemberError = (provider: Pick<Provider, 'strategy'>, workspaceId: string): RedoubtError =>
  providerRefused(provider, `the person is not a member of workspace "${workspaceId}". ${signUpHint}`);

/** Resolves the workspace of the session: the named one, otherwise the only one, otherwise none. */
export const createResolveSessionWorkspace =
  (workspacesOf: WorkspacesOf) =>
  async (
    {
      provider,
      workspaceId,
    }: { provider: Pick<Provider, 'strategy' | 'own'>; workspaceId: string | undefined },
    accountId: string,
  ): Promise<string | null> => {
    const workspaces = await workspacesOf(accountId);
    if (workspaceId === undefined) return workspaces.length === 1 ? (workspaces[0]?.uniqueId ?? null) : null;
    const named = workspaces.find(({ slug }) => slug === workspaceId);
    const isHome = provider.own === undefined || provider.own.workspaceUid === named?.uniqueId;
    if (named === undefined || !isHome) throw notAMemberError(provider, workspaceId);
    return named.uniqueId;
  };

export const createResolveAccount = ({
  identities,
  workspacesOf,
  signUp,
  ids,
  clock,
}: {
  identities: IdentityRepository;
  workspacesOf: WorkspacesOf;
  signUp: SignUp;
} & Pick<Runtime, 'ids' | 'clock'>): ResolveAccount => {
  const resolveWorkspace = createResolveSessionWorkspace(workspacesOf);

  const resolveLinked = async (request: ResolveAccountRequest): Promise<ResolvedAccount | undefined> => {
    const linked = await identities.findLinked(request.provider, request.identity);
    if (linked === undefined) return undefined;
    const { identityId, accountId, email } = linked;
    return {
      accountId,
      email,
      workspaceUid: await resolveWorkspace(request, accountId),
      proof: { identityId },
    };
  };

  const linkOrCreate = async (request: ResolveAccountRequest): Promise<ResolvedAccount> => {
    const { provider, identity, workspaceId } = request;
    const { email } = identity;
    if (email === undefined) {
      throw providerRefused(
        provider,
        'the provider has no verified email address of this person. Verify it there, and request the scope email.',
      );
    }
    const account = await identities.findAccount(email);
    const created = { identityId: ids.uuid(), now: clock.now() };
    if (account !== undefined) {
      if (!account.verified) {
        throw providerRefused(
          provider,
          'the account with this email address has not confirmed it. Sign in with its password and confirm the address first.',
        );
      }
      if (await identities.isLinked(provider, identity.issuer, account.id)) {
        // A concurrent sign-in of the same person may have created the link.
        const linked = await resolveLinked(request);
        if (linked !== undefined) return linked;
        throw providerRefused(
          provider,
          'the account with this email address is linked to another person at this provider. Sign in as that person, or with the password.',
        );
      }
      const workspaceUid = await resolveWorkspace(request, account.id);
      const link = { ...created, accountId: account.id };
      if (!(await identities.link(provider, { ...identity, email }, link)))
        throw providerRefused(provider, 'the account changed during the sign-in. Sign in again.');
      return { accountId: account.id, email, workspaceUid, proof: { identityId: created.identityId } };
    }
    if (workspaceId !== undefined || provider.own !== undefined)
      throw notAMemberError(provider, workspaceId ?? '');
    if (signUp !== 'open')
      throw providerRefused(provider, `no account has the email address "${email}". ${signUpHint}`);
    const accountId = ids.uuid();
    await identities.createAccount(provider, { ...identity, email }, { ...created, accountId });
    return { accountId, email, workspaceUid: null, proof: { identityId: created.identityId } };
  };

  const attempt = async (request: ResolveAccountRequest): Promise<ResolvedAccount> =>
    (await resolveLinked(request)) ?? linkOrCreate(request);

  return async (request) => {
    try {
      return await attempt(request);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // A concurrent sign-in has created the link.
      return attempt(request);
    }
  };
};
