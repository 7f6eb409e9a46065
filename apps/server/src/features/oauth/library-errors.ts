import OAuth2Server from '@node-oauth/oauth2-server';
import { OAuthRequestError, type OAuthErrorCode } from '../../platform/http/oauth-error.ts';

const known: ReadonlySet<string> = new Set<OAuthErrorCode>([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

const isKnown = (name: string): name is OAuthErrorCode => known.has(name);

/** Converts an error of the library to one for the client. Internal errors inside of it are returned unchanged. */
export const toOAuthError = (error: unknown): unknown => {
  if (!(error instanceof OAuth2Server.OAuthError)) return error;
  const { name, message, inner } = error as OAuth2Server.OAuthError & { inner?: unknown };
  if (isKnown(name)) return new OAuthRequestError(name, message, name === 'invalid_client' ? 401 : 400);
  return inner instanceof Error ? inner : error;
};
