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
      'The latest charge for the workspace of the session: of the person who pays for it, shown to them and to holders of manage-billing.',
  },
);
export type Charge = Type.Static<typeof Charge>;

export const User = strictObject(
  {
    id: Type.String(),
    email: nullable(
      Type.String({ description: 'In lower case. Null where it is not for the caller to see.' }),
    ),
    firstName: Type.String(),
    lastName: Type.String(),
    workspaceId: nullable(
      Type.String({ description: 'The workspace of the session; null where it has none.' }),
    ),
    role: nullable(WorkspaceRole),
    disabled: nullable(
      Type.Boolean({ description: 'Shut out of the workspace. Null where it is not for the caller to see.' }),
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
      idSchema('For admins: the id of the workspace of their session, the default.'),
    ),
    role: Type.Optional(WorkspaceRole),
  },
  {
    title: 'UserCreate',
    description:
      'For an address that has an account, names and password are not used. Only admins send workspaceId and role; the role is member unless said.',
    examples: [
      { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', password: 'at least 8 characters' },
    ],
  },
);
export type UserCreate = Type.Static<typeof UserCreate>;

export const UserPatch = strictObject(
  {
    id: Type.Optional(Type.String({ maxLength: 200, description: 'May only repeat the id of the path.' })),
    email: Type.Optional(Email),
    firstName: Type.Optional(Name),
    lastName: Type.Optional(Name),
    password: Type.Optional(Password),
    currentPassword: Type.Optional(
      Type.String({ maxLength: 200, description: 'Needed to change the password.' }),
    ),
    role: Type.Optional(WorkspaceRole),
    disabled: Type.Optional(Type.Boolean()),
    workspaceId: Type.Optional(Type.Unknown({ description: 'Always refused with 403.' })),
    stripeLatestCharge: Type.Optional(Type.Unknown({ description: 'Always refused with 403.' })),
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
      'The directory of the workspace of the session. Filters and sorting work on the values that the caller sees.',
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
      'Without a credential: makes an account without a workspace, where the server lets people sign up. By an admin: makes an account that is a member of the workspace, or, for an address that has an account, an invitation, which is sent by mail, or shown this once where the server sends none; that person signs in and sends its token to `/invitations/accept`.',
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
    description: 'As in the list.',
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
      'Oneself: names, and the password with the current one, which ends all other sessions. An admin, of a member: role and disabled. A new email address counts once it is confirmed by the links that are sent to the old and the new one; the present address takes such a change back. A server that sends no mail answers 501.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the user.'),
    body: UserPatch,
    success: { status: 200, description: 'The user after the change.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'NotImplementedError'],
  }),
  deleteUser: defineRoute({
    method: 'DELETE',
    path: '/users/{id}',
    operationId: 'deleteUser',
    tag,
    summary: 'Remove a person from the workspace, or delete one’s own account',
    description:
      'By an admin, or by oneself in a session bound to a workspace: ends the membership with its grants and sessions. By oneself in a session bound to no workspace: deletes the account.',
    caller: 'person',
    bearer: true,
    params: idParams('The id of the user.'),
    success: { status: 200, description: 'The user as before.', schema: User },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
