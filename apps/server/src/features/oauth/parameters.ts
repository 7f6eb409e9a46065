import { OAuthRequestError } from '../../platform/http/oauth-error.ts';

/** The parameters of a request, each with a single value. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads a query string or a form. Parameters without a value count as absent (RFC 6749, 3.1).
 * @throws OAuthRequestError invalid_request for a duplicate parameter
 */
export const readParameters = (text: string): Parameters => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    if (parameters.has(name))
      throw new OAuthRequestError('invalid_request', `${name} was sent more than once. Send it once.`);
    parameters.set(name, value);
  }
  return parameters;
};

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** @throws OAuthRequestError invalid_request for a body of another type */
export const readForm = (contentType: string | undefined, body: Buffer): Parameters => {
  if (!formType.test(contentType ?? '')) {
    throw new OAuthRequestError(
      'invalid_request',
      `The body must be of type application/x-www-form-urlencoded, got "${contentType ?? 'none'}". Send it as that type.`,
    );
  }
  return readParameters(body.toString('utf8'));
};
