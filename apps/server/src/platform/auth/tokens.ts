import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../runtime.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

const issuer = 'redoubt';
const algorithm = 'HS256';
/** How long a token is valid. */
export const tokenLifetimeSeconds = 24 * 60 * 60;

/** The claims of an access token; `jti` names the session. Times are seconds since 1970. */
export interface AccessClaims {
  sub: string;
  email: string;
  jti: string;
  iss: string;
  iat: number;
  exp: number;
}

export interface Tokens {
  /**
   * Signs the access token of a session. It expires `tokenLifetimeSeconds` after `createdAt`, or at `endsAt` if that is
   * earlier.
   */
  sign(session: {
    id: string;
    accountId: string;
    email: string;
    createdAt: Date;
    endsAt?: Date | undefined;
  }): Promise<{
    token: string;
    claims: AccessClaims;
  }>;
  /** The claims of a token that this server signed and that has not expired, else undefined. */
  verify(token: string): Promise<AccessClaims | undefined>;
}

const maxCachedTokens = 10_000;

/** @param secret at least 32 random bytes that only the server knows */
export const createTokens = ({ secret, clock }: { secret: Uint8Array; clock: Clock }): Tokens => {
  const verified = createVerifiedTokens<AccessClaims>(clock, maxCachedTokens);
  return {
    sign: async ({ id, accountId, email, createdAt, endsAt }) => {
      const iat = Math.floor(createdAt.getTime() / 1000);
      const claims: AccessClaims = {
        sub: accountId,
        email,
        jti: id,
        iss: issuer,
        iat,
        exp: Math.min(iat + tokenLifetimeSeconds, Math.floor((endsAt?.getTime() ?? Infinity) / 1000)),
      };
      const token = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, typ: 'access' })
        .sign(secret);
      return { token, claims };
    },
    verify: async (token) => {
      const known = verified.get(token);
      if (known !== undefined) return known;
      try {
        const { payload } = await jwtVerify<AccessClaims>(token, secret, {
          algorithms: [algorithm],
          issuer,
          typ: 'access',
          requiredClaims: ['sub', 'jti', 'exp', 'email'],
          currentDate: clock.now(),
        });
        verified.keep(token, payload);
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
};
