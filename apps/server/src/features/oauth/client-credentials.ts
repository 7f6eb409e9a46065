import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { Parameters } from './parameters.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

const rejectMissing = (): never => {
  throw new OAuthRequestError(
    'invalid_client',
    'The client must authenticate. Send client_id and client_secret as Authorization: Basic, or in the body.',
    401,
  );
};

/** RFC 6749 (2.3.1) requires that both parts are form-encoded before they are joined. */
const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return rejectMissing();
  }
};

const fromBasic = (authorization: string): ClientCredentials => {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return id === undefined || secret === undefined
    ? rejectMissing()
    : { clientId: decodePart(id), clientSecret: decodePart(secret) };
};

/**
 * Reads the credentials of the client from the header or from the body.
 * @throws OAuthRequestError invalid_client if there are none, invalid_request if they are in both places
 */
export const readClientCredentials = (
  authorization: string | undefined,
  form: Parameters,
): ClientCredentials => {
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization === undefined) {
    return clientId === undefined || clientSecret === undefined
      ? rejectMissing()
      : { clientId, clientSecret };
  }
  const basic = fromBasic(authorization);
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new OAuthRequestError(
      'invalid_request',
      'The client must authenticate in one way only. Send Authorization: Basic, or client_id and client_secret in the body.',
    );
  }
  return basic;
};
