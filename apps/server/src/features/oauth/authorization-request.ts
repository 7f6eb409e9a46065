import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { OAuthClient, OAuthRepository } from './oauth.repository.ts';
import type { Parameters } from './parameters.ts';

/** A validated authorization request of an application. */
export interface AuthorizationRequest {
  client: OAuthClient;
  redirectUrl: string;
  state: string | undefined;
  challenge: string;
}

/** The request is invalid, and the error can be sent to the application, because its redirect URL is right. */
export class RejectedAuthorization extends Error {
  override readonly name = 'RejectedAuthorization';
  readonly request: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>;
  readonly reason: OAuthRequestError;

  constructor(request: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>, reason: OAuthRequestError) {
    super(reason.message);
    this.request = request;
    this.reason = reason;
  }
}

/** Error messages quote at most this many characters of a value. */
const maxQuoted = 80;

/** Finds the client and checks the redirect URL, because responses may go only to the application's own address. */
const findClient = async (
  parameters: Parameters,
  findById: OAuthRepository['findClient'],
): Promise<{ client: OAuthClient; redirectUrl: string }> => {
  const clientId = parameters.get('client_id');
  if (clientId === undefined)
    throw new OAuthRequestError('invalid_request', 'client_id is missing. Send it.');
  const client = await findById(clientId);
  if (client === undefined) {
    throw new OAuthRequestError(
      'invalid_client',
      `There is no application with the client_id "${clientId.slice(0, maxQuoted)}". Check it.`,
    );
  }
  const redirectUrl = parameters.get('redirect_uri');
  if (redirectUrl === undefined)
    throw new OAuthRequestError('invalid_request', 'redirect_uri is missing. Send it.');
  if (redirectUrl !== client.redirectUrl) {
    throw new OAuthRequestError(
      'invalid_request',
      'redirect_uri must be exactly the redirectUrl of the application. Send that one.',
    );
  }
  return { client, redirectUrl };
};

const challengeForm = /^[A-Za-z0-9_-]{43}$/;

const requestError = (error: OAuthRequestError['error'], text: string): OAuthRequestError =>
  new OAuthRequestError(error, text);

/** Checks the rest of the request, and returns the first error. */
const findError = (parameters: Parameters): OAuthRequestError | undefined => {
  if (parameters.has('request'))
    return requestError('request_not_supported', 'request is not supported. Leave it out.');
  if (parameters.has('request_uri'))
    return requestError('request_uri_not_supported', 'request_uri is not supported. Leave it out.');
  const type = parameters.get('response_type');
  if (type === undefined) return requestError('invalid_request', 'response_type is missing. Send "code".');
  if (type !== 'code')
    return requestError(
      'unsupported_response_type',
      `response_type must be "code", got "${type.slice(0, maxQuoted)}". Send "code".`,
    );
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query')
    return requestError(
      'invalid_request',
      `response_mode must be "query", got "${mode.slice(0, maxQuoted)}". Send "query" or leave it out.`,
    );
  if (parameters.has('scope'))
    return requestError(
      'invalid_scope',
      'Scopes are not supported: the settings of the application define its access. Leave scope out.',
    );
  const method = parameters.get('code_challenge_method');
  const challenge = parameters.get('code_challenge');
  if (challenge === undefined || method !== 'S256')
    return requestError(
      'invalid_request',
      'PKCE is required. Send code_challenge, and "S256" as code_challenge_method.',
    );
  if (!challengeForm.test(challenge))
    return requestError(
      'invalid_request',
      'code_challenge must be a SHA-256 hash in base64url, which has 43 characters. Send such a value.',
    );
  const state = parameters.get('state');
  if (state !== undefined && !/^[\x20-\x7e]{1,2000}$/.test(state))
    return requestError(
      'invalid_request',
      'state must have at most 2000 printable ASCII characters. Send a shorter or simpler value.',
    );
  return undefined;
};

/**
 * Parses and validates an authorization request.
 * @throws OAuthRequestError if the client or its redirect URL is wrong, so that the error must not be sent to it
 * @throws RejectedAuthorization for other errors, which are sent to the redirect URL
 */
export const readAuthorizationRequest = async (
  parameters: Parameters,
  findById: OAuthRepository['findClient'],
): Promise<AuthorizationRequest> => {
  const { client, redirectUrl } = await findClient(parameters, findById);
  const state = parameters.get('state');
  const reason = findError(parameters);
  if (reason !== undefined) {
    const safeState = state !== undefined && /^[\x20-\x7e]{1,2000}$/.test(state) ? state : undefined;
    throw new RejectedAuthorization({ redirectUrl, state: safeState }, reason);
  }
  return { client, redirectUrl, state, challenge: parameters.get('code_challenge') ?? '' };
};

/** Returns the parameters of the request as form fields of its page. */
export const requestFields = ({
  client,
  redirectUrl,
  state,
  challenge,
}: AuthorizationRequest): Record<string, string> => ({
  response_type: 'code',
  client_id: client.clientId,
  redirect_uri: redirectUrl,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...(state === undefined ? {} : { state }),
});

/** Builds the redirect URL with the response in its query string. */
export const buildRedirect = (
  { redirectUrl, state }: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>,
  response: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
};
