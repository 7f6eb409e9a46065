import type { RedoubtError } from '@redoubt/errors';
import type { SignUp } from '../../platform/config/index.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { IdentityRepository } from './identity.repository.ts';
import type { Provider } from './provider.ts';
import { providerRefused } from './provider-error.ts';
import type { ProvenIdentity } from './proven-identity.ts';

/** Whose account it is, and where the session is to be. */
export interface ResolvedAccount {
  accountId: string;
  email: string;
  /** Null for a session that is bound to no workspace. */
  workspaceUid: string | null;
  /** What the session rests on. */
  proof: { identityId: string } | { verifiedEmail: string };
}

/** The workspaces that an account can sign in to. */
export type WorkspacesOf = (accountId: string) => Promise<{ uniqueId: string; slug: string }[]>;

export interface ResolveAccountRequest {
  provider: Provider;
  identity: ProvenIdentity;
  workspaceId: string | undefined;
}

/**
 * Finds the account of somebody whom a provider has proven: the one that is linked, else the one with the same address, verified
 * on both sides, which is linked then. Nobody becomes a member of anything by this.
 * @throws AuthError 401, without having changed anything
 */
export type ResolveAccount = (request: ResolveAccountRequest) => Promise<ResolvedAccount>;

export const signUpHint = 'Ask an admin of the workspace to add you, or sign up.';

export const notAMemberError = (provider: Pick<Provider, 'strategy'>, workspaceId: string): RedoubtError =>
  providerRefused(provider, `the person is no member of workspace "${workspaceId}". ${signUpHint}`);

/** Where the session is to be: what is named, else the only workspace, else none. */
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
  const placeFor = createResolveSessionWorkspace(workspacesOf);

  const admitLinked = async (request: ResolveAccountRequest): Promise<ResolvedAccount | undefined> => {
    const linked = await identities.findLinked(request.provider, request.identity);
    if (linked === undefined) return undefined;
    const { identityId, accountId, email } = linked;
    return { accountId, email, workspaceUid: await placeFor(request, accountId), proof: { identityId } };
  };

  const linkOrCreate = async (request: ResolveAccountRequest): Promise<ResolvedAccount> => {
    const { provider, identity, workspaceId } = request;
    const { email } = identity;
    if (email === undefined) {
      throw providerRefused(
        provider,
        'the provider does not say that it has verified an email address of this person. Verify it there, and ask for the scope email.',
      );
    }
    const account = await identities.findAccount(email);
    const made = { identityId: ids.uuid(), now: clock.now() };
    if (account !== undefined) {
      if (!account.verified) {
        throw providerRefused(
          provider,
          'the account with this email address has not confirmed it. Sign in with its password, and confirm the address first.',
        );
      }
      if (await identities.isLinked(provider, identity.issuer, account.id)) {
        // By this person, if they signed in somewhere else at the same moment.
        const linked = await admitLinked(request);
        if (linked !== undefined) return linked;
        throw providerRefused(
          provider,
          'the account with this email address belongs to somebody else at this provider. Sign in as them, or with the password.',
        );
      }
      const workspaceUid = await placeFor(request, account.id);
      const link = { ...made, accountId: account.id };
      if (!(await identities.link(provider, { ...identity, email }, link)))
        throw providerRefused(provider, 'the account has changed meanwhile. Sign in again.');
      return { accountId: account.id, email, workspaceUid, proof: { identityId: made.identityId } };
    }
    if (workspaceId !== undefined || provider.own !== undefined)
      throw notAMemberError(provider, workspaceId ?? '');
    if (signUp !== 'open')
      throw providerRefused(provider, `nobody here has the email address "${email}". ${signUpHint}`);
    const accountId = ids.uuid();
    await identities.createAccount(provider, { ...identity, email }, { ...made, accountId });
    return { accountId, email, workspaceUid: null, proof: { identityId: made.identityId } };
  };

  const attempt = async (request: ResolveAccountRequest): Promise<ResolvedAccount> =>
    (await admitLinked(request)) ?? linkOrCreate(request);

  return async (request) => {
    try {
      return await attempt(request);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // Somebody signed in at the same moment, and has linked it.
      return attempt(request);
    }
  };
};
