import { notFound, notImplemented, unauthenticated } from '@redoubt/errors';
import type { SignUp, SingleSignOnSettings } from '../../platform/config/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createOutboundFetch } from '../../platform/outbound/index.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { FindOwnProvider } from '../identity-providers/index.ts';
import { createAdmit, type Admission, type WorkspacesOf } from './admission.ts';
import { createAskBrowser } from './ask-browser.ts';
import { createBrowserSignIn } from './browser-sign-in.ts';
import { createConfirm } from './confirm.ts';
import { createIdentityRepository } from './identity.repository.ts';
import { createFindOidcClient } from './oidc-client.ts';
import { createFindProvider, ssoStrategies, type Provider } from './provider.ts';
import { createFaultOf } from './provider-fault.ts';
import { createAdmitAddress } from './proxy-admission.ts';
import { createReadProxy, type Caller } from './proxy-sign-in.ts';
import { createSignInCodeRepository } from './sign-in-code.repository.ts';
import { createSignOnCookies } from './sign-on-cookies.ts';
import { createSingleSignOnRoutes } from './single-sign-on.routes.ts';

export { endUntrusted } from './end-untrusted.ts';
export type { Admission } from './admission.ts';
export type { Caller } from './proxy-sign-in.ts';

interface SignOnRequest {
  strategy: string;
  workspaceId: string | undefined;
}

/** Signing in by what others say. Each throws AuthError 401 where they do not say enough, 501 for what is not set up. */
export interface SingleSignOn {
  byToken(request: SignOnRequest & { accessToken: string }): Promise<Admission>;
  byCode(request: SignOnRequest & { code: string }, caller: Caller): Promise<Admission>;
  byProxy(
    request: {
      names: { firstName: string; lastName: string };
      email: string;
      workspaceId: string | undefined;
    },
    caller: Caller,
  ): Promise<Admission>;
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
  findOwnProvider: FindOwnProvider;
  workspacesOf: WorkspacesOf;
}): { bindings: RouteBinding[]; singleSignOn: SingleSignOn } => {
  const { clock, ids, random } = runtime;
  const findClient = createFindOidcClient(clock);
  const faultOf = createFaultOf(logger);
  const confirm = createConfirm({ findClient, faultOf, clock });
  const identities = createIdentityRepository(db);
  const people = { identities, workspacesOf, signUp, ids, clock };
  const admit = createAdmit(people);
  const admitAddress = createAdmitAddress(people);
  const readProxy = createReadProxy(settings.proxy);
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
    askBrowser: createAskBrowser({ findClient, confirm, faultOf, random }),
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
