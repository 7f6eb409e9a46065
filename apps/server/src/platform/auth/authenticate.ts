import { unauthenticated } from '@redoubt/errors';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../runtime.ts';
import type { Person } from './actor.ts';
import { hashSessionSecret, type CookieCredential } from './session-secret.ts';
import type { KeyRepository } from './key.repository.ts';
import type { SessionRepository } from './session.repository.ts';
import type { Tokens } from './tokens.ts';

/** Finds the requester from the headers. @throws AuthError 401 without a valid credential */
export type Authenticate = (headers: IncomingHttpHeaders, cookie?: CookieCredential) => Promise<Person>;

/** The token of `Authorization: Bearer <token>`; some clients send the bare token. */
export const tokenFrom = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();

interface AuthenticateDeps {
  tokens: Pick<Tokens, 'verify'>;
  sessions: Pick<SessionRepository, 'findLive'>;
  keys: Pick<KeyRepository, 'findByKey'>;
  clock: Clock;
}

const withToken = async ({ tokens, sessions, clock }: AuthenticateDeps, token: string): Promise<Person> => {
  const claims = await tokens.verify(token);
  const session = claims && (await sessions.findLive(claims.jti, clock.now(), 'token'));
  if (claims === undefined || session === undefined) {
    throw unauthenticated('The access token is not valid, has expired or was signed out. Sign in again.');
  }
  return { ...session, sessionId: claims.jti };
};

const withKey = async ({ keys, clock }: AuthenticateDeps, key: string): Promise<Person> => {
  const found = await keys.findByKey(key, clock.now());
  if (found === undefined) {
    throw unauthenticated(
      'The API key in X-API-Key is not valid, has expired or was revoked. Send another key.',
    );
  }
  return found.member;
};

const withCookie = async (
  { sessions, clock }: AuthenticateDeps,
  { sessionId, secret }: CookieCredential,
): Promise<Person> => {
  const session = await sessions.findLive(sessionId, clock.now(), { cookieHash: hashSessionSecret(secret) });
  if (session === undefined) {
    throw unauthenticated('The session of this browser has ended: sign in again.');
  }
  return { ...session, sessionId };
};

/** If a request has several credentials, a token is used before an API key, and both before a browser's cookie. */
export const createAuthenticate =
  (deps: AuthenticateDeps): Authenticate =>
  async ({ authorization = '', 'x-api-key': sentKey }, cookie) => {
    if (authorization !== '') return withToken(deps, tokenFrom(authorization));
    if (typeof sentKey === 'string' && sentKey !== '') return withKey(deps, sentKey.trim());
    if (cookie !== undefined) return withCookie(deps, cookie);
    throw unauthenticated(
      'This call needs a credential: send "Authorization: Bearer <accessToken>" or "X-API-Key: <key>"; POST /authentication returns a token.',
    );
  };
