import type { WorkspaceRole } from '@redoubt/contract';
import { sql, type ExpressionBuilder } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Database } from '../../platform/db/schema.ts';

/** The address of an invitation: that of its account, or the one that it names. */
export const address = sql<string>`coalesce(accounts.email, invitations.email)`;

/** SQL for whether the inviter may still invite: admins may invite with any role, holders of manage-users only members. */
const mayInvite = sql<boolean>`(inviter.role = 'admin' or (invitations.role = 'member' and exists (
  select from permission_assignments held where held.workspace_uid = inviter.workspace_uid
    and held.account_id = inviter.account_id and held.code = 'manage-users')))`;

/** An invitation is void once its inviter was disabled, removed, or lost the permission to invite. */
export const inviterMayInvite = ({ exists, selectFrom }: ExpressionBuilder<Database, 'invitations'>) =>
  exists(
    selectFrom('memberships as inviter')
      .select('inviter.role')
      .whereRef('inviter.workspace_uid', '=', 'invitations.workspace_uid')
      .whereRef('inviter.account_id', '=', 'invitations.created_by')
      .where(mayInvite)
      .where('inviter.disabled', '=', false),
  );

/** An invitation that can be accepted. */
export interface OpenInvitationRow {
  id: string;
  email: string;
  role: WorkspaceRole;
  workspaceUid: string;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  workspaceId: string;
  workspaceName: string;
  invitedBy: string;
  hasAccount: boolean;
}

/** The open invitation of a token. */
export const openInvitations = (db: Db, tokenHash: string, now: Date) =>
  db
    .selectFrom('invitations')
    .leftJoin('accounts', (join) =>
      join.on(({ or, eb }) =>
        or([
          eb('accounts.id', '=', eb.ref('invitations.account_id')),
          eb('accounts.email', '=', eb.ref('invitations.email')),
        ]),
      ),
    )
    .innerJoin('workspaces', 'workspaces.unique_id', 'invitations.workspace_uid')
    .innerJoin('accounts as inviters', 'inviters.id', 'invitations.created_by')
    .select([
      'invitations.id',
      address.as('email'),
      'invitations.role',
      'invitations.workspace_uid as workspaceUid',
      'invitations.created_by as createdBy',
      'invitations.created_at as createdAt',
      'invitations.expires_at as expiresAt',
      'workspaces.slug as workspaceId',
      'workspaces.name as workspaceName',
      sql<string>`inviters.first_name || ' ' || inviters.last_name`.as('invitedBy'),
      sql<boolean>`accounts.id is not null`.as('hasAccount'),
    ])
    .where('invitations.token_hash', '=', tokenHash)
    .where('invitations.accepted_at', 'is', null)
    .where('invitations.expires_at', '>', now)
    .where(inviterMayInvite);
