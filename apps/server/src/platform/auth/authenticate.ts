import { unauthenticated } from '@redoubt/errors';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../runtime.ts';
import type { Person } from './actor.ts';
import type { SessionRepository } from './session.repository.ts';
import type { Tokens } from './tokens.ts';

/** Finds out who sends a request, or refuses it with 401. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Person>;

/** The token of `Authorization: Bearer <token>`; some clients send the bare token. */
export const tokenFrom = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();

export const createAuthenticate =
  (deps: {
    tokens: Pick<Tokens, 'verify'>;
    sessions: Pick<SessionRepository, 'findLive'>;
    clock: Clock;
  }): Authenticate =>
  async ({ authorization, 'x-api-key': apiKey }) => {
    if (authorization === undefined || authorization === '') {
      throw unauthenticated(
        apiKey === undefined
          ? 'This call needs a credential: send "Authorization: Bearer <accessToken>"; POST /authentication gives a token.'
          : 'This server accepts no API keys in X-API-Key: send "Authorization: Bearer <accessToken>".',
      );
    }
    const claims = await deps.tokens.verify(tokenFrom(authorization));
    const session = claims && (await deps.sessions.findLive(claims.jti, deps.clock.now()));
    if (claims === undefined || session === undefined) {
      throw unauthenticated('The access token is not valid, has expired or was signed out: sign in again.');
    }
    return { ...session, sessionId: claims.jti };
  };
