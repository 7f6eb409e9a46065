import { Type } from 'typebox';
import { Email, idParams, Name, nullable, Password, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { WorkspaceRole } from './workspace-role.ts';

const invitationFields = {
  id: Type.String(),
  email: Type.String({ description: 'The address of the invited person.' }),
  workspaceId: Type.String(),
  role: WorkspaceRole,
  createdBy: Type.String({ description: 'The id of the person who sent the invitation.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  acceptedAt: nullable(Timestamp),
};

export const Invitation = strictObject(invitationFields, {
  title: 'Invitation',
  description: 'Invites a person to a workspace.',
});
export type Invitation = Type.Static<typeof Invitation>;

export const IssuedInvitation = strictObject(
  {
    ...invitationFields,
    token: nullable(
      Type.String({
        description:
          'Give it to the invited person; you only see it now. Null if the server sends mail, because then only they get it.',
      }),
    ),
    link: nullable(
      Type.String({ description: 'The page that accepts the invitation; null if the token is null.' }),
    ),
  },
  { title: 'IssuedInvitation' },
);
export type IssuedInvitation = Type.Static<typeof IssuedInvitation>;

export const InvitationCreate = strictObject(
  { email: Email, role: Type.Optional(WorkspaceRole) },
  {
    title: 'InvitationCreate',
    description: 'The default role is member. Only admins invite admins.',
    examples: [{ email: 'ben@example.org', role: 'member' }],
  },
);
export type InvitationCreate = Type.Static<typeof InvitationCreate>;

const Token = Type.String({ minLength: 1, maxLength: 200, description: 'The token of the invitation.' });

export const OpenInvitation = strictObject(
  {
    email: invitationFields.email,
    role: WorkspaceRole,
    workspaceName: Type.String(),
    invitedBy: Type.String({ description: 'The name of the person who sent the invitation.' }),
    expiresAt: Timestamp,
    hasAccount: Type.Boolean({
      description:
        'Whether the address has an account: then sign in and accept, otherwise send names and a password.',
    }),
  },
  { title: 'OpenInvitation', description: 'What an invitation is for.' },
);
export type OpenInvitation = Type.Static<typeof OpenInvitation>;

const InvitationJoin = strictObject(
  { token: Token, firstName: Name, lastName: Name, password: Password },
  { title: 'InvitationJoin' },
);
export type InvitationJoin = Type.Static<typeof InvitationJoin>;

const tag = 'Users';

export const invitationRoutes = {
  listInvitations: defineRoute({
    method: 'GET',
    path: '/invitations',
    operationId: 'listInvitations',
    tag,
    summary: 'List the invitations to the workspace',
    description: 'Returns open, accepted and expired invitations, without their tokens.',
    caller: 'member',
    bearer: true,
    list: {
      entity: Invitation,
      filters: ['id', 'email', 'workspaceId', 'role', 'createdBy', 'createdAt', 'expiresAt', 'acceptedAt'],
    },
    success: { status: 200, description: 'A page of invitations.', schema: toPageSchema(Invitation) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createInvitation: defineRoute({
    method: 'POST',
    path: '/invitations',
    operationId: 'createInvitation',
    tag,
    summary: 'Invite an address to the workspace',
    description:
      'The response is the same whether or not the address has an account. The invitation is sent by mail; a server that sends no mail returns its token once. A new invitation replaces an open one. If the address belongs to a member, you get 409.',
    caller: 'member',
    bearer: true,
    body: InvitationCreate,
    success: { status: 201, description: 'The invitation with its token.', schema: IssuedInvitation },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  lookAtInvitation: defineRoute({
    method: 'POST',
    path: '/invitations/look',
    operationId: 'lookAtInvitation',
    tag,
    summary: 'Look at an invitation',
    description:
      'What an open invitation is for, for the person who has its token. A token that is wrong, used or expired returns 404.',
    caller: 'anyone',
    ignoresCredential: true,
    body: strictObject({ token: Token }, { title: 'InvitationLook' }),
    success: { status: 200, description: 'The invitation.', schema: OpenInvitation },
    errors: ['NotFoundError'],
  }),
  joinWorkspace: defineRoute({
    method: 'POST',
    path: '/invitations/join',
    operationId: 'joinWorkspace',
    tag,
    summary: 'Accept an invitation and create an account',
    description:
      'For an address that has no account: creates one with these names and this password, as a member of the workspace. Then sign in. If the address has an account by now, sign in and accept the invitation instead (otherwise 409).',
    caller: 'anyone',
    ignoresCredential: true,
    body: InvitationJoin,
    success: { status: 201, description: 'The accepted invitation.', schema: Invitation },
    errors: ['ForbiddenError', 'NotFoundError'],
  }),
  acceptInvitation: defineRoute({
    method: 'POST',
    path: '/invitations/accept',
    operationId: 'acceptInvitation',
    tag,
    summary: 'Accept an invitation to a workspace',
    description:
      'A session without a workspace is then bound to this one. A token that is wrong, used, expired or for another person returns 404. If a person in another workspace chose your password, change it first (otherwise 403).',
    caller: 'person',
    bearer: true,
    accountWide: true,
    body: strictObject(
      { token: Type.String({ minLength: 1, maxLength: 200 }) },
      { title: 'AcceptInvitation' },
    ),
    success: { status: 201, description: 'The accepted invitation.', schema: Invitation },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  deleteInvitation: defineRoute({
    method: 'DELETE',
    path: '/invitations/{id}',
    operationId: 'deleteInvitation',
    tag,
    summary: 'Delete an invitation',
    description:
      'Its token stops working at once. Deleting an accepted invitation does not end the membership.',
    caller: 'member',
    bearer: true,
    params: idParams('The id of the invitation.'),
    success: { status: 200, description: 'The deleted invitation.', schema: Invitation },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
