import { notFound, notImplemented, unauthenticated } from '@redoubt/errors';
import type { SignUp, SingleSignOnSettings } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createOutboundFetch } from '../../platform/outbound/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { MailQueue } from '../../platform/mail/index.ts';
import type { FindWorkspaceProvider, ListProvidersOfWorkspace } from '../identity-providers/index.ts';
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
import { createGetSignInOptions } from './sign-in-options.ts';
import { createSingleSignOnRoutes } from './single-sign-on.routes.ts';

export { revokeUntrustedProviders } from './revoke-untrusted-providers.ts';
export type { ResolvedAccount } from './resolve-account.ts';
export type { Caller } from './proxy-sign-in.ts';

interface SignOnRequest {
  strategy: string;
  workspaceId: string | undefined;
}

/** Sign-in through providers and proxies. Each method throws 401 if the proof is not sufficient, 501 if it is not configured. */
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
    `Single sign-on with "${strategy}" is not set up on this server${workspaceId === undefined ? '; a provider of a workspace needs its workspaceId' : ` or in workspace "${workspaceId}"`}. Use strategy "local".`,
  );

const otherPersonError = (email: string) =>
  unauthenticated(`email: the proxy reports another person than "${email}". Send an empty string.`);

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
  listProvidersOfWorkspace,
  hasConsole,
  mail,
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
  listProvidersOfWorkspace: ListProvidersOfWorkspace;
  hasConsole: boolean;
  mail: Pick<MailQueue, 'sends'>;
  workspacesOf: WorkspacesOf;
}): { bindings: RouteBinding[]; singleSignOn: SingleSignOn } => {
  const { clock, ids, random } = runtime;
  const findClient = createFindOidcClient(clock);
  const toProviderError = createToProviderError(logger);
  const confirm = createVerifyAccessToken({ findClient, toProviderError, clock });
  const identities = createIdentityRepository(db);
  const people = { identities, workspacesOf, signUp, ids, clock };
  const resolveAccount = createResolveAccount(people);
  const resolveAccountByEmail = createResolveAccountByEmail(people);
  const readProxy = createReadProxyIdentity(settings.proxy);
  const find = createFindProvider({
    settings,
    findOwnProvider,
    fetchFor: {
      // The operator chose the server's providers. Those of workspaces must not reach private networks by default.
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
    codeFlow: createAuthorizationCodeFlow({ findClient, confirm, toProviderError, random }),
    findProvider,
    codes: createSignInCodeRepository(db),
    cookies: createSignOnCookies(publicUrl),
    secrets,
    publicUrl,
    runtime,
    hasConsole,
  });
  const getSignInOptions = createGetSignInOptions({
    settings,
    listProvidersOfWorkspace,
    signUp,
    sendsMail: mail.sends,
  });
  return {
    bindings: createSingleSignOnRoutes(browser, getSignInOptions),
    singleSignOn: {
      byToken: async ({ strategy, accessToken, workspaceId }) => {
        const provider = await findProvider(strategy, workspaceId);
        const identity = await confirm(provider, accessToken);
        return resolveAccount({ provider, identity, workspaceId });
      },
      byCode: async ({ strategy, code, workspaceId }, { headers }) => {
        return resolveAccount(await browser.redeem(strategy, { code, workspaceId }, headers.cookie));
      },
      byProxy: async ({ names, email, workspaceId }, caller) => {
        const address = readProxy(caller);
        if (email !== '' && email.toLowerCase() !== address) throw otherPersonError(email);
        return resolveAccountByEmail({ email: address, names, workspaceId });
      },
    },
  };
};
