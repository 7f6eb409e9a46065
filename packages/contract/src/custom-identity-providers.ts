import { Type, type Static } from 'typebox';
import { IdParam, idParams, OwnWorkspaceId, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

/** The types of identity providers that a workspace can have. */
export const ownProviderTypes = ['custom', 'github', 'google', 'keycloak', 'microsoft', 'okta'] as const;

export const ProviderType = Type.Enum([...ownProviderTypes], {
  description:
    'The strategy of POST /authentication for this provider. A workspace has at most one provider of each type.',
});
export type ProviderType = Static<typeof ProviderType>;

const address = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });
const ScopeName = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' });
const always = (what: string) => Type.Literal(true, { description: `Always true: ${what}` });

/** The part of the configuration that responses contain: all but the secret. */
const shown = {
  key: Type.String({ minLength: 1, maxLength: 500, description: 'The id of the client at the provider.' }),
  authorizeUrl: address('The URL where people sign in. It must use https, as the other URLs.'),
  accessUrl: address('The URL that exchanges a code for a token.'),
  profileUrl: address('The URL that returns the profile of a person for a token.'),
  scope: Type.Array(ScopeName, {
    maxItems: 30,
    description: 'The scopes to request. They must include openid, except for github.',
  }),
  nonce: always('a token is bound to the sign-in that requested it.'),
  state: always('a response is bound to the browser that requested it.'),
  oauth: Type.Literal(2, { description: 'The version of OAuth: always 2.' }),
};
const secret = Type.String({
  minLength: 1,
  maxLength: 1000,
  description:
    'The secret of the client at the provider. It is stored encrypted, and no response contains it.',
});

const { scope, nonce, state, oauth, ...addresses } = shown;
const SentConfig = {
  ...addresses,
  secret,
  scope: Type.Optional(
    Type.Union([scope, Type.String({ maxLength: 2000 })], {
      description:
        'An array, or a string with spaces between scopes. By default openid, email and profile; for github read:user and user:email.',
    }),
  ),
  nonce: Type.Optional(nonce),
  state: Type.Optional(state),
  oauth: Type.Optional(oauth),
};

export const CustomIdentityProvider = strictObject(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    providerType: ProviderType,
    config: strictObject(shown, { title: 'IdentityProviderConfig' }),
  },
  {
    title: 'CustomIdentityProvider',
    description:
      'An identity provider of a workspace. Except for GitHub, it must support OpenID Connect and publish its configuration (`/.well-known/openid-configuration`) above accessUrl; Google publishes it at the host of authorizeUrl.',
  },
);
export type CustomIdentityProvider = Static<typeof CustomIdentityProvider>;

export const CustomIdentityProviderCreate = strictObject(
  {
    workspaceId: Type.Optional(OwnWorkspaceId),
    providerType: Type.Optional(ProviderType),
    config: strictObject(SentConfig, { title: 'IdentityProviderConfigCreate' }),
  },
  { title: 'CustomIdentityProviderCreate' },
);
export type CustomIdentityProviderCreate = Static<typeof CustomIdentityProviderCreate>;

export const CustomIdentityProviderPatch = Type.Partial(
  strictObject({
    id: IdParam,
    workspaceId: IdParam,
    providerType: ProviderType,
    config: Type.Partial(strictObject(SentConfig), {
      title: 'IdentityProviderConfigPatch',
      additionalProperties: false,
    }),
  }),
  { title: 'CustomIdentityProviderPatch', additionalProperties: false },
);
export type CustomIdentityProviderPatch = Static<typeof CustomIdentityProviderPatch>;

const tag = 'Identity providers';
const params = idParams('The id of the identity provider.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

/** Providers that a workspace configures for itself. People sign in at them by `singleSignOnRoutes`. */
export const customIdentityProviderRoutes = {
  listCustomIdentityProviders: defineRoute({
    method: 'GET',
    path: '/custom-identity-providers',
    operationId: 'listCustomIdentityProviders',
    tag,
    summary: 'List identity providers',
    description: 'Returns a page of the identity providers of the workspace, without their secrets.',
    caller: 'member',
    bearer: true,
    list: { entity: CustomIdentityProvider, filters: ['id', 'workspaceId', 'providerType'] },
    success: {
      status: 200,
      description: 'A page of providers.',
      schema: toPageSchema(CustomIdentityProvider),
    },
    errors,
  }),
  createCustomIdentityProvider: defineRoute({
    method: 'POST',
    path: '/custom-identity-providers',
    operationId: 'createCustomIdentityProvider',
    tag,
    summary: 'Add an identity provider',
    description:
      'A workspace has at most one provider of each providerType, which is "custom" by default. People sign in with POST /authentication or /sso/{provider}/login and name the workspace.',
    caller: 'member',
    bearer: true,
    body: CustomIdentityProviderCreate,
    success: { status: 201, description: 'The new provider.', schema: CustomIdentityProvider },
    errors,
  }),
  getCustomIdentityProvider: defineRoute({
    method: 'GET',
    path: '/custom-identity-providers/{id}',
    operationId: 'getCustomIdentityProvider',
    tag,
    summary: 'Get an identity provider',
    description: 'Returns one identity provider, without its secret.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The provider.', schema: CustomIdentityProvider },
    errors,
  }),
  patchCustomIdentityProvider: defineRoute({
    method: 'PATCH',
    path: '/custom-identity-providers/{id}',
    operationId: 'patchCustomIdentityProvider',
    tag,
    summary: 'Change an identity provider',
    description:
      'Absent fields of config stay as they are. If you change the key or a URL, send the secret too, so that a secret never goes to a server that it was not meant for. Such a change ends all sessions and account links of this provider.',
    caller: 'member',
    bearer: true,
    params,
    body: CustomIdentityProviderPatch,
    success: { status: 200, description: 'The changed provider.', schema: CustomIdentityProvider },
    errors,
  }),
  deleteCustomIdentityProvider: defineRoute({
    method: 'DELETE',
    path: '/custom-identity-providers/{id}',
    operationId: 'deleteCustomIdentityProvider',
    tag,
    summary: 'Remove an identity provider',
    description: 'Ends all sessions that people opened with it, and unlinks their accounts.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The deleted provider.', schema: CustomIdentityProvider },
    errors,
  }),
} as const;
