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
 * Finds or creates the account with the address that a proxy reports. The account is not linked, because a proxy reports
 * no id that would outlast a change of the address.
 * @throws AuthError 401, without any change
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
  const resolveWorkspace = createResolveSessionWorkspace(workspacesOf);
  const resolve: ResolveAccountByEmail = async ({ email, names, workspaceId }) => {
    const proof = { verifiedEmail: email };
    const account = await identities.findAccount(email);
    if (account === undefined) {
      if (workspaceId !== undefined) throw notAMemberError(proxy, workspaceId);
      if (signUp !== 'open')
        throw providerRefused(proxy, `no account has the email address "${email}". ${signUpHint}`);
      const [accountId, identityId, now] = [ids.uuid(), '', clock.now()];
      const person = { issuer: '', subject: '', email, ...names };
      await identities.createAccount(undefined, person, { identityId, accountId, now });
      return { accountId, email, workspaceUid: null, proof };
    }
    if (!account.verified) {
      throw providerRefused(
        proxy,
        'the account with this email address has not confirmed it. Sign in with its password and confirm the address first.',
      );
    }
    const workspaceUid = await resolveWorkspace({ provider: proxy, workspaceId }, account.id);
    return { accountId: account.id, email, workspaceUid, proof };
  };
  return async (request) => {
    try {
      return await resolve(request);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      // A concurrent request created the account.
      return resolve(request);
    }
  };
};
