import type {
  ListQuery,
  TransferResourceRequest,
  TransferResourceRequestCreate,
  TransferResourceRequestPatch,
} from '@redoubt/contract';
import { conflict, describeValue, forbidden, invalidField, notFound } from '@redoubt/errors';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnUserId } from '../../platform/auth/guards.ts';
import { createIsMember } from '../../platform/auth/membership.repository.ts';
import { isUniqueViolation, type Db } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { createTransferRequestRepository } from './transfer-request.repository.ts';

export interface TransferRequestService {
  list(actor: Member, list: ListQuery): Promise<Page<TransferResourceRequest>>;
  get(actor: Member, id: string): Promise<TransferResourceRequest>;
  create(actor: Member, body: TransferResourceRequestCreate): Promise<TransferResourceRequest>;
  /** Accepts, declines or revokes the request. */
  patch(actor: Member, id: string, body: TransferResourceRequestPatch): Promise<TransferResourceRequest>;
}

/**
 * Checks who may change the request: the recipient accepts or declines it, the requester revokes it. The owner and dataset
 * managers can revoke it too, because requester and recipient may be gone, and a pending request blocks new ones.
 */
const requireAllowedChange = (
  actor: Member,
  request: TransferResourceRequest,
  status: 'accepted' | 'declined' | 'revoked',
  owner: string | undefined,
): void => {
  const me = actor.accountId;
  const isOwnDecision = me === (status === 'revoked' ? request.userId : request.recipientUserId);
  if (status !== 'revoked' && !isOwnDecision) {
    throw forbidden(`Only the user "${request.recipientUserId}" may set "${status}". Ask them.`);
  }
  requireCall(actor, 'patchTransferResourceRequest', `set "${status}" in transfer request "${request.id}"`, [
    ...(isOwnDecision ? (['self'] as const) : []),
    ...(owner === me ? (['owner'] as const) : []),
  ]);
};

const eventOf = (
  action: string,
  { id, resourceId, recipientUserId }: Pick<TransferResourceRequest, 'id' | 'recipientUserId' | 'resourceId'>,
): AuditEvent => ({
  type: 'DatasetManagement',
  description: `${action} a request to transfer a dataset`,
  datasetId: resourceId,
  details: { transferRequestId: id, recipientUserId },
});

const ifDone =
  (event: AuditEvent) =>
  (isDone: boolean): AuditEvent | undefined =>
    isDone ? event : undefined;

export const createTransferRequestService = ({
  db,
  audit,
  access,
  ids,
  clock,
}: {
  db: Db;
  audit: Audit;
  access: Pick<DatasetAccess, 'requireCall'>;
} & Pick<Runtime, 'clock' | 'ids'>): TransferRequestService => {
  const requests = createTransferRequestRepository(db);
  const isMember = createIsMember(db);

  const get = async (actor: Member, id: string): Promise<TransferResourceRequest> => {
    const request = await requests.find(actor, id);
    if (request === undefined) throw notFound('transfer request', id);
    return request;
  };

  /** Checks all conditions of the request again, because it may be months old. @returns false if it has ended meanwhile */
  const transfer = (actor: Member, request: TransferResourceRequest, now: Date): Promise<boolean> =>
    audit.change(actor, ifDone(eventOf('accepted', request)), async (trx) => {
      const { uniqueId } = actor.workspace;
      const { id, resourceId, userId, recipientUserId } = request;
      const repository = createTransferRequestRepository(trx);
      const owner = await repository.lockOwner(uniqueId, resourceId);
      if (owner === undefined)
        throw conflict(`The dataset "${resourceId}" no longer exists. Decline the request.`);
      const mayTransfer = await repository.isActive(uniqueId, userId, owner !== userId);
      if (!mayTransfer) {
        throw conflict(
          `The user "${userId}", who made the request, may no longer transfer the dataset "${resourceId}". Decline the request.`,
        );
      }
      if (!(await repository.isActive(uniqueId, recipientUserId, false)))
        throw notFound('transfer request', id);
      if (!(await repository.end(uniqueId, id, 'accepted', now))) return false;
      await repository.setOwner(uniqueId, resourceId, recipientUserId);
      return true;
    });

  return {
    list: (actor, list) => requests.list(actor, list),
    get,
    create: async (actor, { resourceId, resourceType, recipientUserId, userId }) => {
      requireOwnUserId(actor, userId);
      const { dataset } = await access.requireCall(actor, resourceId, 'createTransferResourceRequest');
      const { uniqueId } = actor.workspace;
      if (recipientUserId === actor.accountId) {
        throw forbidden(
          `recipientUserId: "${recipientUserId}" is you, and nobody can transfer a dataset to themselves. Send another user.`,
        );
      }
      // Does not check whether the recipient is disabled, so that the owner does not learn it. Disabled people cannot accept.
      if (!(await isMember(uniqueId, recipientUserId))) {
        throw notFound('user', recipientUserId);
      }
      if (dataset.created_by === recipientUserId) {
        throw invalidField({
          field: 'recipientUserId',
          expected: 'a user who does not own the dataset',
          got: describeValue(recipientUserId),
          advice: 'Send another user.',
        });
      }
      const row = {
        id: ids.uuid(),
        resourceId: dataset.id,
        resourceType,
        recipientUserId,
        status: 'pending' as const,
        userId: actor.accountId,
        createdAt: clock.now(),
        endedAt: null,
      };
      try {
        await audit.change(actor, eventOf('created', row), (trx) =>
          createTransferRequestRepository(trx).create(uniqueId, row),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `A request for the dataset "${dataset.id}" is already pending. Revoke it, or wait until it ends.`,
        );
      }
      return get(actor, row.id);
    },
    patch: async (actor, id, { status, ...fixed }) => {
      const request = await get(actor, id);
      const { resourceId, resourceType, recipientUserId, userId } = request;
      refuseChanges({ id, resourceId, resourceType, recipientUserId, userId }, fixed);
      if (status === 'pending') {
        throw invalidField({
          field: 'status',
          expected: 'accepted, declined or revoked',
          got: describeValue(status),
          advice: 'Send one of these: every request starts as pending.',
        });
      }
      requireAllowedChange(
        actor,
        request,
        status,
        await requests.ownerOf(actor.workspace.uniqueId, resourceId),
      );
      if (request.status !== 'pending') throw ended(request);
      const now = clock.now();
      const isFirst = await (status === 'accepted'
        ? transfer(actor, request, now)
        : audit.change(actor, ifDone(eventOf(status, request)), (trx) =>
            createTransferRequestRepository(trx).end(actor.workspace.uniqueId, id, status, now),
          ));
      const changed = await get(actor, id);
      if (!isFirst) throw ended(changed);
      return changed;
    },
  };
};

const ended = ({ id, status }: TransferResourceRequest) =>
  conflict(`The transfer request "${id}" has already ended as "${status}". Create a new one.`);
