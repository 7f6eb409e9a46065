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
/** What providers add to the address, and nobody needs. */
const unused = text(4000, 'What some providers add.');

export const singleSignOnRoutes = {
  beginSingleSignOn: defineRoute({
    method: 'GET',
    path: '/sso/{provider}/login',
    operationId: 'beginSingleSignOn',
    tag,
    summary: 'Go to an identity provider',
    description:
      'For browsers: sets a sealed cookie and sends them to the provider (authorization code with PKCE, state and nonce). `workspaceId` names the workspace to sign in to; where it has a provider of its own for this strategy, that one is asked. `returnTo` is a path of this server.',
    caller: 'anyone',
    ignoresCredential: true,
    params,
    query: strictObject({
      workspaceId: text(200, 'The id of the workspace to bind the session to.'),
      returnTo: text(2000, 'Where the browser goes afterwards: a path such as /app/, which is the default.'),
    }),
    success: { status: 303, description: 'On to the provider.', schema: Redirect },
    errors: ['HttpClientError', 'NotFoundError', 'NotImplementedError'],
  }),
  finishSingleSignOn: defineRoute({
    method: 'GET',
    path: '/sso/{provider}/callback',
    operationId: 'finishSingleSignOn',
    tag,
    summary: 'Come back from an identity provider',
    description:
      'For browsers: checks what the provider says, and sends them to `returnTo` with `#strategy=…&code=…`. The code is good once, for two minutes, in this browser: POST /authentication with `{strategy, code}` opens the session.',
    caller: 'anyone',
    ignoresCredential: true,
    params,
    query: strictObject({
      code: text(8192, 'From the provider.'),
      state: text(1000, 'From the login.'),
      iss: text(2000, 'Who answers.'),
      error: text(1000, 'Why there is no code.'),
      error_description: unused,
      error_uri: unused,
      session_state: unused,
      client_info: unused,
      scope: unused,
      authuser: unused,
      hd: unused,
      prompt: unused,
    }),
    success: { status: 303, description: 'Back to where the browser came from.', schema: Redirect },
    errors: ['AuthError', 'HttpClientError', 'NotFoundError', 'NotImplementedError'],
  }),
} as const;
