import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const Attribute = strictObject(
  {
    id: Uuid,
    name: Name,
    token: Type.String({ description: 'What labels call it, in capitals, such as `SECRET`.' }),
    description: Description,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
  },
  { title: 'Attribute', description: 'What a person must hold to satisfy labels that name its token.' },
);
export type Attribute = Static<typeof Attribute>;

const Token = Type.String({
  minLength: 1,
  maxLength: 256,
  description:
    'Letters a-z are put in capitals. A label names it without quotes where it has only letters, digits and `:` `-` `.` `_` `/`.',
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
    description: 'A page of the attributes of the workspace that the caller may see.',
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
      'The token is unique in the workspace (409) and never changes. Nobody holds a new attribute.',
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
    description: 'One attribute by its id.',
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
    description: 'Changes name and description. The token stays: labels already written refer to it.',
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
    description: 'Takes it from everyone at once; records whose labels need it are then visible to nobody.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The removed attribute.', schema: Attribute },
    errors,
  }),
} as const;
