import { Type } from 'typebox';
import { Email, idSchema, idParams, Name, nullable, Password, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { IssuedInvitation } from './invitations.ts';
import { WorkspaceRole } from './workspace-role.ts';

export const Charge = strictObject(
  {
    id: Type.String(),
    failureCode: nullable(Type.String()),
    failureMessage: nullable(Type.String()),
    invoice: nullable(Type.String()),
    status: Type.Union([Type.Literal('failed'), Type.Literal('pending'), Type.Literal('succeeded')]),
  },
  {
    title: 'Charge',
    description:
      'The latest charge for the workspace of the session. Only the person who pays, and holders of manage-billing, see it.',
  },
);
export type Charge = Type.Static<typeof Charge>;

export const User = strictObject(
  {
    id: Type.String(),
    email: nullable(Type.String({ description: 'In lower case. Null if you may not see it.' })),
    firstName: Type.String(),
    lastName: Type.String(),
    workspaceId: nullable(
      Type.String({ description: 'The id of the workspace of the session; null without one.' }),
    ),
    role: nullable(WorkspaceRole),
    disabled: nullable(
      Type.Boolean({
        description: 'Whether the person is locked out of the workspace. Null if you may not see it.',
      }),
    ),
    stripeLatestCharge: nullable(Charge),
  },
  { title: 'User', description: 'A person, as a member of the workspace of the session.' },
);
export type User = Type.Static<typeof User>;

export const UserCreate = strictObject(
  {
    email: Email,
    firstName: Name,
    lastName: Name,
    password: Password,
    workspaceId: Type.Optional(
      idSchema('Only for admins: the id of the workspace of the session, which is the default.'),
    ),
    role: Type.Optional(WorkspaceRole),
  },
  {
    title: 'UserCreate',
    description:
      'For an address that has an account, names and password are ignored. Only admins can send workspaceId and role; the default role is member.',
    examples: [
      { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', password: 'at least 8 characters' },
    ],
  },
);
export type UserCreate = Type.Static<typeof UserCreate>;

export const UserPatch = strictObject(
  {
    id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Cannot change: leave it out or send the id in the path.' }),
    ),
    email: Type.Optional(Email),
    firstName: Type.Optional(Name),
    lastName: Type.Optional(Name),
    password: Type.Optional(Password),
    currentPassword: Type.Optional(
      Type.String({ maxLength: 200, description: 'Required to change the password.' }),
    ),
    role: Type.Optional(WorkspaceRole),
    disabled: Type.Optional(Type.Boolean()),
    workspaceId: Type.Optional(Type.Unknown({ description: 'Cannot change: returns 403.' })),
    stripeLatestCharge: Type.Optional(Type.Unknown({ description: 'Cannot change: returns 403.' })),
  },
  { title: 'UserPatch' },
);
export type UserPatch = Type.Static<typeof UserPatch>;

const tag = 'Users';

export const userRoutes = {
  listUsers: defineRoute({
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    tag,
    summary: 'List the people of the workspace',
    description:
      'Returns the people in the workspace of the session. Filters and sort keys use only values that are visible to you.',
    caller: 'person',
    list: {
      entity: User,
      filters: ['id', 'email', 'firstName', 'lastName', 'workspaceId', 'role', 'disabled'],
    },
    success: { status: 200, description: 'A page of users.', schema: toPageSchema(User) },
    errors: ['AuthError'],
  }),
  createUser: defineRoute({
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    tag,
    summary: 'Sign up, or add a person to the workspace',
    description:
      'Without a credential, it creates an account without a workspace, if the server lets people sign up. For an admin, it creates an account that is a member of the workspace. If the address already has an account, it creates an invitation instead, which is sent by mail; a server that sends no mail returns its token once. The person signs in and sends the token to `/invitations/accept`.',
    caller: 'anyone',
    body: UserCreate,
    success: {
      status: 201,
      description: 'The user, or the invitation with its token.',
      schema: Type.Union([User, IssuedInvitation]),
    },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  getUser: defineRoute({
    method: 'GET',
    path: '/users/{id}',
    operationId: 'getUser',
    tag,
    summary: 'Get a person',
    description: 'Returns one person, with the same fields as in the list.',
    caller: 'person',
    params: idParams('The id of the user.'),
    success: { status: 200, description: 'The user.', schema: User },
    errors: ['AuthError', 'NotFoundError'],
  }),
  updateUser: defineRoute({
    method: 'PATCH',
    path: '/users/{id}',
    operationId: 'updateUser',
    tag,
    summary: 'Change a person',
    description:
      'You can change your names, and your password if you send the current one, which ends all your other sessions. Admins change role and disabled of members. A new email address takes effect when it is confirmed by the links that are sent to the old and the new address; send the present address to cancel such a change. A server that sends no mail returns 501.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the user.'),
    body: UserPatch,
    success: { status: 200, description: 'The changed user.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError'],
  }),
  deleteUser: defineRoute({
    method: 'DELETE',
    path: '/users/{id}',
    operationId: 'deleteUser',
    tag,
    summary: 'Remove a person from the workspace, or delete your account',
    description:
      'In a session bound to a workspace, it ends the membership of the person, or your own, with its grants and sessions. In a session without a workspace, it deletes your account.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the user.'),
    success: { status: 200, description: 'The removed user.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
