import type { Dataset, DatasetCreate, DatasetPatch, ListQuery } from '@redoubt/contract';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { hasOwnDatasets, withOwnSession, type Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnUserId, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccessibleDataset, DatasetAccess } from './dataset-access.ts';
import { permissionsFrom } from './dataset-access.ts';
import type { DatasetRecords, DatasetStore } from './dataset-records.ts';
import type { DatasetRepository } from './dataset.repository.ts';
import type { PendingDrops } from './pending-drops.ts';

export interface DatasetService {
  list(actor: Member, list: ListQuery): Promise<Page<Dataset>>;
  get(actor: Member, id: string): Promise<Dataset>;
  create(actor: Member, body: DatasetCreate): Promise<Dataset>;
  patch(actor: Member, id: string, body: DatasetPatch): Promise<Dataset>;
  remove(actor: Member, id: string): Promise<Dataset>;
}

export interface DatasetServiceDeps extends Pick<Runtime, 'ids' | 'clock'> {
  datasets: Pick<DatasetRepository, 'list' | 'listAll'>;
  audited: AuditedChange<DatasetRepository>;
  access: DatasetAccess;
  records: DatasetRecords;
  store: Pick<DatasetStore, 'createDataset'>;
  pendingDrops: Pick<PendingDrops, 'announce' | 'discard' | 'drainPendingDrops'>;
  heldTokens(actor: Member): Promise<string[]>;
  /** Called when a dataset is gone. */
  afterRemoval(): Promise<void>;
}

/**
 * How often a creation is attempted. Every process that starts discards all datasets in creation, because it cannot
 * distinguish those of a running process from those of a crashed one.
 */
const maxAttempts = 5;

const usesCounts = ({ sort, where, or }: ListQuery): boolean =>
  [...sort, ...where, ...or.flat()].some(({ field }) => field === 'recordCount');

const eventOf = (datasetId: string, description: string, details: AuditEvent['details']): AuditEvent => ({
  type: 'DatasetManagement',
  description,
  datasetId,
  details,
});

export const createDatasetService = ({
  datasets,
  audited,
  access,
  records,
  store,
  pendingDrops,
  heldTokens,
  afterRemoval,
  ids,
  clock,
}: DatasetServiceDeps): DatasetService => {
  const attributesOf = async (actor: Member): Promise<ReadonlySet<string>> =>
    new Set(await heldTokens(actor));

  /** Counts the visible records. Without the permission to read, none are visible, whatever the attributes. */
  const countFor = async (
    { dataset, permissions }: AccessibleDataset,
    attributes: ReadonlySet<string>,
  ): Promise<number> => (permissions.read ? records.countVisible(dataset, attributes) : 0);

  const present = async (
    actor: Member,
    accessible: AccessibleDataset,
    attributes: ReadonlySet<string>,
    knownCount?: number,
  ): Promise<Dataset> => {
    const { dataset, permissions } = accessible;
    return {
      id: dataset.id,
      name: dataset.name,
      recordCount: knownCount ?? (await countFor(accessible, attributes)),
      description: dataset.description,
      autoCreateIndexes: dataset.auto_create_indexes,
      schema: permissions.read ? await records.schema(dataset, attributes) : {},
      searchAnyField: dataset.search_any_field,
      userId: dataset.created_by,
      workspaceId: actor.workspace.slug,
      currentUserPermissions: permissions,
    };
  };
  const get = async (actor: Member, id: string): Promise<Dataset> =>
    present(actor, await access.requireCall(actor, id, 'getDataset'), await attributesOf(actor));

  /**
   * A dataset created through an API key belongs to the key's owner; the key itself gets no access to it. The same holds
   * for an application with a list of datasets.
   */
  const presentCreated = async (actor: Member, id: string): Promise<Dataset> => {
    if (hasOwnDatasets(actor) && actor.scope?.datasets === undefined) return get(actor, id);
    const { dataset } = await access.resolve(withOwnSession(actor), id);
    return present(actor, { dataset, permissions: permissionsFrom(0) }, await attributesOf(actor));
  };

  /** Counts the visible records of every dataset, for sorting and filtering by `recordCount`. */
  const countAll = async (actor: Member, attributes: ReadonlySet<string>): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for (const { dataset, bits } of await datasets.listAll(actor)) {
      counts.set(dataset.id, await countFor({ dataset, permissions: permissionsFrom(bits) }, attributes));
    }
    return counts;
  };
  return {
    list: async (actor, list) => {
      const attributes = await attributesOf(actor);
      const counts = usesCounts(list) ? await countAll(actor, attributes) : new Map<string, number>();
      const page = await datasets.list(actor, list, counts);
      const data: Dataset[] = [];
      for (const { dataset, bits } of page.data) {
        const accessible = { dataset, permissions: permissionsFrom(bits) };
        data.push(await present(actor, accessible, attributes, counts.get(dataset.id)));
      }
      return { ...page, data };
    },
    get,
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      requireOwnUserId(actor, body.userId);
      const now = clock.now();
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const id = ids.uuid();
        await pendingDrops.announce(id);
        await store.createDataset(id);
        const created = eventOf(id, `created the dataset "${body.name}"`, { name: body.name });
        const row = {
          id,
          workspace_uid: actor.workspace.uniqueId,
          name: body.name,
          description: body.description ?? '',
          auto_create_indexes: body.autoCreateIndexes ?? true,
          search_any_field: body.searchAnyField ?? true,
          created_by: actor.accountId,
          created_at: now,
          updated_at: now,
        };
        const isCreated = await audited(
          actor,
          (isStored) => (isStored ? created : undefined),
          (repository) => repository.create(row),
        );
        if (isCreated) return presentCreated(actor, id);
        await pendingDrops.discard(id);
      }
      throw new Error(
        `Could not create the dataset after ${maxAttempts} attempts: other processes that were starting discarded it.`,
      );
    },
    patch: async (actor, id, body) => {
      const { dataset } = await access.requireCall(actor, id, 'patchDataset');
      refuseChanges({ id, workspaceId: actor.workspace.slug, userId: dataset.created_by }, body);
      const { name, description, autoCreateIndexes, searchAnyField } = body;
      const changed = eventOf(id, `changed the dataset "${name ?? dataset.name}"`, {
        name,
        description,
        autoCreateIndexes,
        searchAnyField,
      });
      const isChange = [name, description, autoCreateIndexes, searchAnyField].some(
        (sent) => sent !== undefined,
      );
      await audited(
        actor,
        () => (isChange ? changed : undefined),
        (repository) => repository.update(actor.workspace.uniqueId, id, body, clock.now()),
      );
      return get(actor, id);
    },
    remove: async (actor, id) => {
      const accessible = await access.requireCall(actor, id, 'deleteDataset');
      const removed = await present(actor, accessible, await attributesOf(actor));
      const deleted = eventOf(id, `deleted the dataset "${removed.name}" and its records`, {
        name: removed.name,
      });
      await audited(actor, deleted, (repository) => repository.remove(actor.workspace.uniqueId, id));
      await pendingDrops.drainPendingDrops();
      await afterRemoval();
      return removed;
    },
  };
};
