import { Type } from 'typebox';
import { BooleanParameter, nullable, strictObject, Timestamp } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

/** The longest token that is read. */
export const maxTokenLength = 8192;

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

export const Credentials = strictObject(
  {
    strategy: Type.String({
      maxLength: 50,
      description: 'local, jwt, proxy, keycloak, microsoft, google, github, okta or custom.',
    }),
    email: text(254, 'For local and proxy.'),
    password: text(200, 'For local and proxy.'),
    firstName: text(200, 'For proxy.'),
    lastName: text(200, 'For proxy.'),
    accessToken: text(maxTokenLength, 'For jwt: a token of this server.'),
    access_token: text(maxTokenLength, 'For single sign-on: the token of the provider.'),
    code: text(
      200,
      'For single sign-on in a browser, in the place of access_token: from /sso/{provider}/callback.',
    ),
    key: text(200, 'With apiKey=true: the API key.'),
    workspaceId: text(200, 'The id of the workspace to bind the session to.'),
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
  nullable(Type.String({ description: `What ${provider} calls the person; null where it is not linked.` }));

export const Account = strictObject(
  {
    avatar: nullable(
      Type.String({ description: 'The path of the picture, which asks for a credential; null without one.' }),
    ),
    changeEmailTokenExpiration: nullable(
      Type.String({
        format: 'date-time',
        description: 'Until when a change of address can be confirmed; null where none is under way.',
      }),
    ),
    createdAt: Timestamp,
    deletedAt: none('Accounts that are deleted are gone.'),
    displayName: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    githubId: idAt('GitHub'),
    googleId: idAt('Google'),
    id: Type.String(),
    lastName: Type.String(),
    linkedAccounts: Type.Array(Type.String(), {
      description: 'The strategies of the server’s identity providers that the account is linked to.',
    }),
    microsoftId: idAt('Microsoft'),
    oktaId: idAt('Okta'),
    stripeCustomerId: nullable(
      Type.String({
        description: 'By which Stripe knows the workspace of the session, for the person who pays for it.',
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
      description: 'The token of the request; empty where it came with an API key.',
    }),
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
      'The session is bound to the workspace named in the body or the query string, else to the person’s only one, else to none. The token is valid for 24 hours. For an API key (apiKey=true) the token is as narrow as the key, and ends with it. Single sign-on counts only where the provider confirms that it issued the token to the client of this server, and links accounts by email addresses that are verified on both sides. What is not set up is 501, a proxy that is off 401.',
    caller: 'anyone',
    ignoresCredential: true,
    query: strictObject({
      apiKey: BooleanParameter('The body holds strategy and key.'),
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
      'Ends the session of the token in the path, or with "null" that of the Authorization header, at once.',
    caller: 'anyone',
    params: strictObject({
      id: Type.String({
        minLength: 1,
        maxLength: maxTokenLength,
        description: 'The access token, or the text null.',
      }),
    }),
    success: { status: 200, description: 'What has ended.', schema: AuthenticationResult },
    errors: ['AuthError', 'NotFoundError'],
  }),
  getMe: defineRoute({
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    tag,
    summary: 'Who am I',
    description:
      'The headers Koverse-User (JSON in ASCII) and Koverse-Jwt say the same as the body, for proxies that ask who sends a request.',
    caller: 'person',
    success: { status: 200, description: 'The person and the token.', schema: Me },
    errors: ['AuthError'],
  }),
} as const;
