import { Type, type Static } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

export const OAuthToken = strictObject(
  {
    access_token: Type.String({ description: 'Sent as `Authorization: Bearer <access_token>`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.String({ description: 'Good for one exchange.' }),
  },
  { title: 'OAuthToken' },
);
export type OAuthToken = Static<typeof OAuthToken>;

export const OAuthMetadata = strictObject(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    response_types_supported: Type.Array(Type.String()),
    response_modes_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
    authorization_response_iss_parameter_supported: Type.Boolean(),
  },
  { title: 'OAuthMetadata' },
);
export type OAuthMetadata = Static<typeof OAuthMetadata>;

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

/** The parameters of an authorization request. */
const authorizationParameters = {
  response_type: text(100, 'code.'),
  client_id: text(200, 'The clientId of the application.'),
  redirect_uri: text(2000, 'The redirectUrl of the application, to the letter.'),
  state: text(2000, 'Comes back as it is.'),
  code_challenge: text(128, 'The SHA-256 of the code_verifier, in base64url. There is no doing without.'),
  code_challenge_method: text(20, 'S256.'),
};

const AuthorizationForm = strictObject(
  {
    ...authorizationParameters,
    step: text(20, 'sign-in or decide.'),
    csrf: text(200, 'From the page.'),
    email: text(254, 'To sign in.'),
    password: text(200, 'To sign in.'),
    ticket: text(4000, 'From the page: that somebody signed in.'),
    decision: text(20, 'allow or deny.'),
  },
  { title: 'AuthorizationForm' },
);

const credentials = {
  client_id: text(200, 'Where the client sends no Authorization: Basic.'),
  client_secret: text(200, 'Where the client sends no Authorization: Basic.'),
};

const TokenForm = strictObject(
  {
    ...credentials,
    grant_type: text(100, 'authorization_code or refresh_token.'),
    code: text(200, 'For authorization_code.'),
    redirect_uri: text(2000, 'For authorization_code: as in the authorization request.'),
    code_verifier: text(128, 'For authorization_code: that of PKCE.'),
    refresh_token: text(200, 'For refresh_token.'),
  },
  { title: 'TokenForm' },
);

const RevocationForm = strictObject(
  {
    ...credentials,
    token: text(8192, 'An access token or a refresh token.'),
    token_type_hint: text(100, 'Not needed.'),
  },
  { title: 'RevocationForm' },
);

const tag = 'OAuth';
const form = 'application/x-www-form-urlencoded';
const page = Type.String({ description: 'A page for people.' });
const redirects =
  'Back to the redirectUrl of the application, with `code` and `state`, or with `error` and `state`; `iss` names this server.';

/** These calls follow RFC 6749 and what comes with it instead of the conventions of this API. */
export const oauthRoutes = {
  authorizeApplication: defineRoute({
    method: 'GET',
    path: '/oauth2/auth',
    operationId: 'authorizeApplication',
    tag,
    summary: 'Ask a person to let an application act for them',
    description:
      'A page on which the person signs in and then allows or denies. An unknown client_id and another redirect_uri lead nowhere: they are a page of their own.',
    caller: 'anyone',
    protocol: 'oauth2',
    query: strictObject({ ...authorizationParameters }),
    success: { status: 200, description: 'The page.', schema: page, mediaType: 'text/html', streamed: true },
    redirects,
    errors: [],
  }),
  answerApplication: defineRoute({
    method: 'POST',
    path: '/oauth2/auth',
    operationId: 'answerApplication',
    tag,
    summary: 'Sign in, allow or deny',
    description: 'The forms of that page. A code is good for one minute and one exchange.',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    body: AuthorizationForm,
    bodyType: form,
    success: {
      status: 200,
      description: 'The next page, or the same with what was wrong.',
      schema: page,
      mediaType: 'text/html',
      streamed: true,
    },
    redirects,
    errors: [],
  }),
  exchangeOAuthToken: defineRoute({
    method: 'POST',
    path: '/oauth2/token',
    operationId: 'exchangeOAuthToken',
    tag,
    summary: 'Exchange a code or a refresh token',
    description:
      'An access token is good for an hour, a refresh token for 30 days and one exchange. A code or refresh token that is used twice ends all that came of it.',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    body: TokenForm,
    bodyType: form,
    success: { status: 200, description: 'The tokens.', schema: OAuthToken },
    errors: [],
  }),
  revokeOAuthToken: defineRoute({
    method: 'POST',
    path: '/oauth2/revoke',
    operationId: 'revokeOAuthToken',
    tag,
    summary: 'Give back what a person has allowed',
    description: 'Ends all that came of the same permission of the person, by one of its tokens (RFC 7009).',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    body: RevocationForm,
    bodyType: form,
    success: { status: 200, description: 'It is over.', schema: strictObject({}) },
    errors: [],
  }),
  getOAuthMetadata: defineRoute({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getOAuthMetadata',
    tag,
    summary: 'What OAuth can do here',
    description: 'The metadata of RFC 8414.',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    success: { status: 200, description: 'The metadata.', schema: OAuthMetadata },
    errors: [],
  }),
} as const;
