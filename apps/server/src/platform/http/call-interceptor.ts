import type { RouteDescriptor } from '@redoubt/contract';
import type { FastifyReply } from 'fastify';
import type { Member, Person } from '../auth/actor.ts';

/** A call of somebody whose credential is bound to a workspace. */
export interface InterceptedCall {
  route: RouteDescriptor;
  actor: Member;
  reply: FastifyReply;
}

/**
 * Stands around the answering of such calls, before their input is looked at: measures them, has them wait, or refuses
 * them.
 */
export type CallInterceptor = (call: InterceptedCall, answer: () => unknown) => unknown;

export const isMember = (person: Person | undefined): person is Member => person?.workspace !== undefined;
