import { Type, type Static } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

export const OAuthToken = strictObject(
  {
    access_token: Type.String({ description: 'Send it as `Authorization: Bearer <access_token>`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'The lifetime of the access token in seconds.' }),
    refresh_token: Type.String({ description: 'A token for one exchange.' }),
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
  response_type: text(100, 'Must be code.'),
  client_id: text(200, 'The clientId of the application.'),
  redirect_uri: text(2000, 'Exactly the redirectUrl of the application.'),
  state: text(2000, 'Returned unchanged.'),
  code_challenge: text(128, 'The SHA-256 of the code_verifier, in base64url. Required.'),
  code_challenge_method: text(20, 'Must be S256.'),
};

const AuthorizationForm = strictObject(
  {
    ...authorizationParameters,
    step: text(20, 'sign-in or decide.'),
    csrf: text(200, 'The token of the page.'),
    email: text(254, 'For the step sign-in.'),
    password: text(200, 'For the step sign-in.'),
    ticket: text(4000, 'From the page, after sign-in.'),
    decision: text(20, 'allow or deny.'),
  },
  { title: 'AuthorizationForm' },
);

const credentials = {
  client_id: text(200, 'Required without the header Authorization: Basic.'),
  client_secret: text(200, 'Required without the header Authorization: Basic.'),
};

const TokenForm = strictObject(
  {
    ...credentials,
    grant_type: text(100, 'authorization_code or refresh_token.'),
    code: text(200, 'For authorization_code.'),
    redirect_uri: text(2000, 'For authorization_code: the same as in the authorization request.'),
    code_verifier: text(128, 'For authorization_code: the code verifier of PKCE.'),
    refresh_token: text(200, 'For refresh_token.'),
  },
  { title: 'TokenForm' },
);

const RevocationForm = strictObject(
  {
    ...credentials,
    token: text(8192, 'An access token or a refresh token.'),
    token_type_hint: text(100, 'Has no effect.'),
  },
  { title: 'RevocationForm' },
);

const tag = 'OAuth';
const form = 'application/x-www-form-urlencoded';
const page = Type.String({ description: 'An HTML page.' });
const redirects =
  'Redirects to the redirectUrl of the application with `state`, `iss` (this server), and `code` or `error`.';

/** These calls follow RFC 6749 and related standards instead of the conventions of this API. */
export const oauthRoutes = {
  authorizeApplication: defineRoute({
    method: 'GET',
    path: '/oauth2/auth',
    operationId: 'authorizeApplication',
    tag,
    summary: 'Ask a person to let an application act for them',
    description:
      'Shows a page where the person signs in and then allows or denies. An unknown client_id or a different redirect_uri shows an error page instead of redirecting.',
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
    description: 'Receives the forms of the page. A code is valid for one minute and one exchange.',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    body: AuthorizationForm,
    bodyType: form,
    success: {
      status: 200,
      description: 'The next page, or the same page with an error.',
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
      'An access token is valid for an hour, a refresh token for 30 days and one exchange. If a code or refresh token is used twice, all tokens from it are revoked.',
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
    summary: 'Revoke the tokens of an application',
    description: 'Revokes a token and all others from the same permission of the person (RFC 7009).',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    body: RevocationForm,
    bodyType: form,
    success: { status: 200, description: 'The tokens are revoked.', schema: strictObject({}) },
    errors: [],
  }),
  getOAuthMetadata: defineRoute({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    operationId: 'getOAuthMetadata',
    tag,
    summary: 'Get the OAuth metadata',
    description: 'Returns the authorization server metadata of RFC 8414.',
    caller: 'anyone',
    protocol: 'oauth2',
    ignoresCredential: true,
    success: { status: 200, description: 'The metadata.', schema: OAuthMetadata },
    errors: [],
  }),
} as const;
