import type { WireError } from '@redoubt/errors';

/** The codes of errors that RFC 6749 and RFC 7009 know, as far as this server answers them. */
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

/** An error that a client of OAuth, or the person at its page, is meant to read. */
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

/** What RFC 6749 lets a description hold: printable ASCII without quotes and backslashes. */
const writable = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('’', "'")
    .replaceAll(/[^\x20-\x7e]|\\/g, '?');

/** The body of an error answer of RFC 6749. */
export interface OAuthWire {
  error: OAuthErrorCode;
  error_description: string;
}

export const toOAuthErrorBody = (error: OAuthErrorCode, description: string): OAuthWire => ({
  error,
  error_description: writable(description),
});

/** An error of this API in the words of RFC 6749. */
export const fromErrorBody = ({ code, message }: WireError): OAuthWire => {
  if (code === 429 || code === 503) return toOAuthErrorBody('temporarily_unavailable', message);
  return toOAuthErrorBody(code >= 500 ? 'server_error' : 'invalid_request', message);
};
