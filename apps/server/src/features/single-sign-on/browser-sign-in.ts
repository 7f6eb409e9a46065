import { badField, unauthenticated, type RedoubtError } from '@redoubt/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../../platform/runtime.ts';
import { UnsealError, type SecretBox } from '../../platform/secrets/index.ts';
import type { AuthorizationCodeFlow, PendingSignIn } from './authorization-code-flow.ts';
import type { Provider } from './provider.ts';
import type { ProvenIdentity } from './proven-identity.ts';
import { readReturnPath } from './return-path.ts';
import type { SignInCodeRepository } from './sign-in-code.repository.ts';
import type { SignOnCookies } from './sign-on-cookies.ts';

/** Where a browser is sent, and the cookies that it gets. */
export interface BrowserRedirect {
  location: string;
  cookies: string[];
}

/** Somebody who came back from a provider. */
export interface CompletedSignIn {
  identity: ProvenIdentity;
  /** The provider that proved it, as it was then. */
  provider: Provider;
  workspaceId: string | undefined;
}

export interface BrowserSignIn {
  begin(strategy: string, asked: { workspaceId?: string; returnTo?: string }): Promise<BrowserRedirect>;
  /** @param answer what the provider added to the address */
  finish(
    strategy: string,
    answer: Readonly<Record<string, string>>,
    cookie: string | undefined,
  ): Promise<BrowserRedirect>;
  /** What a code stands for that the browser was given; it is good once. */
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
  /** The provider of a workspace that proved it; null for one of the server. */
  providerId: string | null;
  /** The hash of what the cookie of the browser holds. */
  half: string;
}

const pendingSeconds = 600;
const codeSeconds = 120;
const sealedFor = 'cookie.redoubt-sso-begun';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

const notBegun = (): RedoubtError =>
  unauthenticated(
    'This browser has begun no such sign-in, or more than ten minutes ago: begin again at /sso/{provider}/login.',
  );

const badCode = (): RedoubtError =>
  unauthenticated(
    'code: it was used, is older than two minutes, or was given to another browser: begin again at /sso/{provider}/login.',
  );

export const createBrowserSignIn = ({
  askBrowser,
  findProvider,
  codes,
  cookies,
  secrets,
  publicUrl,
  runtime: { clock, random },
}: {
  askBrowser: AuthorizationCodeFlow;
  /** @throws 404 for a strategy that does not exist, 501 for one that is not set up */
  findProvider: (strategy: string, workspaceId: string | undefined) => Promise<Provider>;
  codes: SignInCodeRepository;
  cookies: SignOnCookies;
  secrets: SecretBox;
  publicUrl: () => string;
  runtime: Pick<Runtime, 'clock' | 'random'>;
}): BrowserSignIn => {
  const redirectUriOf = (strategy: string): string => `${publicUrl()}/sso/${strategy}/callback`;

  const readPending = (strategy: string, cookie: string | undefined): Pending => {
    const sealed = cookies.get('begun', cookie);
    if (sealed === undefined) throw notBegun();
    try {
      const pending = JSON.parse(secrets.open(sealed, sealedFor)) as Pending;
      if (pending.strategy === strategy && pending.until > clock.now().getTime()) return pending;
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
    }
    throw notBegun();
  };

  /** Half of what opens the session goes in the fragment, which no server sees, the other half in a cookie. */
  const giveCode = async (
    { strategy, workspaceId, returnTo }: Pending,
    { own }: Provider,
    identity: ProvenIdentity,
  ): Promise<BrowserRedirect> => {
    const [code, half] = [random.bytes(32).toString('base64url'), random.bytes(32).toString('base64url')];
    const now = clock.now();
    const providerId = own?.id ?? null;
    const proof: Proof = { strategy, workspaceId, identity, providerId, half: hashOf(half) };
    const expiresAt = new Date(now.getTime() + codeSeconds * 1000);
    await codes.keep({ codeHash: hashOf(code), proof: JSON.stringify(proof), expiresAt, now });
    const fragment = new URLSearchParams({ strategy, code, ...(workspaceId !== null && { workspaceId }) });
    return {
      location: `${new URL(returnTo, publicUrl()).href}#${fragment.toString()}`,
      cookies: [cookies.set('begun', '', 0), cookies.set('code', half, codeSeconds)],
    };
  };

  return {
    begin: async (strategy, { workspaceId, returnTo }) => {
      const path = readReturnPath(returnTo, publicUrl());
      const provider = await findProvider(strategy, workspaceId);
      const { location, begun } = await askBrowser.begin(provider, redirectUriOf(strategy));
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
    },
    finish: async (strategy, answer, cookie) => {
      const pending = readPending(strategy, cookie);
      const provider = await findProvider(strategy, pending.workspaceId ?? undefined);
      const url = new URL(redirectUriOf(strategy));
      for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
      return giveCode(pending, provider, await askBrowser.finish(provider, url, pending));
    },
    redeem: async (strategy, { code, workspaceId }, cookie) => {
      const text = await codes.take(hashOf(code), clock.now());
      const half = cookies.get('code', cookie);
      if (text === undefined || half === undefined) throw badCode();
      const proof = JSON.parse(text) as Proof;
      if (proof.strategy !== strategy || !isSame(proof.half, hashOf(half))) throw badCode();
      if (workspaceId !== undefined && proof.workspaceId !== null && workspaceId !== proof.workspaceId) {
        throw badField(
          'workspaceId',
          `"${workspaceId}" was sent, and the sign-in was begun for "${proof.workspaceId}". Leave it out.`,
        );
      }
      const provider = await findProvider(strategy, proof.workspaceId ?? undefined);
      if ((provider.own?.id ?? null) !== proof.providerId) throw badCode();
      return {
        identity: proof.identity,
        provider,
        workspaceId: proof.workspaceId ?? workspaceId,
      };
    },
  };
};
