import { tooMany } from '@redoubt/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getHeapStatistics } from 'node:v8';
import { createPersonShares, type PersonShares } from './person-shares.ts';

/** Maximum size of the bodies that are kept in memory at once, in bytes. */
export interface BodyLimits {
  perPerson: number;
  /** Of all people. */
  people: number;
  /** Bodies whose sender is not known before they have arrived. */
  perAddress: number;
  /** Of all addresses. */
  addresses: number;
}

/** What one request keeps of its body in memory. */
export interface HeldBody {
  /** @throws ForbiddenError 429 if its sender, or all of them together, keep too much */
  keep(bytes: number): void;
  /** Stops counting what was kept. */
  free(): void;
}

export interface BodyBudget {
  ofPerson(accountId: string): HeldBody;
  ofAddress(address: string): HeldBody;
}

/** V8 counts buffers with its heap: the bodies may take a quarter of its limit, those of unknown senders a sixteenth. */
export const bodyLimitsFor = (
  bodyBytes: number,
  heapBytes = getHeapStatistics().heap_size_limit,
): BodyLimits => {
  const people = Math.max(heapBytes / 4, 2 * bodyBytes);
  const addresses = heapBytes / 16;
  return { perPerson: Math.max(people / 2, bodyBytes), people, perAddress: addresses / 4, addresses };
};

declare module 'fastify' {
  interface FastifyRequest {
    heldBody: HeldBody;
    /** The work of its handler, once it has begun. */
    work: Promise<unknown> | undefined;
  }
}

const heldBy = (shares: PersonShares, owner: string): HeldBody => {
  let held = 0;
  return {
    keep: (bytes) => {
      const exhausted = shares.take(owner, bytes);
      if (exhausted !== undefined)
        throw tooMany(
          exhausted === 'person'
            ? 'You send too many large requests at once. Wait until some of them have ended, then send this one again.'
            : 'The server receives too many large requests. Send this one again in a few seconds.',
          2,
        );
      held += bytes;
    },
    free: () => {
      shares.giveBack(owner, held);
      held = 0;
    },
  };
};

export const createBodyBudget = (limits: BodyLimits): BodyBudget => {
  const people = createPersonShares({ perPerson: limits.perPerson, total: limits.people });
  const addresses = createPersonShares({ perPerson: limits.perAddress, total: limits.addresses });
  return {
    ofPerson: (accountId) => heldBy(people, accountId),
    ofAddress: (address) => heldBy(addresses, address),
  };
};

/** Makes a request keep its body at the expense of an owner, until its response is sent and the work on it has ended. */
export const holdBody = (request: FastifyRequest, { raw }: FastifyReply, held: HeldBody): void => {
  request.heldBody = held;
  raw.once('close', () => void Promise.allSettled([request.work]).then(held.free));
};
