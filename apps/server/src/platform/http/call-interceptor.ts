import type { RouteDescriptor } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import type { Member, Person } from '../auth/actor.ts';

/** A call by a requester whose credential is bound to a workspace. */
export interface InterceptedCall {
  route: RouteDescriptor;
  actor: Member;
  reply: FastifyReply;
}

/**
 * Wraps the handling of such calls, before their input is checked: it can measure, delay or reject them.
 * @param proceed handles the call
 */
export type CallInterceptor = (call: InterceptedCall, proceed: () => unknown) => unknown;

export const isMember = (person: Person | undefined): person is Member => person?.workspace !== undefined;
