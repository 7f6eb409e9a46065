import { RedoubtError, unauthenticated } from '@redoubt/errors';
import type { Logger } from '../../platform/log/logger.ts';

/** The properties of a provider that errors and the log contain. */
interface ProviderReference {
  strategy: string;
  own: { id: string } | undefined;
}

/** 401: the proof of the provider is not sufficient. `reason` is a sentence. */
export const providerRefused = (
  { strategy }: Pick<ProviderReference, 'strategy'>,
  reason: string,
): RedoubtError => unauthenticated(`The sign-in with "${strategy}" failed: ${reason}`);

/** 502: the provider sent no response, or an unusable one. */
export const providerUnavailable = (
  { strategy }: Pick<ProviderReference, 'strategy'>,
  what: string,
): RedoubtError =>
  new RedoubtError(
    'HttpClientError',
    `The identity provider for "${strategy}" ${what}. Try again later, or tell the person who set it up.`,
  );

/** Error codes of the libraries for an invalid token or response. All other errors are the provider's. */
const invalidProofCodes = new Set([
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

/** Whether the provider rejected the code, because it was used before or belongs to another client. */
const isInvalidGrant = (error: unknown): boolean =>
  error instanceof Error && 'error' in error && error.error === 'invalid_grant';

/** Converts an error of a call to a provider to the error for the requester. */
export type ToProviderError = (provider: ProviderReference, error: unknown) => RedoubtError;

/** Joins the messages of an error and its causes. They come from this program and its libraries, and contain no sent values. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
};

/** Logs why a provider cannot be used. Requesters do not get the reason, because it may disclose the server's network. */
export const createToProviderError =
  (logger: Pick<Logger, 'warn'>): ToProviderError =>
  (provider, error) => {
    if (error instanceof RedoubtError) return error;
    if (invalidProofCodes.has(codeOf(error)) || isInvalidGrant(error)) {
      return providerRefused(
        provider,
        'its token or response has expired, or belongs to another issuer, client or sign-in. Sign in again.',
      );
    }
    const { strategy, own } = provider;
    logger.warn(
      { strategy, identityProviderId: own?.id, code: codeOf(error), reason: reasonOf(error) },
      'an identity provider sent no usable response',
    );
    return providerUnavailable(provider, 'cannot be reached, or its response cannot be used');
  };

/** Whether the provider rejected the token. */
export const isTokenRefused = (error: unknown): boolean =>
  codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' &&
  error instanceof Error &&
  'status' in error &&
  (error.status === 401 || error.status === 403);
