import type {
  ListQuery,
  TransferResourceRequest,
  TransferResourceRequestCreate,
  TransferResourceRequestPatch,
} from '@redoubt/contract';
import { badField, conflict, forbidden, notFound } from '@redoubt/errors';
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
  /** Accepts, declines or revokes. */
  patch(actor: Member, id: string, body: TransferResourceRequestPatch): Promise<TransferResourceRequest>;
}

/**
 * Who may do what: the recipient decides, who asked takes it back. So may the owner and whoever manages datasets, as both
 * who asked and who is asked may be gone, and no other request is made while one is pending.
 */
const requireTurn = (
  actor: Member,
  request: TransferResourceRequest,
  status: 'accepted' | 'declined' | 'revoked',
  owner: string | undefined,
): void => {
  const me = actor.accountId;
  const isTheirs = me === (status === 'revoked' ? request.userId : request.recipientUserId);
  if (status !== 'revoked' && !isTheirs) {
    throw forbidden(`Only the user "${request.recipientUserId}" may set "${status}": ask them.`);
  }
  requireCall(actor, 'patchTransferResourceRequest', `set "${status}" in transfer request "${request.id}"`, [
    ...(isTheirs ? (['self'] as const) : []),
    ...(owner === me ? (['owner'] as const) : []),
  ]);
};

const eventOf = (
  deed: string,
  { id, resourceId, recipientUserId }: Pick<TransferResourceRequest, 'id' | 'recipientUserId' | 'resourceId'>,
): AuditEvent => ({
  type: 'DatasetManagement',
  description: `${deed} a request to hand a dataset over`,
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

  /** All that allowed the request is looked at again: it may be months old. @returns false where it has ended meanwhile */
  const handOver = (actor: Member, request: TransferResourceRequest, now: Date): Promise<boolean> =>
    audit.change(actor, ifDone(eventOf('accepted', request)), async (trx) => {
      const { uniqueId } = actor.workspace;
      const { id, resourceId, userId, recipientUserId } = request;
      const inOne = createTransferRequestRepository(trx);
      const owner = await inOne.lockOwner(uniqueId, resourceId);
      if (owner === undefined) throw conflict(`The dataset "${resourceId}" is gone: decline the request.`);
      const mayStillGive = await inOne.isActive(uniqueId, userId, owner !== userId);
      if (!mayStillGive) {
        throw conflict(
          `The user "${userId}", who asked, may no longer give the dataset "${resourceId}" away: decline the request.`,
        );
      }
      if (!(await inOne.isActive(uniqueId, recipientUserId, false))) throw notFound('transfer request', id);
      if (!(await inOne.end(uniqueId, id, 'accepted', now))) return false;
      await inOne.setOwner(uniqueId, resourceId, recipientUserId);
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
          `recipientUserId: "${recipientUserId}" is you, and nobody hands things to themselves.`,
        );
      }
      // Whether they are shut out is not for the owner to learn; nobody who is accepts.
      if (!(await isMember(uniqueId, recipientUserId))) {
        throw notFound('user', recipientUserId);
      }
      if (dataset.created_by === recipientUserId) {
        throw badField('recipientUserId', `"${recipientUserId}" owns the dataset already: send another.`);
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
        await audit.change(actor, eventOf('made', row), (trx) =>
          createTransferRequestRepository(trx).create(uniqueId, row),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `A request for the dataset "${dataset.id}" is pending already: revoke it, or wait for its end.`,
        );
      }
      return get(actor, row.id);
    },
    patch: async (actor, id, { status, ...fixed }) => {
      const request = await get(actor, id);
      const { resourceId, resourceType, recipientUserId, userId } = request;
      refuseChanges({ id, resourceId, resourceType, recipientUserId, userId }, fixed);
      if (status === 'pending') {
        throw badField('status', '"pending" is where a request begins: send accepted, declined or revoked.');
      }
      requireTurn(actor, request, status, await requests.ownerOf(actor.workspace.uniqueId, resourceId));
      if (request.status !== 'pending') throw ended(request);
      const now = clock.now();
      const isFirst = await (status === 'accepted'
        ? handOver(actor, request, now)
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
  conflict(`The transfer request "${id}" has ended as "${status}" and stays so: make a new one.`);
