import { hash } from 'node:crypto';
import type { Clock } from '../runtime.ts';

/** The claims of tokens whose signature was found good. */
export interface VerifiedTokens<Claims> {
  /** The claims of a token that was kept, unless it has expired since. */
  get(token: string): Claims | undefined;
  keep(token: string, claims: Claims): void;
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');

/**
 * A signature that was good stays good, and checking it is the dearest part of a small request. The expiry is looked
 * at each time. Tokens are kept as their hashes alone.
 * @param size tokens to remember; beyond, it begins anew
 */
export const createVerifiedTokens = <Claims extends { exp: number }>(
  clock: Clock,
  size: number,
): VerifiedTokens<Claims> => {
  const verified = new Map<string, Claims>();
  return {
    get: (token) => {
      const claims = verified.get(keyOf(token));
      return claims !== undefined && claims.exp > Math.floor(clock.now().getTime() / 1000)
        ? claims
        : undefined;
    },
    keep: (token, claims) => {
      if (verified.size >= size) verified.clear();
      verified.set(keyOf(token), claims);
    },
  };
};
