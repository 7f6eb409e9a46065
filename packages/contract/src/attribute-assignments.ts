import { Type, type Static } from 'typebox';
import { IdParam, idSchema, idParams, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const AttributeAssignment = strictObject(
  { id: Uuid, attributeId: Uuid, userId: Uuid },
  { title: 'AttributeAssignment', description: 'That a person holds an attribute.' },
);
export type AttributeAssignment = Static<typeof AttributeAssignment>;

export const AttributeAssignmentCreate = strictObject(
  {
    attributeId: idSchema('The id of the attribute, not its token.'),
    userId: idSchema('The id of the person, as `GET /users` lists it.'),
    workspaceId: Type.Optional(OwnWorkspaceId),
  },
  { title: 'AttributeAssignmentCreate' },
);
export type AttributeAssignmentCreate = Static<typeof AttributeAssignmentCreate>;

export const AttributeAssignmentPatch = Type.Partial(
  strictObject({ id: IdParam, attributeId: IdParam, userId: IdParam, workspaceId: IdParam }),
  { title: 'AttributeAssignmentPatch', additionalProperties: false },
);
export type AttributeAssignmentPatch = Static<typeof AttributeAssignmentPatch>;

const tag = 'Attribute assignments';
const params = idParams('The id of the attribute assignment.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const attributeAssignmentRoutes = {
  listAttributeAssignments: defineRoute({
    method: 'GET',
    path: '/attribute-assignments',
    operationId: 'listAttributeAssignments',
    tag,
    summary: 'List attribute assignments',
    description: 'A page of assignments. `attribute` filters by the token of the attribute.',
    caller: 'member',
    list: {
      entity: AttributeAssignment,
      filters: ['id', 'attributeId', 'userId'],
      extraFilters: {
        workspaceId: Type.String({ description: 'The id of the workspace.' }),
        attribute: Type.String({ description: 'The token of the attribute.' }),
      },
    },
    success: {
      status: 200,
      description: 'A page of attribute assignments.',
      schema: toPageSchema(AttributeAssignment),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createAttributeAssignment: defineRoute({
    method: 'POST',
    path: '/attribute-assignments',
    operationId: 'createAttributeAssignment',
    tag,
    summary: 'Give a person an attribute',
    description:
      'Counts from the next request of that person. Twice the same is 409. Since nobody gives themselves an attribute, who is alone in a workspace sees no labelled record.',
    caller: 'member',
    body: AttributeAssignmentCreate,
    success: { status: 201, description: 'The new attribute assignment.', schema: AttributeAssignment },
    errors,
  }),
  getAttributeAssignment: defineRoute({
    method: 'GET',
    path: '/attribute-assignments/{id}',
    operationId: 'getAttributeAssignment',
    tag,
    summary: 'Get an attribute assignment',
    description: 'One attribute assignment by its id.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The attribute assignment.', schema: AttributeAssignment },
    errors,
  }),
  patchAttributeAssignment: defineRoute({
    method: 'PATCH',
    path: '/attribute-assignments/{id}',
    operationId: 'patchAttributeAssignment',
    tag,
    summary: 'Change an attribute assignment',
    description: 'Makes it another attribute or another person, under the rules of a new one.',
    caller: 'member',
    params,
    body: AttributeAssignmentPatch,
    success: { status: 200, description: 'The changed attribute assignment.', schema: AttributeAssignment },
    errors,
  }),
  deleteAttributeAssignment: defineRoute({
    method: 'DELETE',
    path: '/attribute-assignments/{id}',
    operationId: 'deleteAttributeAssignment',
    tag,
    summary: 'Take an attribute from a person',
    description: 'Counts from the next request of that person.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The removed attribute assignment.', schema: AttributeAssignment },
    errors,
  }),
} as const;
