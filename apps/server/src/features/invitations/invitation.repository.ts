import type { Invitation, ListQuery, WorkspaceRole } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import {
  address,
  inviterMayInvite,
  openInvitations,
  type OpenInvitationRow,
} from './open-invitation.repository.ts';

interface InvitationRow {
  id: string;
  email: string;
  workspaceId: string;
  role: WorkspaceRole;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
}

const columns = {
  id: sql.ref('invitations.id'),
  email: address,
  workspaceId: sql.ref('workspaces.slug'),
  role: sql.ref('invitations.role'),
  createdBy: sql.ref('invitations.created_by'),
  createdAt: sql.ref('invitations.created_at'),
  expiresAt: sql.ref('invitations.expires_at'),
  acceptedAt: sql.ref('invitations.accepted_at'),
};

const toInvitation = (row: InvitationRow): Invitation => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  acceptedAt: row.acceptedAt === null ? null : row.acceptedAt.toISOString(),
});

export const createInvitationRepository = (db: Db) => {
  const invitations = () =>
    db
      .selectFrom('invitations')
      .leftJoin('accounts', 'accounts.id', 'invitations.account_id')
      .innerJoin('workspaces', 'workspaces.unique_id', 'invitations.workspace_uid')
      .select([
        'invitations.id',
        address.as('email'),
        'workspaces.slug as workspaceId',
        'invitations.role',
        'invitations.created_by as createdBy',
        'invitations.created_at as createdAt',
        'invitations.expires_at as expiresAt',
        'invitations.accepted_at as acceptedAt',
      ]);

  const inWorkspace = (workspaceUid: string) =>
    invitations().where('invitations.workspace_uid', '=', workspaceUid);

  return {
    list: async (workspaceUid: string, list: ListQuery): Promise<Page<Invitation>> => {
      const page = await readPage(inWorkspace(workspaceUid), list, columns, sql.ref('invitations.id'));
      return { ...page, data: page.data.map(toInvitation) };
    },

    find: async (workspaceUid: string, id: string): Promise<Invitation | undefined> => {
      const row = await inWorkspace(workspaceUid).where('invitations.id', '=', id).executeTakeFirst();
      return row && toInvitation(row);
    },

    /** Finds the open invitation of this token, for whoever holds it. */
    findOpen: (tokenHash: string, now: Date): Promise<OpenInvitationRow | undefined> =>
      openInvitations(db, tokenHash, now).executeTakeFirst(),

    /** Finds and locks the open invitation of this token for an address without an account. */
    lockUnclaimed: (tokenHash: string, now: Date): Promise<OpenInvitationRow | undefined> =>
      openInvitations(db, tokenHash, now)
        .where('invitations.account_id', 'is', null)
        .forUpdate('invitations')
        .executeTakeFirst(),

    /** Finds and locks the open invitation of this token for the account, or for its address. */
    lockOpen: async (
      tokenHash: string,
      accountId: string,
      now: Date,
    ): Promise<(Invitation & { workspaceUid: string; passwordChosenIn: string | null }) | undefined> => {
      const row = await invitations()
        .innerJoin('accounts as invited', (join) => join.on('invited.id', '=', accountId))
        .select([
          'invitations.workspace_uid as workspaceUid',
          'invited.password_chosen_in as passwordChosenIn',
        ])
        .where('invitations.token_hash', '=', tokenHash)
        .where(({ or, eb }) =>
          or([
            eb('invitations.account_id', '=', accountId),
            eb('invitations.email', '=', eb.ref('invited.email')),
          ]),
        )
        .where('invitations.accepted_at', 'is', null)
        .where('invitations.expires_at', '>', now)
        .where(inviterMayInvite)
        .forUpdate('invitations')
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { workspaceUid, passwordChosenIn, ...invitation } = row;
      return { ...toInvitation(invitation), workspaceUid, passwordChosenIn };
    },

    /** Replaces the token of an open invitation, and returns the values for its mail; undefined if it is no longer open. */
    replaceToken: async (
      id: string,
      tokenHash: string,
    ): Promise<
      { email: string; firstName: string | null; workspaceName: string; inviter: string } | undefined
    > => {
      const { numUpdatedRows } = await db
        .updateTable('invitations')
        .set({ token_hash: tokenHash })
        .where('id', '=', id)
        .where('accepted_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return undefined;
      return db
        .selectFrom('invitations')
        .leftJoin('accounts', 'accounts.id', 'invitations.account_id')
        .innerJoin('workspaces', 'workspaces.unique_id', 'invitations.workspace_uid')
        .innerJoin('accounts as inviters', 'inviters.id', 'invitations.created_by')
        .select([
          address.as('email'),
          'accounts.first_name as firstName',
          'workspaces.name as workspaceName',
          sql<string>`inviters.first_name || ' ' || inviters.last_name`.as('inviter'),
        ])
        .where('invitations.id', '=', id)
        .executeTakeFirst();
    },

    /** @returns the id of the account with this address */
    findAccount: async (email: string): Promise<string | undefined> => {
      const row = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst();
      return row?.id;
    },

    isMember: async (workspaceUid: string, email: string): Promise<boolean> => {
      const row = await db
        .selectFrom('memberships')
        .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
        .select('role')
        .where('workspace_uid', '=', workspaceUid)
        .where('accounts.email', '=', email)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes open invitations of the address. @returns their roles and expiry times */
    removeOpen: (workspaceUid: string, email: string): Promise<{ role: WorkspaceRole; expiresAt: Date }[]> =>
      db
        .deleteFrom('invitations')
        .where('workspace_uid', '=', workspaceUid)
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('email', '=', email),
            eb(
              'account_id',
              'in',
              selectFrom('accounts').select('accounts.id').where('accounts.email', '=', email),
            ),
          ]),
        )
        .where('accepted_at', 'is', null)
        .returning(['role', 'expires_at as expiresAt'])
        .execute(),

    create: async (invitation: {
      id: string;
      workspaceUid: string;
      /** Null for an address without an account. */
      accountId: string | null;
      email: string;
      role: WorkspaceRole;
      tokenHash: string;
      createdBy: string;
      createdAt: Date;
      expiresAt: Date;
    }): Promise<void> => {
      const { id, workspaceUid, accountId, email, role, tokenHash, createdBy, createdAt, expiresAt } =
        invitation;
      await db
        .insertInto('invitations')
        .values({
          id,
          workspace_uid: workspaceUid,
          account_id: accountId,
          email: accountId === null ? email : null,
          role,
          token_hash: tokenHash,
          created_by: createdBy,
          created_at: createdAt,
          expires_at: expiresAt,
          accepted_at: null,
        })
        .execute();
    },

    /** Creates the membership. Returns false if the account is already a member. */
    join: async (
      workspaceUid: string,
      accountId: string,
      role: WorkspaceRole,
      now: Date,
    ): Promise<boolean> => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('memberships')
        .values({
          workspace_uid: workspaceUid,
          account_id: accountId,
          role,
          disabled: false,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    markAccepted: async (id: string, accountId: string, now: Date): Promise<void> => {
      await db
        .updateTable('invitations')
        .set({ accepted_at: now, account_id: accountId, email: null })
        .where('id', '=', id)
        .execute();
    },

    remove: async (workspaceUid: string, id: string): Promise<void> => {
      await db
        .deleteFrom('invitations')
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .execute();
    },
  };
};

export type InvitationRepository = ReturnType<typeof createInvitationRepository>;
