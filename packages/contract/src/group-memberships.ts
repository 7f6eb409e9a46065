import { Type, type Static } from 'typebox';
import {
  BooleanParameter,
  IdParam,
  idSchema,
  idParams,
  Name,
  nullable,
  OwnWorkspaceId,
  strictObject,
  Uuid,
} from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const GroupRole = Type.Enum(['member', 'admin']);
export type GroupRole = Static<typeof GroupRole>;

export const GroupSummary = strictObject(
  {
    id: Uuid,
    name: Name,
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    userId: Type.String({ description: 'The id of the person who created the group.' }),
    memberCount: Type.Integer({
      minimum: 0,
      description: 'How many people and child groups are directly in the group.',
    }),
  },
  { title: 'GroupSummary', description: 'A group without its memberships.' },
);
export type GroupSummary = Static<typeof GroupSummary>;

const GroupMember = strictObject(
  {
    id: Uuid,
    email: nullable(Type.String({ description: 'Null if you may not see it.' })),
    firstName: Type.String(),
    lastName: Type.String(),
  },
  { title: 'GroupMember' },
);

export const GroupMembership = strictObject(
  {
    id: Uuid,
    groupId: Uuid,
    userId: nullable(Uuid),
    childGroupId: nullable(Uuid),
    role: GroupRole,
    user: Type.Optional(nullable(GroupMember)),
    group: Type.Optional(GroupSummary),
    subGroup: Type.Optional(nullable(GroupSummary)),
  },
  {
    title: 'GroupMembership',
    description:
      'Puts a person, or everyone in a child group, into a group. Exactly one of userId and childGroupId is set.',
  },
);
export type GroupMembership = Static<typeof GroupMembership>;

export const GroupMembershipCreate = strictObject(
  {
    groupId: idSchema('The id of the group that gets a member.'),
    role: GroupRole,
    userId: Type.Optional(nullable(idSchema('The id of the person to add.'))),
    childGroupId: Type.Optional(nullable(idSchema('The id of the child group to add.'))),
    workspaceId: Type.Optional(OwnWorkspaceId),
  },
  { title: 'GroupMembershipCreate', description: 'Send exactly one of userId and childGroupId.' },
);
export type GroupMembershipCreate = Static<typeof GroupMembershipCreate>;

export const GroupMembershipPatch = Type.Partial(
  strictObject({
    id: IdParam,
    groupId: IdParam,
    userId: nullable(IdParam),
    childGroupId: nullable(IdParam),
    role: GroupRole,
    workspaceId: IdParam,
  }),
  { title: 'GroupMembershipPatch', additionalProperties: false },
);
export type GroupMembershipPatch = Static<typeof GroupMembershipPatch>;

const query = strictObject({
  user: BooleanParameter('Add the person of each membership as `user`.'),
  group: BooleanParameter('Add the group of each membership as `group`.'),
  subGroup: BooleanParameter('Add the child group as `subGroup`, if it is visible to you.'),
});
const tag = 'Group memberships';
const byId = '/group-memberships/{id}';
const aliases = ['/groups-memberships/{id}'];
const params = idParams('The id of the group membership.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const groupMembershipRoutes = {
  listGroupMemberships: defineRoute({
    method: 'GET',
    path: '/group-memberships',
    aliases: ['/groups-memberships'],
    operationId: 'listGroupMemberships',
    tag,
    summary: 'List group memberships',
    description: 'Returns a page of the direct memberships of groups that are visible to you.',
    caller: 'member',
    query,
    list: {
      entity: GroupMembership,
      filters: ['id', 'groupId', 'userId', 'childGroupId', 'role'],
      extraFilters: { workspaceId: Type.String({ description: 'The id of the workspace.' }) },
    },
    success: {
      status: 200,
      description: 'A page of group memberships.',
      schema: toPageSchema(GroupMembership),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createGroupMembership: defineRoute({
    method: 'POST',
    path: '/group-memberships',
    aliases: ['/groups-memberships'],
    operationId: 'createGroupMembership',
    tag,
    summary: 'Add a person or a group to a group',
    description:
      'A group must not contain itself, directly or through other groups (400). If the membership already exists, you get 409.',
    caller: 'member',
    body: GroupMembershipCreate,
    success: { status: 201, description: 'The new group membership.', schema: GroupMembership },
    errors,
  }),
  getGroupMembership: defineRoute({
    method: 'GET',
    path: byId,
    aliases,
    operationId: 'getGroupMembership',
    tag,
    summary: 'Get a group membership',
    description: 'Returns one group membership.',
    caller: 'member',
    params,
    query,
    success: { status: 200, description: 'The group membership.', schema: GroupMembership },
    errors,
  }),
  patchGroupMembership: defineRoute({
    method: 'PATCH',
    path: byId,
    aliases,
    operationId: 'patchGroupMembership',
    tag,
    summary: 'Change the role of a group membership',
    description: 'If a child group has the role `admin`, everyone in it is an admin of the parent group.',
    caller: 'member',
    params,
    body: GroupMembershipPatch,
    success: { status: 200, description: 'The changed group membership.', schema: GroupMembership },
    errors,
  }),
  deleteGroupMembership: defineRoute({
    method: 'DELETE',
    path: byId,
    aliases,
    operationId: 'deleteGroupMembership',
    tag,
    summary: 'Remove a person or a group from a group',
    description: 'Takes effect with the next request of the people concerned.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted group membership.', schema: GroupMembership },
    errors,
  }),
} as const;
