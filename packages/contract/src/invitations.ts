import { Type } from 'typebox';
import { idParams, nullable, strictObject, Timestamp } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { WorkspaceRole } from './workspace-role.ts';

const invitationFields = {
  id: Type.String(),
  email: Type.String({ description: 'The address of the person invited.' }),
  workspaceId: Type.String(),
  role: WorkspaceRole,
  createdBy: Type.String({ description: 'The id of the admin who invited.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  acceptedAt: nullable(Timestamp),
};

export const Invitation = strictObject(invitationFields, {
  title: 'Invitation',
  description: 'Asks somebody who has an account already to join a workspace.',
});
export type Invitation = Type.Static<typeof Invitation>;

export const IssuedInvitation = strictObject(
  {
    ...invitationFields,
    token: nullable(
      Type.String({
        description:
          'Shown this once: hand it to the person invited. Null where the server sends mail: then they alone get it.',
      }),
    ),
    link: nullable(
      Type.String({ description: 'The address of the page that accepts it; null with the token.' }),
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
    description: 'Open, used and expired ones, without their tokens.',
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
    summary: 'Join the workspace that one is invited to',
    description:
      'A session that is bound to no workspace is bound to this one. A wrong, used, expired or other person’s token is 404. Who has a password that somebody of another workspace chose for them changes it first (403).',
    caller: 'person',
    bearer: true,
    accountWide: true,
    body: strictObject(
      { token: Type.String({ minLength: 1, maxLength: 200 }) },
      { title: 'AcceptInvitation' },
    ),
    success: { status: 201, description: 'The invitation, accepted.', schema: Invitation },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  deleteInvitation: defineRoute({
    method: 'DELETE',
    path: '/invitations/{id}',
    operationId: 'deleteInvitation',
    tag,
    summary: 'Take an invitation back',
    description: 'Its token is worth nothing from then on. Deleting a used one changes no membership.',
    caller: 'member',
    bearer: true,
    params: idParams('The id of the invitation.'),
    success: { status: 200, description: 'The invitation as before.', schema: Invitation },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
