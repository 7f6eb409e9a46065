import type { ListQuery, Workspace, WorkspaceCreate, WorkspacePatch } from '@redoubt/contract';
import { conflict, forbidden, invalidField, notFound } from '@redoubt/errors';
import { isDeepStrictEqual } from 'node:util';
import type { Audit, AuditEvent } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Person } from '../../platform/auth/actor.ts';
import { refuseChanges } from '../../platform/auth/guards.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import { slugOf } from './slug.ts';
import { createWorkspaceRepository } from './workspace.repository.ts';

export interface WorkspaceService {
  list(actor: Person, list: ListQuery): Promise<Page<Workspace>>;
  get(actor: Person, id: string): Promise<Workspace>;
  /** Creates a workspace with the actor as admin. Binds their session to it if it is bound to none. */
  create(actor: Person, input: WorkspaceCreate): Promise<Workspace>;
  update(actor: Person, id: string, patch: WorkspacePatch): Promise<Workspace>;
  remove(actor: Person, id: string): Promise<Workspace>;
}

/** How many workspaces an account with an unverified address may create. */
const unverifiedLimit = 1;

const rejectForeignFields = (input: WorkspaceCreate, accountId: string): void => {
  if (input.userId !== undefined && input.userId !== accountId) {
    throw forbidden(
      `userId must be your own id "${accountId}", got "${input.userId}". Leave it out, or send your own id.`,
    );
  }
  if (input.subscription !== undefined && input.subscription !== null) {
    throw forbidden('subscription can be set by billing alone. Leave it out, or send null.');
  }
};

/** A workspace cannot be deleted while its subscription is charged. */
const rejectActiveSubscription = ({ id, subscription }: Workspace): void => {
  const hasEnded =
    subscription === null ||
    subscription.cancelAtPeriodEnd ||
    subscription.status === 'canceled' ||
    subscription.status === 'incomplete_expired';
  if (hasEnded) return;
  throw forbidden(
    `The subscription of workspace "${id}" is ${subscription.status}. Cancel it with POST /billing/portal first, then delete the workspace.`,
  );
};

const eventOf = (description: string, id: string, name: string): AuditEvent => ({
  type: 'WorkspaceManagement',
  description,
  details: { workspaceId: id, name },
});

export const createWorkspaceService = (deps: {
  db: Db;
  runtime: Pick<Runtime, 'clock' | 'ids'>;
  /** Drops the record tables that are scheduled for it. It never fails. */
  drainPendingDrops(): Promise<void>;
  subscriptions: Pick<Subscriptions, 'isBilled'>;
  audit: Audit;
}): WorkspaceService => {
  const { db, runtime } = deps;
  const repository = createWorkspaceRepository(db);

  const find = async (actor: Person, id: string): Promise<Workspace> => {
    const workspace = await repository.find(actor, id);
    if (workspace === undefined) throw notFound('workspace', id);
    return workspace;
  };

  /** Finds a workspace that the actor may change in this session. */
  const findForChange = async (
    actor: Person,
    id: string,
    operation: 'deleteWorkspace' | 'updateWorkspace',
  ): Promise<Workspace> => {
    const workspace = await find(actor, id);
    if (actor.workspace?.uniqueId !== workspace.uniqueId) {
      throw forbidden(`This session is not bound to workspace "${id}". Sign in with "workspaceId": "${id}".`);
    }
    requireCall(actor, operation, `change or delete workspace "${id}"`);
    return workspace;
  };

  return {
    list: (actor, list) => repository.list(actor, list),
    get: find,

    create: async (actor, input) => {
      rejectForeignFields(input, actor.accountId);
      const slug = input.id ?? slugOf(input.name);
      if (slug === undefined) {
        throw invalidField({
          field: 'id',
          expected: `present, because no id can be made from the name "${input.name}"`,
          got: 'nothing',
          advice: 'Send one, such as "my-workspace".',
        });
      }
      const uniqueId = runtime.ids.uuid();
      const now = runtime.clock.now();
      const created = eventOf(`created the workspace "${slug}"`, slug, input.name);
      await deps.audit.change({ ...actor, workspace: { uniqueId } }, created, async (trx) => {
        const workspaces = createWorkspaceRepository(trx);
        const creator = await workspaces.lockCreator(actor.accountId);
        if (creator === undefined) throw notFound('user', actor.accountId);
        // The person who chose the password could sign in to the new workspace as its admin.
        if (!creator.hasOwnPassword) {
          throw forbidden(
            'Your password was chosen by a person of another workspace, who could sign in as you. Change it first (PATCH /users/{id} with "currentPassword" and "password"), then create a workspace.',
          );
        }
        if (!creator.verified && creator.created >= unverifiedLimit) {
          throw forbidden(
            `An account with an unverified address can create ${unverifiedLimit} workspace, and "${actor.email}" already has. Confirm the address, or delete that workspace.`,
          );
        }
        const workspace = { uniqueId, slug, name: input.name, createdBy: actor.accountId, now };
        if (!(await workspaces.create(workspace))) {
          throw conflict(`id: "${slug}" is taken, or was in the past. Send another.`);
        }
        if (actor.workspace === undefined) {
          await createSessionRepository(trx).bind(actor.sessionId, uniqueId);
        }
      });
      return find(actor, slug);
    },

    update: async (actor, id, patch) => {
      const workspace = await findForChange(actor, id, 'updateWorkspace');
      const { id: slug, uniqueId, userId } = workspace;
      refuseChanges({ id: slug, uniqueId, userId }, patch);
      if (
        patch.subscription !== undefined &&
        !isDeepStrictEqual(patch.subscription, workspace.subscription)
      ) {
        throw forbidden('subscription can be changed by billing alone. Leave it out, or send it unchanged.');
      }
      const { name = workspace.name, createAttributesOnWrite = workspace.createAttributesOnWrite } = patch;
      if (name !== workspace.name || createAttributesOnWrite !== workspace.createAttributesOnWrite) {
        const changed = eventOf(`changed the workspace "${slug}"`, slug, name);
        await deps.audit.change(actor, changed, (trx) =>
          createWorkspaceRepository(trx).change(
            uniqueId,
            { name, createAttributesOnWrite },
            runtime.clock.now(),
          ),
        );
      }
      return { ...workspace, name, createAttributesOnWrite };
    },

    remove: async (actor, id) => {
      const workspace = await findForChange(actor, id, 'deleteWorkspace');
      if (deps.subscriptions.isBilled) rejectActiveSubscription(workspace);
      const removed = eventOf(`deleted the workspace "${workspace.id}"`, workspace.id, workspace.name);
      await deps.audit.change(actor, removed, (trx) =>
        createWorkspaceRepository(trx).remove(workspace.uniqueId, workspace.id),
      );
      await deps.drainPendingDrops();
      return workspace;
    },
  };
};
