import { notFound, notImplemented, unauthenticated } from '@redoubt/errors';
import type { SignUp, SingleSignOnSettings } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createOutboundFetch } from '../../platform/outbound/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { FindWorkspaceProvider } from '../identity-providers/index.ts';
import { createResolveAccount, type ResolvedAccount, type WorkspacesOf } from './resolve-account.ts';
import { createAuthorizationCodeFlow } from './authorization-code-flow.ts';
import { createBrowserSignIn } from './browser-sign-in.ts';
import { createVerifyAccessToken } from './verify-access-token.ts';
import { createIdentityRepository } from './identity.repository.ts';
import { createFindOidcClient } from './oidc-client.ts';
import { createFindProvider, ssoStrategies, type Provider } from './provider.ts';
import { createToProviderError } from './provider-error.ts';
import { createResolveAccountByEmail } from './resolve-account-by-email.ts';
import { createReadProxyIdentity, type Caller } from './proxy-sign-in.ts';
import { createSignInCodeRepository } from './sign-in-code.repository.ts';
import { createSignOnCookies } from './sign-on-cookies.ts';
import { createSingleSignOnRoutes } from './single-sign-on.routes.ts';

export { revokeUntrustedProviders } from './revoke-untrusted-providers.ts';
export type { ResolvedAccount } from './resolve-account.ts';
export type { Caller } from './proxy-sign-in.ts';

interface SignOnRequest {
  strategy: string;
  workspaceId: string | undefined;
}

/** Signing in by what others say. Each throws AuthError 401 where they do not say enough, 501 for what is not set up. */
export interface SingleSignOn {
  byToken(request: SignOnRequest & { accessToken: string }): Promise<ResolvedAccount>;
  byCode(request: SignOnRequest & { code: string }, caller: Caller): Promise<ResolvedAccount>;
  byProxy(
    request: {
      names: { firstName: string; lastName: string };
      email: string;
      workspaceId: string | undefined;
    },
    caller: Caller,
  ): Promise<ResolvedAccount>;
}

const notSetUp = (strategy: string, workspaceId: string | undefined) =>
  notImplemented(
    `Single sign-on with "${strategy}" is not set up on this server${workspaceId === undefined ? '; a provider of a workspace needs its workspaceId' : ` nor in workspace "${workspaceId}"`}: use strategy "local".`,
  );

const notTheirs = (email: string) =>
  unauthenticated(
    `email: "${email}" was sent, and the proxy says that somebody else signs in. Send an empty text.`,
  );

const isKnown = (strategy: string): boolean => ssoStrategies.some((known) => known === strategy);

export const wireSingleSignOn = ({
  db,
  secrets,
  signUp,
  publicUrl,
  runtime,
  logger,
  singleSignOn: settings = {},
  findOwnProvider,
  workspacesOf,
}: {
  db: Db;
  secrets: SecretBox;
  signUp: SignUp;
  publicUrl: () => string;
  runtime: Runtime;
  logger: Logger;
  singleSignOn?: SingleSignOnSettings | undefined;
  findOwnProvider: FindWorkspaceProvider;
  workspacesOf: WorkspacesOf;
}): { bindings: RouteBinding[]; singleSignOn: SingleSignOn } => {
  const { clock, ids, random } = runtime;
  const findClient = createFindOidcClient(clock);
  const faultOf = createToProviderError(logger);
  const confirm = createVerifyAccessToken({ findClient, faultOf, clock });
  const identities = createIdentityRepository(db);
  const people = { identities, workspacesOf, signUp, ids, clock };
  const admit = createResolveAccount(people);
  const admitAddress = createResolveAccountByEmail(people);
  const readProxy = createReadProxyIdentity(settings.proxy);
  const find = createFindProvider({
    settings,
    findOwnProvider,
    fetchFor: {
      // Whoever runs the server has named its providers; of those that others name no private network is called.
      server: createOutboundFetch({ allowsPrivate: true }),
      own: createOutboundFetch({ allowsPrivate: settings.allowsPrivate ?? false }),
    },
  });
  const findProvider = async (strategy: string, workspaceId: string | undefined): Promise<Provider> => {
    if (!isKnown(strategy)) throw notFound('identity provider', strategy);
    const provider = await find(strategy, workspaceId);
    if (provider === undefined) throw notSetUp(strategy, workspaceId);
    return provider;
  };
  const browser = createBrowserSignIn({
    askBrowser: createAuthorizationCodeFlow({ findClient, confirm, faultOf, random }),
    findProvider,
    codes: createSignInCodeRepository(db),
    cookies: createSignOnCookies(publicUrl),
    secrets,
    publicUrl,
    runtime,
  });
  return {
    bindings: createSingleSignOnRoutes(browser),
    singleSignOn: {
      byToken: async ({ strategy, accessToken, workspaceId }) => {
        const provider = await findProvider(strategy, workspaceId);
        const identity = await confirm(provider, accessToken);
        return admit({ provider, identity, workspaceId });
      },
      byCode: async ({ strategy, code, workspaceId }, { headers }) => {
        return admit(await browser.redeem(strategy, { code, workspaceId }, headers.cookie));
      },
      byProxy: async ({ names, email, workspaceId }, caller) => {
        const address = readProxy(caller);
        if (email !== '' && email.toLowerCase() !== address) throw notTheirs(email);
        return admitAddress({ email: address, names, workspaceId });
      },
    },
  };
};
