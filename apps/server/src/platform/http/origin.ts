import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../auth/actor.ts';
import { clientAddress } from './client-address.ts';

/** Where a request came from, for the audit log. */
export const requestOrigin = (request: Pick<FastifyRequest, 'id' | 'ip' | 'socket'>): RequestOrigin => ({
  ip: clientAddress(request),
  requestId: request.id,
});
