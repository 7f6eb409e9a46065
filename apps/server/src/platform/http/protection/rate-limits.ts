import { tooMany, type RedoubtError } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../auth/actor.ts';
import type { Clock } from '../../runtime.ts';
import { addressOwner, clientAddress } from '../client-address.ts';
import type { Protection } from './protection.ts';
import { createRateLimiter, type RateLimitResult, type RateLimiter } from './rate-limiter.ts';

export interface RateLimits {
  /**
   * Counts a request without a valid credential for its address. The response does not say what is left, because that
   * would disclose requests of others at the address.
   * @throws ForbiddenError 429 over the limit
   */
  countStranger(request: FastifyRequest): void;
  /**
   * Counts a request for its credential, once, and sets the headers with the remaining requests.
   * @throws ForbiddenError 429 over the limit
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

const overLimit = ({ limit }: RateLimiter, { retrySeconds }: RateLimitResult, scope: string): RedoubtError =>
  tooMany(
    `You may send at most ${limit} requests a minute ${scope}, got more. Try again in ${retrySeconds} s.`,
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
      const result = strangers.take(addressOwner(clientAddress(request)));
      if (!result.allowed) throw overLimit(strangers, result, 'without a valid credential from your address');
    },
    countPerson: (person, request, reply) => {
      if (people === undefined || counted.has(request)) return;
      counted.add(request);
      const result = people.take(keyOf(person));
      void reply
        .header('ratelimit-limit', people.limit)
        .header('ratelimit-remaining', result.remaining)
        .header('ratelimit-reset', result.resetSeconds);
      if (!result.allowed) throw overLimit(people, result, 'with this credential');
    },
  };
};
