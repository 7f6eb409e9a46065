import type { FastifyRequest } from 'fastify';
import type { Origin } from '../auth/actor.ts';
import { clientAddress } from './client-address.ts';

/** Where a request comes from, for the audit log. */
export const originOf = (request: Pick<FastifyRequest, 'id' | 'ip' | 'socket'>): Origin => ({
  ip: clientAddress(request),
  requestId: request.id,
});
