import { Type } from 'typebox';
import { idParams, nullable, strictObject, Timestamp } from './core/fields.ts';
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
  description: 'Invites a person who already has an account to a workspace.',
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
