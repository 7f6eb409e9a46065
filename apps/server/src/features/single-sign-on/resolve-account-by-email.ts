import type { SignUp } from '../../platform/config/index.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import {
  createResolveSessionWorkspace,
  notAMemberError,
  signUpHint,
  type ResolvedAccount,
  type WorkspacesOf,
} from './resolve-account.ts';
import type { IdentityRepository } from './identity.repository.ts';
import { providerRefused } from './provider-error.ts';

const proxy = { strategy: 'proxy', own: undefined } as const;

/**
 * Finds the account with the address that a proxy vouches for. It is looked up by address each time and linked to nobody, as a
 * proxy knows people by nothing that would outlast their address.
 * @throws AuthError 401, without having changed anything
 */
export type ResolveAccountByEmail = (request: {
  email: string;
  names: { firstName: string; lastName: string };
  workspaceId: string | undefined;
}) => Promise<ResolvedAccount>;

export const createResolveAccountByEmail = ({
  identities,
  workspacesOf,
  signUp,
  ids,
  clock,
}: {
  identities: IdentityRepository;
  workspacesOf: WorkspacesOf;
  signUp: SignUp;
} & Pick<Runtime, 'ids' | 'clock'>): ResolveAccountByEmail => {
  const placeFor = createResolveSessionWorkspace(workspacesOf);
  const admit: ResolveAccountByEmail = async ({ email, names, workspaceId }) => {
    const proof = { verifiedEmail: email };
    const account = await identities.findAccount(email);
    if (account === undefined) {
      if (workspaceId !== undefined) throw notAMemberError(proxy, workspaceId);
      if (signUp !== 'open')
        throw providerRefused(proxy, `nobody here has the email address "${email}". ${signUpHint}`);
      const [accountId, identityId, now] = [ids.uuid(), '', clock.now()];
      const person = { issuer: '', subject: '', email, ...names };
      await identities.createAccount(undefined, person, { identityId, accountId, now });
      return { accountId, email, workspaceUid: null, proof };
    }
    if (!account.verified) {
      throw providerRefused(
        proxy,
        'the account with this email address has not confirmed it. Sign in with its password, and confirm the address first.',
      );
    }
    const workspaceUid = await placeFor({ provider: proxy, workspaceId }, account.id);
    return { accountId: account.id, email, workspaceUid, proof };
  };
  return async (request) => {
    try {
      return await admit(request);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // Somebody made the account at the same moment.
      return admit(request);
    }
  };
};
