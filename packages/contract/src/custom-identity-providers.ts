import { Type, type Static } from 'typebox';
import { IdParam, idParams, OwnWorkspaceId, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

/** The kinds of provider that a workspace may have of its own. */
export const ownProviderTypes = ['custom', 'github', 'google', 'keycloak', 'microsoft', 'okta'] as const;

export const ProviderType = Type.Enum([...ownProviderTypes], {
  description: 'The strategy of POST /authentication that it answers; a workspace has one of each at most.',
});
export type ProviderType = Static<typeof ProviderType>;

const address = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });
const ScopeName = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$' });
const always = (what: string) => Type.Literal(true, { description: `Always true: ${what}` });

/** What is kept and shown of a provider; its secret is not. */
const shown = {
  key: Type.String({ minLength: 1, maxLength: 500, description: 'The id of the client at the provider.' }),
  authorizeUrl: address('Where people sign in. With https, as are the other addresses.'),
  accessUrl: address('Where a code is exchanged for a token.'),
  profileUrl: address('Where a token is exchanged for what is known of the person.'),
  scope: Type.Array(ScopeName, {
    maxItems: 30,
    description: 'What is asked for; openid among it, except for github.',
  }),
  nonce: always('a token is bound to the sign-in that asked for it.'),
  state: always('an answer is bound to the browser that asked for it.'),
  oauth: Type.Literal(2, { description: 'The version of OAuth: always 2.' }),
};
const secret = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'The secret of the client at the provider. It is kept sealed, and no answer holds it.',
});

const { scope, nonce, state, oauth, ...addresses } = shown;
const SentConfig = {
  ...addresses,
  secret,
  scope: Type.Optional(
    Type.Union([scope, Type.String({ maxLength: 2000 })], {
      description:
        'A list, or a text with spaces between. Where absent: openid, email and profile; for github read:user and user:email.',
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
      'An identity provider of a workspace. GitHub aside it speaks OpenID Connect, and publishes its configuration (`/.well-known/openid-configuration`) above accessUrl, Google at the host of authorizeUrl.',
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

export const customIdentityProviderRoutes = {
  listCustomIdentityProviders: defineRoute({
    method: 'GET',
    path: '/custom-identity-providers',
    operationId: 'listCustomIdentityProviders',
    tag,
    summary: 'List identity providers',
    description: 'A page of the identity providers of the workspace, without their secrets.',
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
      'One of each providerType ("custom" where absent). People sign in with POST /authentication or /sso/{provider}/login, naming the workspace.',
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
    description: 'One identity provider by its id, without its secret.',
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
      'Fields of config that are absent stay. Another key or address needs the secret as well, so that a secret never goes where it was not meant for; it ends all sessions and links of this provider.',
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
    description: 'All sessions that were opened by it end, and accounts are no longer linked to it.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The removed provider.', schema: CustomIdentityProvider },
    errors,
  }),
} as const;
