import type { RouteDescriptor } from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasPrivileges, type Person } from '../auth/actor.ts';
import { requireWholeAccount } from '../auth/guards.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { requestOrigin } from './origin.ts';
import { namesSession, readSessionCookie } from './session-cookie.ts';
import type { RefusalAudit } from './refusal-audit.ts';
import type { RateLimits } from './protection/rate-limits.ts';

/**
 * Finds the requester, and checks that the route allows them. A credential that is sent to a public route must be
 * valid, too.
 */
export type Identify = (
  route: RouteDescriptor,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Person | undefined>;

/**
 * Whether a request contains a credential, valid or not. Browsers send cookies with every request, so a cookie counts
 * as a credential only if a header names its session, or if the route does not need that header.
 */
export const hasCredential = (request: FastifyRequest): boolean =>
  hasTokenOrKey(request) ||
  namesSession(request) ||
  (request.routeOptions.config.sessionHeader === 'optional' &&
    readSessionCookie(request, true) !== undefined);

const hasTokenOrKey = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined;

export const createIdentify = (
  authenticate: Authenticate,
  limits: RateLimits,
  refusals: Pick<RefusalAudit, 'called'>,
): Identify => {
  /**
   * Counts only invalid credentials against the address, so that a requester with a valid one is not affected by other
   * requesters at the address.
   */
  const authenticateRequest = async (
    route: RouteDescriptor,
    request: FastifyRequest,
  ): Promise<Person | undefined> => {
    const cookie = readSessionCookie(request, route.sessionHeader === 'optional');
    try {
      return await authenticate(request.headers, cookie);
    } catch (error) {
      const isInvalid = error instanceof RedoubtError && error.name === 'AuthError';
      if (isInvalid && hasCredential(request)) limits.countStranger(request);
      // An open call must work for a person whose browser still has the cookie of a session that has ended.
      if (isInvalid && route.caller === 'anyone' && !hasTokenOrKey(request)) return undefined;
      throw error;
    }
  };
  return async (route, request, reply) => {
    const isAnonymous = !hasCredential(request) || route.ignoresCredential === true;
    if (route.caller === 'anyone' && isAnonymous) {
      if (hasCredential(request)) limits.countStranger(request);
      return undefined;
    }
    const found = await authenticateRequest(route, request);
    if (found === undefined) return undefined;
    const person: Person = { ...found, origin: requestOrigin(request) };
    refusals.called(request, route, person);
    limits.countPerson(person, request, reply);
    if (route.bearer === true && !hasPrivileges(person)) {
      throw forbidden(
        'This call needs a session of your own: send "Authorization: Bearer <accessToken>" from your own sign-in. API keys and applications may not make it.',
      );
    }
    if (route.accountWide === true) requireWholeAccount(person);
    if (route.caller === 'member' && person.workspace === undefined) {
      throw forbidden(
        'This session is not bound to a workspace. Sign in again with "workspaceId", or create a workspace.',
      );
    }
    return person;
  };
};
