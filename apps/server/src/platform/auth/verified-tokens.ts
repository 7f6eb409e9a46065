import { hash } from 'node:crypto';
import type { Clock } from '../runtime.ts';

/** A cache of the claims of tokens with a valid signature. */
export interface VerifiedTokens<Claims> {
  /** The cached claims of a token, unless it has expired since. */
  get(token: string): Claims | undefined;
  keep(token: string, claims: Claims): void;
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');

/**
 * Caches the claims of tokens, because checking a signature is the most expensive part of a small request and a valid
 * signature stays valid. Each call checks the expiry. The cache holds only hashes of tokens.
 * @param size maximum number of tokens; a full cache is cleared
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
