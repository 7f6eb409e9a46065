import { describeValue, invalidField, type RedoubtError, unauthenticated } from '@redoubt/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../../platform/runtime.ts';
import { UnsealError, type SecretBox } from '../../platform/secrets/index.ts';
import type { AuthorizationCodeFlow, PendingSignIn } from './authorization-code-flow.ts';
import { returnsToConsole, signInProblemOf, signInProblemUrl } from './console-error.ts';
import type { Provider } from './provider.ts';
import type { ProvenIdentity } from './proven-identity.ts';
import { readReturnPath } from './return-path.ts';
import type { SignInCodeRepository } from './sign-in-code.repository.ts';
import type { SignOnCookies } from './sign-on-cookies.ts';

/** A redirect with the cookies to set. */
export interface BrowserRedirect {
  location: string;
  cookies: string[];
}

/** A person whom a provider has authenticated in a browser. */
export interface CompletedSignIn {
  identity: ProvenIdentity;
  /** The provider that proved the identity. */
  provider: Provider;
  workspaceId: string | undefined;
}

export interface BrowserSignIn {
  begin(strategy: string, options: { workspaceId?: string; returnTo?: string }): Promise<BrowserRedirect>;
  /** @param response the parameters that the provider added to the URL */
  finish(
    strategy: string,
    response: Readonly<Record<string, string>>,
    browser: { cookie: string | undefined; showsPages: boolean },
  ): Promise<BrowserRedirect>;
  /** Returns the sign-in of a code that the browser got from `finish`. A code works once. */
  redeem(
    strategy: string,
    sent: { code: string; workspaceId: string | undefined },
    cookie: string | undefined,
  ): Promise<CompletedSignIn>;
}

interface Pending extends PendingSignIn {
  strategy: string;
  workspaceId: string | null;
  returnTo: string;
  /** Milliseconds since 1970. */
  until: number;
}

interface Proof {
  strategy: string;
  workspaceId: string | null;
  identity: ProvenIdentity;
  /** The provider of a workspace that proved the identity; null for one of the server. */
  providerId: string | null;
  /** The hash of the secret in the browser's cookie. */
  cookieHash: string;
}

const pendingSeconds = 600;
const codeSeconds = 120;
const sealedFor = 'cookie.redoubt-sso-begun';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

const signInNotStarted = (): RedoubtError =>
  unauthenticated(
    'This browser has not started such a sign-in, or it started more than ten minutes ago. Start again at /sso/{provider}/login.',
  );

const invalidCode = (): RedoubtError =>
  unauthenticated(
    'The code was already used, is older than two minutes, or belongs to another browser. Start again at /sso/{provider}/login.',
  );

