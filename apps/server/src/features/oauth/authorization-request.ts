import { OAuthRequestError } from '../../platform/http/oauth-error.ts';
import type { OAuthClient, OAuthRepository } from './oauth.repository.ts';
import type { Parameters } from './parameters.ts';

/** What an application asks a person for: every part of it has been checked. */
export interface AuthorizationRequest {
  client: OAuthClient;
  redirectUrl: string;
  state: string | undefined;
  challenge: string;
}

/** The request cannot be granted, and the application may be told so: its address is the right one. */
export class RejectedAuthorization extends Error {
  override readonly name = 'RefusedRequest';
  readonly request: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>;
  readonly fault: OAuthRequestError;

  constructor(request: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>, fault: OAuthRequestError) {
    super(fault.message);
    this.request = request;
    this.fault = fault;
  }
}

/** Characters of what was sent that a message quotes. */
const maxShown = 80;

/** Where the request may be answered at all: an address that is not the application's is sent nothing. */
const findClient = async (
  parameters: Parameters,
  findById: OAuthRepository['findClient'],
): Promise<{ client: OAuthClient; redirectUrl: string }> => {
  const clientId = parameters.get('client_id');
  if (clientId === undefined)
    throw new OAuthRequestError('invalid_request', 'client_id is missing: send it.');
  const client = await findById(clientId);
  if (client === undefined) {
    throw new OAuthRequestError(
      'invalid_client',
      `There is no application with the client_id "${clientId.slice(0, maxShown)}".`,
    );
  }
  const redirectUrl = parameters.get('redirect_uri');
  if (redirectUrl === undefined)
    throw new OAuthRequestError('invalid_request', 'redirect_uri is missing: send it.');
  if (redirectUrl !== client.redirectUrl) {
    throw new OAuthRequestError(
      'invalid_request',
      'redirect_uri is not the redirectUrl that the application has here, to the letter.',
    );
  }
  return { client, redirectUrl };
};

const challengeForm = /^[A-Za-z0-9_-]{43}$/;

const fault = (error: OAuthRequestError['error'], text: string): OAuthRequestError =>
  new OAuthRequestError(error, text);

/** What is wrong with the rest of the request. */
const faultOf = (parameters: Parameters): OAuthRequestError | undefined => {
  if (parameters.has('request'))
    return fault('request_not_supported', 'request is not offered: leave it out.');
  if (parameters.has('request_uri'))
    return fault('request_uri_not_supported', 'request_uri is not offered: leave it out.');
  const type = parameters.get('response_type');
  if (type === undefined) return fault('invalid_request', 'response_type is missing: send "code".');
  if (type !== 'code')
    return fault('unsupported_response_type', `response_type is "${type.slice(0, maxShown)}": send "code".`);
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query')
    return fault('invalid_request', `response_mode is "${mode.slice(0, maxShown)}": send "query", or none.`);
  if (parameters.has('scope'))
    return fault(
      'invalid_scope',
      'There are no scopes: an application gets what it was made for. Leave scope out.',
    );
  const method = parameters.get('code_challenge_method');
  const challenge = parameters.get('code_challenge');
  if (challenge === undefined || method !== 'S256')
    return fault(
      'invalid_request',
      'PKCE is needed: send code_challenge, and "S256" as code_challenge_method.',
    );
  if (!challengeForm.test(challenge))
    return fault('invalid_request', 'code_challenge is no SHA-256 in base64url: 43 characters.');
  const state = parameters.get('state');
  if (state !== undefined && !/^[\x20-\x7e]{1,2000}$/.test(state))
    return fault(
      'invalid_request',
      'state is longer than 2000 characters, or holds others than those of ASCII.',
    );
  return undefined;
};

/**
 * @throws OAuthFault where the application must not be told, as it may be another that asks
 * @throws RefusedRequest where it is told by way of its address
 */
export const readAuthorizationRequest = async (
  parameters: Parameters,
  findById: OAuthRepository['findClient'],
): Promise<AuthorizationRequest> => {
  const { client, redirectUrl } = await findClient(parameters, findById);
  const state = parameters.get('state');
  const wrong = faultOf(parameters);
  if (wrong !== undefined) {
    const safeState = state !== undefined && /^[\x20-\x7e]{1,2000}$/.test(state) ? state : undefined;
    throw new RejectedAuthorization({ redirectUrl, state: safeState }, wrong);
  }
  return { client, redirectUrl, state, challenge: parameters.get('code_challenge') ?? '' };
};

/** The parameters of the request again, for the forms of its page. */
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

/** The address of the application with the answer in its query string. */
export const buildRedirect = (
  { redirectUrl, state }: Pick<AuthorizationRequest, 'redirectUrl' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
};
