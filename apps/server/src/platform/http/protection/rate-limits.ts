import { tooMany, type RedoubtError } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../auth/actor.ts';
import type { Clock } from '../../runtime.ts';
import { addressOwner, clientAddress } from '../client-address.ts';
import type { Protection } from './protection.ts';
import { createRateLimiter, type RateLimitResult, type RateLimiter } from './rate-limiter.ts';

export interface RateLimits {
  /**
   * Counts a request that shows no valid credential for the address it comes from. What is left is told to nobody, since
   * it would tell neighbours of each other.
   * @throws ForbiddenError 429
   */
  countStranger(request: FastifyRequest): void;
  /**
   * Counts a request for its credential, once, and tells in its headers what is left.
   * @throws ForbiddenError 429
   */
  countPerson(person: Person, request: FastifyRequest, reply: FastifyReply): void;
}

const keyOf = ({ accountId, credential }: Person): string => {
  switch (credential.kind) {
    case 'session':
      return `person ${accountId}`;
    case 'key':
      return `key ${credential.keyId}`;
    case 'application':
      return `application ${credential.applicationId} ${accountId}`;
  }
};

const refusal = ({ limit }: RateLimiter, { retrySeconds }: RateLimitResult, whose: string): RedoubtError =>
  tooMany(
    `There were more than ${limit} requests a minute ${whose}: try again in ${retrySeconds} s.`,
    retrySeconds,
  );

export const createRateLimits = (
  { perCredential, perAddress }: Protection['rateLimits'],
  clock: Clock,
): RateLimits => {
  const people = perCredential === 0 ? undefined : createRateLimiter({ perMinute: perCredential, clock });
  const strangers = perAddress === 0 ? undefined : createRateLimiter({ perMinute: perAddress, clock });
  const counted = new WeakSet<FastifyRequest>();
  return {
    countStranger: (request) => {
      if (strangers === undefined) return;
      const allowance = strangers.take(addressOwner(clientAddress(request)));
      if (!allowance.allowed)
        throw refusal(strangers, allowance, 'without a valid credential from your address');
    },
    countPerson: (person, request, reply) => {
      if (people === undefined || counted.has(request)) return;
      counted.add(request);
      const allowance = people.take(keyOf(person));
      void reply
        .header('ratelimit-limit', people.limit)
        .header('ratelimit-remaining', allowance.remaining)
        .header('ratelimit-reset', allowance.resetSeconds);
      if (!allowance.allowed) throw refusal(people, allowance, 'with this credential');
    },
  };
};
