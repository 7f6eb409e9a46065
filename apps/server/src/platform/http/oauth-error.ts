import type { WireError } from '@redoubt/errors';

/** The error codes of RFC 6749 and RFC 7009 that this server uses. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** An error for an OAuth client, or for the person on its page. */
export class OAuthRequestError extends Error {
  override readonly name = 'OAuthFault';
  readonly error: OAuthErrorCode;
  /** The HTTP status. */
  readonly status: number;

  constructor(error: OAuthErrorCode, description: string, status = 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

/** Reduces a text to what RFC 6749 allows in a description: printable ASCII without quotes and backslashes. */
const toDescription = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('’', "'")
    .replaceAll(/[^\x20-\x7e]|\\/g, '?');

/** The body of an error response of RFC 6749. */
export interface OAuthWire {
  error: OAuthErrorCode;
  error_description: string;
}

export const toOAuthErrorBody = (error: OAuthErrorCode, description: string): OAuthWire => ({
  error,
  error_description: toDescription(description),
});

/** Translates an error of this API into an error of RFC 6749. */
export const fromErrorBody = ({ code, message }: WireError): OAuthWire => {
  if (code === 429 || code === 503) return toOAuthErrorBody('temporarily_unavailable', message);
  return toOAuthErrorBody(code >= 500 ? 'server_error' : 'invalid_request', message);
};
