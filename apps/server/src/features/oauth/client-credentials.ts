import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { Parameters } from './parameters.ts';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

const refuse = (): never => {
  throw new OAuthRequestError(
    'invalid_client',
    'The client has to show who it is: send client_id and client_secret as Authorization: Basic, or in the body.',
    401,
  );
};

/** In RFC 6749 (2.3.1) both parts are encoded as in a form before they are joined. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse();
  }
};

const fromBasic = (authorization: string): ClientCredentials => {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return id === undefined || secret === undefined
    ? refuse()
    : { clientId: decoded(id), clientSecret: decoded(secret) };
};

/**
 * By what the client shows who it is, in one of the two ways.
 * @throws OAuthFault invalid_client where it shows nothing, invalid_request where it does so in both ways
 */
export const readClientCredentials = (
  authorization: string | undefined,
  form: Parameters,
): ClientCredentials => {
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization === undefined) {
    return clientId === undefined || clientSecret === undefined ? refuse() : { clientId, clientSecret };
  }
  const basic = fromBasic(authorization);
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new OAuthRequestError(
      'invalid_request',
      'The client shows who it is in two ways: send Authorization: Basic, or client_id and client_secret in the body.',
    );
  }
  return basic;
};