export const createBrowserSignIn = ({
  codeFlow,
  findProvider,
  codes,
  cookies,
  secrets,
  publicUrl,
  runtime: { clock, random },
  hasConsole,
}: {
  codeFlow: AuthorizationCodeFlow;
  /** @throws RedoubtError 404 for a strategy that does not exist, 501 for one that is not configured */
  findProvider: (strategy: string, workspaceId: string | undefined) => Promise<Provider>;
  codes: SignInCodeRepository;
  cookies: SignOnCookies;
  secrets: SecretBox;
  publicUrl: () => string;
  runtime: Pick<Runtime, 'clock' | 'random'>;
  hasConsole: boolean;
}): BrowserSignIn => {
  const redirectUriOf = (strategy: string): string => `${publicUrl()}/sso/${strategy}/callback`;

  const readPending = (strategy: string, cookie: string | undefined): Pending | undefined => {
    const sealed = cookies.get('begun', cookie);
    if (sealed === undefined) return undefined;
    try {
      const pending = JSON.parse(secrets.open(sealed, sealedFor)) as Pending;
      return pending.strategy === strategy && pending.until > clock.now().getTime() ? pending : undefined;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  };

  /** Sends the browser to the console with an error if that is where the sign-in returns to. */
  const showErrors = async (
    returnTo: string,
    isAtStart: boolean,
    signIn: () => Promise<BrowserRedirect>,
  ): Promise<BrowserRedirect> => {
    try {
      return await signIn();
    } catch (error) {
      if (!hasConsole || !returnsToConsole(returnTo)) throw error;
      return {
        location: signInProblemUrl(signInProblemOf(error, isAtStart), publicUrl(), returnTo),
        cookies: [cookies.set('begun', '', 0)],
      };
    }
  };

  /**
   * Creates the code that opens the session. It takes two secrets: one in the fragment, which is not sent to any server,
   * and one in a cookie.
   */
  const issueCode = async (
    { strategy, workspaceId, returnTo }: Pending,
    { own }: Provider,
    identity: ProvenIdentity,
  ): Promise<BrowserRedirect> => {
    const [code, cookieSecret] = [
      random.bytes(32).toString('base64url'),
      random.bytes(32).toString('base64url'),
    ];
    const now = clock.now();
    const providerId = own?.id ?? null;
    const proof: Proof = { strategy, workspaceId, identity, providerId, cookieHash: hashOf(cookieSecret) };
    const expiresAt = new Date(now.getTime() + codeSeconds * 1000);
    await codes.store({ codeHash: hashOf(code), proof: JSON.stringify(proof), expiresAt, now });
    const fragment = new URLSearchParams({ strategy, code, ...(workspaceId !== null && { workspaceId }) });
    return {
      location: `${new URL(returnTo, publicUrl()).href}#${fragment.toString()}`,
      cookies: [cookies.set('begun', '', 0), cookies.set('code', cookieSecret, codeSeconds)],
    };
  };

  return {
    begin: async (strategy, { workspaceId, returnTo }) => {
      const path = readReturnPath(returnTo, publicUrl());
      return showErrors(path, true, async () => {
        const provider = await findProvider(strategy, workspaceId);
        const { location, begun } = await codeFlow.begin(provider, redirectUriOf(strategy));
        const until = clock.now().getTime() + pendingSeconds * 1000;
        const pending: Pending = {
          ...begun,
          strategy,
          workspaceId: workspaceId ?? null,
          returnTo: path,
          until,
        };
        const sealed = secrets.seal(JSON.stringify(pending), sealedFor);
        return { location, cookies: [cookies.set('begun', sealed, pendingSeconds)] };
      });
    },
    finish: async (strategy, response, { cookie, showsPages }) => {
      const pending = readPending(strategy, cookie);
      if (pending === undefined) {
        // Without the cookie, the page to return to is unknown, so people get the sign-in page of the console.
        if (!hasConsole || !showsPages) throw signInNotStarted();
        return { location: signInProblemUrl('expired', publicUrl()), cookies: [] };
      }
      return showErrors(pending.returnTo, false, async () => {
        const provider = await findProvider(strategy, pending.workspaceId ?? undefined);
        const url = new URL(redirectUriOf(strategy));
        for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
        return issueCode(pending, provider, await codeFlow.finish(provider, url, pending));
      });
    },
    redeem: async (strategy, { code, workspaceId }, cookie) => {
      const text = await codes.take(hashOf(code), clock.now());
      const cookieSecret = cookies.get('code', cookie);
      if (text === undefined || cookieSecret === undefined) throw invalidCode();
      const proof = JSON.parse(text) as Proof;
      if (proof.strategy !== strategy || !isSame(proof.cookieHash, hashOf(cookieSecret))) throw invalidCode();
      if (workspaceId !== undefined && proof.workspaceId !== null && workspaceId !== proof.workspaceId) {
        throw invalidField({
          field: 'workspaceId',
          expected: `"${proof.workspaceId}", for which the sign-in was started`,
          got: describeValue(workspaceId),
          advice: 'Leave it out.',
        });
      }
      const provider = await findProvider(strategy, proof.workspaceId ?? undefined);
      if ((provider.own?.id ?? null) !== proof.providerId) throw invalidCode();
      return {
        identity: proof.identity,
        provider,
        workspaceId: proof.workspaceId ?? workspaceId,
      };
    },
  };
};
