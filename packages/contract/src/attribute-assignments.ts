import { Type, type Static } from 'typebox';
import { IdParam, idSchema, idParams, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const AttributeAssignment = strictObject(
  { id: Uuid, attributeId: Uuid, userId: Uuid },
  { title: 'AttributeAssignment', description: 'An attribute that a person holds.' },
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
    description: 'Returns a page of assignments. `attribute` filters by the token of the attribute.',
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
      'Takes effect with the next request of that person. If they already hold the attribute, you get 409. You cannot give yourself an attribute, so you need a second person in your workspace to see records with labels.',
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
    description: 'Returns one attribute assignment.',
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
    description: 'Changes the attribute or the person. The rules for new assignments apply.',
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
    description: 'Takes effect with the next request of that person.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted attribute assignment.', schema: AttributeAssignment },
    errors,
  }),
} as const;
