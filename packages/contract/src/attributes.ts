import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const Attribute = strictObject(
  {
    id: Uuid,
    name: Name,
    token: Type.String({
      description: 'The name of the attribute in labels, in capitals, such as `SECRET`.',
    }),
    description: Description,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
  },
  {
    title: 'Attribute',
    description: 'A person must hold the attribute to satisfy labels that name its token.',
  },
);
export type Attribute = Static<typeof Attribute>;

const Token = Type.String({
  minLength: 1,
  maxLength: 256,
  description:
    'Letters a-z become capitals. In labels, a token with characters other than letters, digits and `:` `-` `.` `_` `/` needs double quotes.',
});

export const AttributeCreate = strictObject(
  {
    name: Name,
    token: Token,
    description: Type.Optional(Description),
    workspaceId: Type.Optional(OwnWorkspaceId),
  },
  { title: 'AttributeCreate' },
);
export type AttributeCreate = Static<typeof AttributeCreate>;

export const AttributePatch = Type.Partial(
  strictObject({ id: IdParam, name: Name, token: Token, description: Description, workspaceId: IdParam }),
  { title: 'AttributePatch', additionalProperties: false },
);
export type AttributePatch = Static<typeof AttributePatch>;

const tag = 'Attributes';
const params = idParams('The id of the attribute.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const attributeRoutes = {
  listAttributes: defineRoute({
    method: 'GET',
    path: '/attributes',
    operationId: 'listAttributes',
    tag,
    summary: 'List attributes',
    description: 'Returns a page of the attributes of the workspace that are visible to you.',
    caller: 'member',
    list: { entity: Attribute, filters: ['id', 'name', 'token', 'description', 'workspaceId'] },
    success: { status: 200, description: 'A page of attributes.', schema: toPageSchema(Attribute) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createAttribute: defineRoute({
    method: 'POST',
    path: '/attributes',
    operationId: 'createAttribute',
    tag,
    summary: 'Create an attribute',
    description:
      'The token must be unique in the workspace (otherwise 409) and never changes. Nobody holds a new attribute.',
    caller: 'member',
    body: AttributeCreate,
    success: { status: 201, description: 'The new attribute.', schema: Attribute },
    errors,
  }),
  getAttribute: defineRoute({
    method: 'GET',
    path: '/attributes/{id}',
    operationId: 'getAttribute',
    tag,
    summary: 'Get an attribute',
    description: 'Returns one attribute.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The attribute.', schema: Attribute },
    errors,
  }),
  patchAttribute: defineRoute({
    method: 'PATCH',
    path: '/attributes/{id}',
    operationId: 'patchAttribute',
    tag,
    summary: 'Change an attribute',
    description:
      'Changes the name and description. The token cannot change, because labels of stored records contain it.',
    caller: 'member',
    params,
    body: AttributePatch,
    success: { status: 200, description: 'The changed attribute.', schema: Attribute },
    errors,
  }),
  deleteAttribute: defineRoute({
    method: 'DELETE',
    path: '/attributes/{id}',
    operationId: 'deleteAttribute',
    tag,
    summary: 'Delete an attribute',
    description:
      'Takes the attribute from everyone at once. Records whose labels need it are then visible to nobody.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted attribute.', schema: Attribute },
    errors,
  }),
} as const;
