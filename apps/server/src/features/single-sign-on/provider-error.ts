import { RedoubtError, unauthenticated } from '@redoubt/errors';
import type { Logger } from '../../platform/log/logger.ts';

/** What is said of a provider: which strategy it answers, and the id of one that a workspace brought. */
interface Named {
  strategy: string;
  own: { id: string } | undefined;
}

/** 401: the provider does not say what is needed. `reason` is a sentence. */
export const providerRefused = ({ strategy }: Pick<Named, 'strategy'>, reason: string): RedoubtError =>
  unauthenticated(`The sign-in by "${strategy}" does not hold: ${reason}`);

/** 502: the provider does not answer, or not in a way that can be used. */
export const providerUnavailable = ({ strategy }: Pick<Named, 'strategy'>, what: string): RedoubtError =>
  new RedoubtError(
    'HttpClientError',
    `The identity provider for "${strategy}" ${what}: try again later, or tell whoever set it up.`,
  );

/** What the libraries say of a token or an answer that does not hold. Everything else is a fault of the provider. */
const refusals = new Set([
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** A code that was used before, or is another's: said by the provider in the body of its answer. */
const isInvalidGrant = (error: unknown): boolean =>
  error instanceof Error && 'error' in error && error.error === 'invalid_grant';

/** What a caller reads of a fault that came up while a provider was asked. */
export type ToProviderError = (provider: Named, error: unknown) => RedoubtError;

/** The messages of an error and of what caused it: of the program and its libraries, without anything that was sent. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
};

/** Whoever runs the server reads in the log why a provider cannot be used; callers do not, as it tells of its network. */
export const createToProviderError =
  (logger: Pick<Logger, 'warn'>): ToProviderError =>
  (provider, error) => {
    if (error instanceof RedoubtError) return error;
    if (refusals.has(codeOf(error)) || isInvalidGrant(error)) {
      return providerRefused(
        provider,
        'its token or its answer has expired, or is of another issuer, client or sign-in. Sign in again.',
      );
    }
    const { strategy, own } = provider;
    logger.warn(
      { strategy, identityProviderId: own?.id, code: codeOf(error), reason: reasonOf(error) },
      'an identity provider gave no answer that can be used',
    );
    return providerUnavailable(provider, 'cannot be reached, or its answer cannot be used');
  };

/** Whether the provider refused the token that it was shown. */
export const isTokenRefused = (error: unknown): boolean =>
  codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' &&
  error instanceof Error &&
  'status' in error &&
  (error.status === 401 || error.status === 403);
