import { Type } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';

const tag = 'Single sign-on';
const params = strictObject({
  provider: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'keycloak, microsoft, google, github, okta or custom.',
  }),
});
/** The identity providers that people can sign in with: the name of each by its strategy. */
export const signInProviders = {
  keycloak: 'Keycloak',
  microsoft: 'Microsoft',
  google: 'Google',
  github: 'GitHub',
  okta: 'Okta',
  custom: 'Single sign-on',
} as const;
export type SignInStrategy = keyof typeof signInProviders;

export const SignInOptions = strictObject(
  {
    providers: Type.Array(
      strictObject({
        strategy: Type.Enum(Object.keys(signInProviders) as SignInStrategy[], {
          description: 'The {provider} of GET /sso/{provider}/login.',
        }),
        name: Type.String({ description: 'What a button says.' }),
      }),
      { description: 'The identity providers that people can sign in with, besides their password.' },
    ),
    signUp: Type.Enum(['open', 'invited', 'closed'], {
      description: 'Who can create an account: everyone, invited people, or nobody (POST /users).',
    }),
    sendsMail: Type.Boolean({
      description: 'Whether the server sends mail, so that people can get a link to set a new password.',
    }),
  },
  { title: 'SignInOptions' },
);
export type SignInOptions = Type.Static<typeof SignInOptions>;

const Redirect = strictObject({ location: Type.String() }, { title: 'Redirect' });
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
/** A parameter that some providers add to the URL. The server does not use it. */
const unused = text(4000, 'Some providers add it. It has no effect.');

/** A browser follows these calls to an identity provider and back. POST /authentication then opens the session. */
export const singleSignOnRoutes = {
  getSignInOptions: defineRoute({
    method: 'GET',
    path: '/sign-in-options',
    operationId: 'getSignInOptions',
    tag,
    summary: 'Get the ways to sign in',
    description:
      'For sign-in pages. Everyone can sign in with a password. With `workspaceId`, the list contains the workspace’s own providers that the operator trusts; they replace those of the server with the same strategy. An unknown workspace has the same response as one without its own providers.',
    caller: 'anyone',
    ignoresCredential: true,
    query: strictObject({ workspaceId: text(200, 'The id of the workspace to sign in to.') }),
    success: { status: 200, description: 'The ways to sign in.', schema: SignInOptions },
    errors: [],
  }),
  beginSingleSignOn: defineRoute({
    method: 'GET',
    path: '/sso/{provider}/login',
    operationId: 'beginSingleSignOn',
    tag,
    summary: 'Start single sign-on',
    description:
      'For browsers: sets an encrypted cookie and redirects to the provider (authorization code with PKCE, state and nonce). `workspaceId` is the workspace to sign in to; if it has its own provider for this strategy, that one is used. `returnTo` is a path of this server. If it is `/login`, the page of the console, errors redirect to it with `error=expired`, `refused`, `unavailable` or `not-available`.',
    caller: 'anyone',
    ignoresCredential: true,
    params,
    query: strictObject({
      workspaceId: text(200, 'The id of the workspace that the session is bound to.'),
      returnTo: text(2000, 'The path to return to after sign-in. By default /app/.'),
    }),
    success: { status: 303, description: 'Redirects to the provider.', schema: Redirect },
    errors: ['HttpClientError', 'NotFoundError', 'NotImplementedError'],
  }),
  finishSingleSignOn: defineRoute({
    method: 'GET',
    path: '/sso/{provider}/callback',
    operationId: 'finishSingleSignOn',
    tag,
    summary: 'Finish single sign-on',
    description:
      'For browsers: checks the response of the provider and redirects to `returnTo` with `#strategy=…&code=…`. Send `{strategy, code}` to POST /authentication to open the session. The code is valid once, for two minutes, in this browser.',
    caller: 'anyone',
    ignoresCredential: true,
    params,
    query: strictObject({
      code: text(8192, 'The code of the provider.'),
      state: text(1000, 'The state of the sign-in.'),
      iss: text(2000, 'The issuer.'),
      error: text(1000, 'The error, if there is no code.'),
      error_description: unused,
      error_uri: unused,
      session_state: unused,
      client_info: unused,
      scope: unused,
      authuser: unused,
      hd: unused,
      prompt: unused,
    }),
    success: { status: 303, description: 'Redirects to `returnTo`.', schema: Redirect },
    errors: ['AuthError', 'HttpClientError', 'NotFoundError', 'NotImplementedError'],
  }),
} as const;
