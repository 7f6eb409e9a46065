import { Type } from 'typebox';
import { BooleanParameter, nullable, strictObject, Timestamp } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** The maximum length of a token in a request. */
export const maxTokenLength = 8192;

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

export const Credentials = strictObject(
  {
    strategy: Type.String({
      maxLength: 50,
      description: 'local, jwt, proxy, keycloak, microsoft, google, github, okta or custom.',
    }),
    email: text(254, 'For the strategies local and proxy.'),
    password: text(200, 'For the strategies local and proxy.'),
    firstName: text(200, 'For the strategy proxy.'),
    lastName: text(200, 'For the strategy proxy.'),
    accessToken: text(maxTokenLength, 'For the strategy jwt: a token of this server.'),
    access_token: text(maxTokenLength, 'For single sign-on: the token of the provider.'),
    code: text(
      200,
      'For single sign-on in a browser, instead of access_token: the code from /sso/{provider}/callback.',
    ),
    key: text(200, 'The API key, with apiKey=true in the query string.'),
    workspaceId: text(200, 'The id of the workspace that the session is bound to.'),
  },
  {
    title: 'Credentials',
    examples: [{ strategy: 'local', email: 'ada@example.org', password: 'at least 8 characters' }],
  },
);
export type Credentials = Type.Static<typeof Credentials>;

export const TokenPayload = strictObject(
  {
    email: Type.String(),
    exp: Type.Integer({ description: 'Seconds since 1970.' }),
    iat: Type.Integer({ description: 'Seconds since 1970.' }),
    iss: Type.String(),
    jti: Type.String({ description: 'The id of the session.' }),
    sub: Type.String({ description: 'The id of the user.' }),
  },
  { title: 'TokenPayload' },
);

const none = (description: string) => Type.Null({ description });
const idAt = (provider: string) =>
  nullable(
    Type.String({ description: `The id of the person at ${provider}; null if the account is not linked.` }),
  );

export const Account = strictObject(
  {
    avatar: nullable(
      Type.String({
        description: 'The path of the picture, which needs a credential; null without a picture.',
      }),
    ),
    changeEmailTokenExpiration: nullable(
      Type.String({
        format: 'date-time',
        description: 'Until when a change of the email address can be confirmed; null without such a change.',
      }),
    ),
    createdAt: Timestamp,
    deletedAt: none('Always null: deleted accounts no longer exist.'),
    displayName: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    githubId: idAt('GitHub'),
    googleId: idAt('Google'),
    id: Type.String(),
    lastName: Type.String(),
    linkedAccounts: Type.Array(Type.String(), {
      description: 'The strategies of the identity providers of the server that the account is linked to.',
    }),
    microsoftId: idAt('Microsoft'),
    oktaId: idAt('Okta'),
    stripeCustomerId: nullable(
      Type.String({
        description:
          'The Stripe customer of the workspace of the session; only for the person who pays for it.',
      }),
    ),
    updatedAt: Timestamp,
    verified: Type.Boolean({ description: 'Whether the email address has been confirmed.' }),
    workspaceCount: Type.Integer({ minimum: 0 }),
  },
  { title: 'Account' },
);

export const AuthenticationResult = strictObject(
  {
    accessToken: Type.String(),
    authentication: strictObject({
      accessToken: Type.String(),
      payload: TokenPayload,
      strategy: Type.String(),
    }),
    user: Account,
  },
  { title: 'AuthenticationResult' },
);
export type AuthenticationResult = Type.Static<typeof AuthenticationResult>;

export const Me = strictObject(
  {
    workspaceId: nullable(Type.String()),
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    displayName: Type.String(),
    accessToken: Type.String({
      description: 'The token of the request; empty for a request with an API key or a session cookie.',
    }),
    sessionId: nullable(
      Type.String({
        description: 'The id of the session of the request; null where it came with an API key.',
      }),
    ),
  },
  { title: 'Me' },
);
export type Me = Type.Static<typeof Me>;

const tag = 'Authentication';

export const authenticationRoutes = {
  authenticate: defineRoute({
    method: 'POST',
    path: '/authentication',
    operationId: 'authenticate',
    staysOpen: true,
    tag,
    summary: 'Sign in',
    description:
      'The session is bound to the workspace in the body or the query string, or to your only workspace, or to none. The token is valid for 24 hours. A token for an API key (apiKey=true) has the rights of the key and ends with it. For single sign-on, the provider must confirm that it issued the token to the client of this server; accounts are linked by email addresses that are verified on both sides. A strategy that is not set up returns 501; the strategy proxy returns 401 if it is off. With the header `X-Redoubt-Session: new` a browser gets a session cookie instead of a token, and the tokens in the response are empty.',
    caller: 'anyone',
    ignoresCredential: true,
    query: strictObject({
      apiKey: BooleanParameter('Set it to true if the body contains strategy and key.'),
      workspaceId: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    body: Credentials,
    success: { status: 201, description: 'The token and the account.', schema: AuthenticationResult },
    errors: ['AuthError', 'HttpClientError', 'NotImplementedError'],
  }),
  signOut: defineRoute({
    method: 'DELETE',
    path: '/authentication/{id}',
    operationId: 'signOut',
    staysOpen: true,
    tag,
    summary: 'Sign out',
    description:
      'Ends the session of the token in the path at once. With `null` in the path, it ends the session of the Authorization header.',
    caller: 'anyone',
    params: strictObject({
      id: Type.String({
        minLength: 1,
        maxLength: maxTokenLength,
        description: 'The access token, or `null`.',
      }),
    }),
    success: { status: 200, description: 'The session that ended.', schema: AuthenticationResult },
    errors: ['AuthError', 'NotFoundError'],
  }),
  getMe: defineRoute({
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    tag,
    summary: 'Get the current person',
    description:
      'The response headers Koverse-User (JSON in ASCII) and Koverse-Jwt contain the same as the body, for proxies that authenticate requests by this call.',
    caller: 'person',
    sessionHeader: 'optional',
    success: { status: 200, description: 'The person and the token.', schema: Me },
    errors: ['AuthError'],
  }),
} as const;
