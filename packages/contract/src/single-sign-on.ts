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
const Redirect = strictObject({ location: Type.String() }, { title: 'Redirect' });
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
/** Parameters that some providers add to the URL; the server does not use them. */
const unused = text(4000, 'Some providers add it. It has no effect.');

export const singleSignOnRoutes = {
  beginSingleSignOn: defineRoute({
    method: 'GET',
    path: '/sso/{provider}/login',
    operationId: 'beginSingleSignOn',
    tag,
    summary: 'Start single sign-on',
    description:
      'For browsers: sets an encrypted cookie and redirects to the provider (authorization code with PKCE, state and nonce). `workspaceId` is the workspace to sign in to; if it has its own provider for this strategy, that one is used. `returnTo` is a path of this server.',
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
