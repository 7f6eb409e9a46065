import { Type, type Static } from 'typebox';
import {
  Description,
  IdParam,
  idParams,
  Name,
  nullable,
  OwnWorkspaceId,
  strictObject,
  Timestamp,
  Uuid,
} from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

const namesOf = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000, description });

const GroupNames = namesOf(
  'Names of groups that you are in. The key is in these groups as long as you are. Without groups it reaches no dataset.',
);
const AttributeNames = namesOf(
  'Tokens of attributes that you hold; letters a-z become capitals. The key holds them as long as you do. If you manage attributes, you can name others: they are created, and the key holds them once you do.',
);
const ExpirationAt = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'When the key expires. If null or absent, it does not expire.',
});

export const ApiKey = strictObject(
  {
    id: Uuid,
    name: Name,
    keyId: Type.String({ description: 'The first six characters of the key.' }),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    description: Description,
    revoked: Type.Boolean({ description: 'Whether the key is revoked. This is final.' }),
    createdBy: Type.String({ description: 'The id of its creator.' }),
    userId: Type.String({ description: 'The id of the person for whom it acts.' }),
    expirationAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: nullable(Timestamp),
    groupNames: Type.Array(Type.String(), {
      description: 'The names of its groups that are visible to you.',
    }),
    attributeNames: Type.Array(Type.String(), {
      description: 'The tokens of its attributes that are visible to you.',
    }),
  },
  {
    title: 'ApiKey',
    description: 'Lets a program act for a person, with some of their groups and attributes.',
  },
);
export type ApiKey = Static<typeof ApiKey>;

export const IssuedApiKey = strictObject(
  {
    ...ApiKey.properties,
    key: Type.String({ description: 'The key. You only see it now: the server stores a hash.' }),
  },
  { title: 'IssuedApiKey' },
);
export type IssuedApiKey = Static<typeof IssuedApiKey>;

export const ApiKeyCreate = strictObject(
  {
    name: Name,
    workspaceId: OwnWorkspaceId,
    groupNames: GroupNames,
    attributeNames: AttributeNames,
    description: Type.Optional(nullable(Description)),
    expirationAt: Type.Optional(nullable(ExpirationAt)),
    userId: Type.Optional(IdParam),
    createdBy: Type.Optional(IdParam),
  },
  {
    title: 'ApiKeyCreate',
    examples: [
      { name: 'Nightly load', workspaceId: 'acme', groupNames: ['Loaders'], attributeNames: ['SECRET'] },
    ],
  },
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

const fixedText = Type.String({ maxLength: 200 });

export const ApiKeyPatch = Type.Partial(
  strictObject({
    name: Name,
    description: Description,
    revoked: Type.Boolean({ description: 'true revokes the key. This is final.' }),
    expirationAt: nullable(ExpirationAt),
    groupNames: GroupNames,
    attributeNames: AttributeNames,
    id: IdParam,
    keyId: fixedText,
    workspaceId: IdParam,
    createdBy: IdParam,
    userId: IdParam,
    createdAt: fixedText,
    updatedAt: fixedText,
    deletedAt: nullable(fixedText),
  }),
  { title: 'ApiKeyPatch', additionalProperties: false },
);
export type ApiKeyPatch = Static<typeof ApiKeyPatch>;

const tag = 'API keys';
const params = idParams('The id of the key.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const apiKeyRoutes = {
  listApiKeys: defineRoute({
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description: 'Returns a page of the API keys that are visible to you, without the keys themselves.',
    caller: 'member',
    bearer: true,
    list: {
      entity: ApiKey,
      filters: [
        'id',
        'name',
        'keyId',
        'workspaceId',
        'description',
        'revoked',
        'createdBy',
        'userId',
        'expirationAt',
        'createdAt',
        'updatedAt',
        'deletedAt',
      ],
    },
    success: { status: 200, description: 'A page of API keys.', schema: toPageSchema(ApiKey) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createApiKey: defineRoute({
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description:
      'The response contains the key; you cannot get it again. A program that sends it in the header X-API-Key acts for you with the groups and attributes of the key that you still have, and with no other rights. The key ends with your membership.',
    caller: 'member',
    bearer: true,
    body: ApiKeyCreate,
    success: { status: 201, description: 'The new key.', schema: IssuedApiKey },
    errors,
  }),
  getApiKey: defineRoute({
    method: 'GET',
    path: '/api-keys/{id}',
    operationId: 'getApiKey',
    tag,
    summary: 'Get an API key',
    description: 'Returns one API key, without the key itself.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The API key.', schema: ApiKey },
    errors,
  }),
  patchApiKey: defineRoute({
    method: 'PATCH',
    path: '/api-keys/{id}',
    operationId: 'patchApiKey',
    tag,
    summary: 'Change or revoke an API key',
    description:
      'You can change the name, description, expiry, groups and attributes of your own keys, within the rights that you have. Keys of others can only be revoked. The change takes effect with the next request of the key.',
    caller: 'member',
    bearer: true,
    params,
    body: ApiKeyPatch,
    success: { status: 200, description: 'The changed API key.', schema: ApiKey },
    errors,
  }),
  deleteApiKey: defineRoute({
    method: 'DELETE',
    path: '/api-keys/{id}',
    operationId: 'deleteApiKey',
    tag,
    summary: 'Delete an API key',
    description: 'The key stops working at once and no longer appears in lists.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The deleted API key.', schema: ApiKey },
    errors,
  }),
} as const;
