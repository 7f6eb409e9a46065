import type { ListQuery, TransferResourceRequest, TransferStatus } from '@redoubt/contract';
import { sql } from 'kysely';
import { isVisibleByRelation, canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';

export interface TransferRow {
  id: string;
  resourceId: string;
  resourceType: 'dataset';
  recipientUserId: string;
  status: TransferStatus;
  userId: string;
  createdAt: Date;
  endedAt: Date | null;
}

export interface TransferRequestRepository {
  list(actor: Member, list: ListQuery): Promise<Page<TransferResourceRequest>>;
  /** Returns the request if the actor may see it. */
  find(actor: Member, id: string): Promise<TransferResourceRequest | undefined>;
  create(workspaceUid: string, row: TransferRow): Promise<void>;
  /** Ends a pending request. @returns false if it has already ended */
  end(workspaceUid: string, id: string, status: TransferStatus, endedAt: Date): Promise<boolean>;
  /** Returns the owner of the dataset; undefined if it no longer exists. */
  ownerOf(workspaceUid: string, datasetId: string): Promise<string | undefined>;
  /** As `ownerOf`, and locks the dataset until the transaction ends. */
  lockOwner(workspaceUid: string, datasetId: string): Promise<string | undefined>;
  setOwner(workspaceUid: string, datasetId: string, accountId: string): Promise<void>;
  /**
   * Whether the person is an enabled member of the workspace. Locks the membership until the transaction ends.
   * @param needsPrivilege whether they must also be an admin or hold manage-datasets
   */
  isActive(workspaceUid: string, accountId: string, needsPrivilege: boolean): Promise<boolean>;
}

const columns = {
  id: sql.ref<string>('transfer_requests.id'),
  resourceId: sql.ref<string>('transfer_requests.resource_id'),
  resourceType: sql.ref<'dataset'>('transfer_requests.resource_type'),
  recipientUserId: sql.ref<string>('transfer_requests.recipient_id'),
  status: sql.ref<TransferStatus>('transfer_requests.status'),
  userId: sql.ref<string>('transfer_requests.account_id'),
  createdAt: sql.ref<Date>('transfer_requests.created_at'),
  endedAt: sql.ref<Date | null>('transfer_requests.ended_at'),
};

const present = ({ createdAt, endedAt, ...row }: TransferRow): TransferResourceRequest => ({
  ...row,
  createdAt: createdAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

export const createTransferRequestRepository = (db: Db): TransferRequestRepository => {
  const visibleTo = (actor: Member) => {
    const inWorkspace = db
      .selectFrom('transfer_requests')
      .where('transfer_requests.workspace_uid', '=', actor.workspace.uniqueId)
      .select([
        columns.id.as('id'),
        columns.resourceId.as('resourceId'),
        columns.resourceType.as('resourceType'),
        columns.recipientUserId.as('recipientUserId'),
        columns.status.as('status'),
        columns.userId.as('userId'),
        columns.createdAt.as('createdAt'),
        columns.endedAt.as('endedAt'),
      ]);
    if (canSeeAllObjects(actor, 'getTransferResourceRequest')) return inWorkspace;
    const own = actor.accountId;
    return inWorkspace.where((row) =>
      row.or([
        ...(isVisibleByRelation('getTransferResourceRequest', 'self')
          ? [row('transfer_requests.account_id', '=', own), row('transfer_requests.recipient_id', '=', own)]
          : []),
        ...(isVisibleByRelation('getTransferResourceRequest', 'owner')
          ? [
              row('transfer_requests.resource_id', 'in', (query) =>
                query.selectFrom('datasets').where('created_by', '=', own).select('datasets.id'),
              ),
            ]
          : []),
      ]),
    );
  };
  const ownership = (workspaceUid: string, datasetId: string) =>
    db
      .selectFrom('datasets')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', datasetId)
      .select('created_by');

  return {
    list: async (actor, list) => {
      const page = await readPage(visibleTo(actor), list, columns, columns.id);
      return { ...page, data: page.data.map(present) };
    },
    find: async (actor, id) => {
      const row = await visibleTo(actor).where('transfer_requests.id', '=', id).executeTakeFirst();
      return row && present(row);
    },
    create: async (workspaceUid, row) => {
      await db
        .insertInto('transfer_requests')
        .values({
          id: row.id,
          workspace_uid: workspaceUid,
          resource_type: row.resourceType,
          resource_id: row.resourceId,
          recipient_id: row.recipientUserId,
          account_id: row.userId,
          status: row.status,
          created_at: row.createdAt,
          ended_at: row.endedAt,
        })
        .execute();
    },
    end: async (workspaceUid, id, status, endedAt) => {
      const { numUpdatedRows } = await db
        .updateTable('transfer_requests')
        .set({ status, ended_at: endedAt })
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    ownerOf: async (workspaceUid, datasetId) =>
      (await ownership(workspaceUid, datasetId).executeTakeFirst())?.created_by,
    lockOwner: async (workspaceUid, datasetId) =>
      (await ownership(workspaceUid, datasetId).forUpdate().executeTakeFirst())?.created_by,
    setOwner: async (workspaceUid, datasetId, accountId) => {
      await db
        .updateTable('datasets')
        .set({ created_by: accountId })
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', datasetId)
        .execute();
    },
    isActive: async (workspaceUid, accountId, needsPrivilege) => {
      let query = db
        .selectFrom('memberships')
        .where('memberships.workspace_uid', '=', workspaceUid)
        .where('memberships.account_id', '=', accountId)
        .where('memberships.disabled', '=', false)
        .select('memberships.account_id')
        .forShare();
      if (needsPrivilege) {
        query = query.where(
          sql<boolean>`(memberships.role = 'admin' or exists (
            select from permission_assignments held where held.workspace_uid = memberships.workspace_uid
              and held.account_id = memberships.account_id and held.code = 'manage-datasets'))`,
        );
      }
      return (await query.executeTakeFirst()) !== undefined;
    },
  };
};
