import type { RouteDescriptor } from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasPrivileges, type Person } from '../auth/actor.ts';
import { requireWholeAccount } from '../auth/guards.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { requestOrigin } from './origin.ts';
import type { RefusalAudit } from './refusal-audit.ts';
import type { RateLimits } from './protection/rate-limits.ts';

/** Who calls, as far as the route asks for it. A credential that is sent to an open route must be valid too. */
export type Identify = (
  route: RouteDescriptor,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Person | undefined>;

/** Whether a request shows a credential, valid or not. */
export const showsCredential = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined;

export const createIdentify = (
  authenticate: Authenticate,
  limits: RateLimits,
  refusals: Pick<RefusalAudit, 'called'>,
): Identify => {
  /** Whoever has a valid credential is not kept out by what others do at the same address. */
  const recognise = async (request: FastifyRequest): Promise<Person> => {
    try {
      return await authenticate(request.headers);
    } catch (error) {
      const isRefused = error instanceof RedoubtError && error.name === 'AuthError';
      if (isRefused && showsCredential(request)) limits.countStranger(request);
      throw error;
    }
  };
  return async (route, request, reply) => {
    const isUnasked = !showsCredential(request) || route.ignoresCredential === true;
    if (route.caller === 'anyone' && isUnasked) {
      if (showsCredential(request)) limits.countStranger(request);
      return undefined;
    }
    const person: Person = { ...(await recognise(request)), origin: requestOrigin(request) };
    refusals.called(request, route, person);
    limits.countPerson(person, request, reply);
    if (route.bearer === true && !hasPrivileges(person)) {
      throw forbidden(
        'This call is for people themselves: send "Authorization: Bearer <accessToken>" of your own sign-in; neither an API key nor an application may make it.',
      );
    }
    if (route.accountWide === true) requireWholeAccount(person);
    if (route.caller === 'member' && person.workspace === undefined) {
      throw forbidden(
        'This session is bound to no workspace: sign in again with "workspaceId", or create a workspace.',
      );
    }
    return person;
  };
};
