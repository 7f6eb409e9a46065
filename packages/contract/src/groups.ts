import { Type, type Static } from 'typebox';
import { BooleanParameter, IdParam, idParams, Name, OwnWorkspaceId, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { GroupMembership, GroupSummary } from './group-memberships.ts';

export const Group = strictObject(
  { ...GroupSummary.properties, groupMemberships: Type.Optional(Type.Array(GroupMembership)) },
  { title: 'Group', description: 'People and groups that you can grant datasets to.' },
);
export type Group = Static<typeof Group>;

export const GroupCreate = strictObject(
  { name: Name, workspaceId: OwnWorkspaceId, userId: Type.Optional(IdParam) },
  { title: 'GroupCreate' },
);
export type GroupCreate = Static<typeof GroupCreate>;

export const GroupPatch = Type.Partial(
  strictObject({ id: IdParam, name: Name, workspaceId: IdParam, userId: IdParam }),
  { title: 'GroupPatch', additionalProperties: false },
);
export type GroupPatch = Static<typeof GroupPatch>;

const groupMemberships = BooleanParameter('Add the direct memberships of each group as `groupMemberships`.');
const tag = 'Groups';
const params = idParams('The id of the group.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const groupRoutes = {
  listGroups: defineRoute({
    method: 'GET',
    path: '/groups',
    operationId: 'listGroups',
    tag,
    summary: 'List groups',
    description: 'Returns a page of the groups that are visible to you.',
    caller: 'member',
    query: strictObject({
      groupMemberships,
      validSubGroups: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The id of a group. Returns only groups that you can add to it without a circle.',
        }),
      ),
    }),
    list: { entity: Group, filters: ['id', 'name', 'workspaceId', 'userId', 'memberCount'] },
    success: { status: 200, description: 'A page of groups.', schema: toPageSchema(Group) },
    errors,
  }),
  createGroup: defineRoute({
    method: 'POST',
    path: '/groups',
    operationId: 'createGroup',
    tag,
    summary: 'Create a group',
    description:
      'You become its first member, with the role admin. The name must be unique in the workspace (otherwise 409).',
    caller: 'member',
    body: GroupCreate,
    success: { status: 201, description: 'The new group.', schema: Group },
    errors,
  }),
  getGroup: defineRoute({
    method: 'GET',
    path: '/groups/{id}',
    operationId: 'getGroup',
    tag,
    summary: 'Get a group',
    description: 'Returns one group.',
    caller: 'member',
    params,
    query: strictObject({ groupMemberships }),
    success: { status: 200, description: 'The group.', schema: Group },
    errors,
  }),
  patchGroup: defineRoute({
    method: 'PATCH',
    path: '/groups/{id}',
    operationId: 'patchGroup',
    tag,
    summary: 'Rename a group',
    description: 'Changes the name. Nothing else about a group can change.',
    caller: 'member',
    params,
    body: GroupPatch,
    success: { status: 200, description: 'The changed group.', schema: Group },
    errors,
  }),
  deleteGroup: defineRoute({
    method: 'DELETE',
    path: '/groups/{id}',
    operationId: 'deleteGroup',
    tag,
    summary: 'Delete a group',
    description: 'Also deletes its memberships and its dataset permissions.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted group.', schema: Group },
    errors,
  }),
} as const;
