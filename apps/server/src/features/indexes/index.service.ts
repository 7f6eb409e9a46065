import type {
  Index,
  IndexCreate,
  IndexManagement,
  IndexPatch,
  Job,
  ListQuery,
  OperationId,
} from '@redoubt/contract';
import { badRequest, conflict, invalidField, notFound, RedoubtError } from '@redoubt/errors';
import { createHash } from 'node:crypto';
import type { RecordStore } from '@redoubt/records';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import { refuseChanges } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccessibleDataset, DatasetAccess, DatasetSettings } from '../datasets/index.ts';
import type { JobVisibility, JobSubjects, StartJob } from '../jobs/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import type { IndexSync } from './index-sync.ts';
import type { IndexRepository, IndexRow } from './index.repository.ts';

export interface IndexService {
  list(actor: Member, query: { datasetId: string; fields?: boolean }, list: ListQuery): Promise<Page<Index>>;
  get(actor: Member, id: string): Promise<Index>;
  create(actor: Member, body: IndexCreate): Promise<Index>;
  patch(actor: Member, id: string, body: IndexPatch): Promise<Index>;
  remove(actor: Member, id: string): Promise<Index>;
  manage(actor: Member, body: IndexManagement): Promise<Job>;
  /** Starts a job that adds all records of a dataset to its indexes. */
  reindex(actor: Member, datasetId: string): Promise<Job>;
}

export interface IndexServiceDeps extends Pick<Runtime, 'clock' | 'ids'> {
  indexes: Pick<IndexRepository, 'addAutomatic' | 'all' | 'find' | 'list'>;
  audited: AuditedChange<IndexRepository>;
  arranging: Pick<IndexSync, 'arrange'>;
  access: Pick<DatasetAccess, 'requireCall'>;
  settings: DatasetSettings;
  heldTokens(actor: Member): Promise<string[]>;
  store: Pick<RecordStore, 'schema' | 'visibleLabels'>;
  startJob: StartJob;
  visibility: Pick<JobVisibility, 'audience'>;
}

/** Fields of these types get automatic indexes. */
const indexedTypes: ReadonlySet<string> = new Set([
  'bigint',
  'double precision',
  'numeric',
  'text',
  'timestamp',
]);

/** Derives the id of an automatic index from its field, so that the id discloses nothing else. */
const automaticId = (datasetId: string, field: string): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify([datasetId, field]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const toIndex = ({ id, datasetId, fields }: IndexRow): Index => ({ id, datasetId, fields });

const sameFields = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((field, at) => field === b[at]);

/** The creator of an index. A key differs from its owner, because either may see fields that the other may not. */
const creatorOf = ({ accountId, credential }: Member): string =>
  [accountId, credentialText(credential) ?? []].flat().join(' ');

/** Whether a person created an index over these fields. */
const isMade = (rows: readonly IndexRow[], wanted: readonly string[]): boolean =>
  rows.some(({ state, fields }) => state === 'made' && sameFields(fields, wanted));

/** Does not name the fields, because they may be hidden from readers of the audit log. */
const eventOf = (
  description: string,
  { id, datasetId }: Pick<IndexRow, 'datasetId' | 'id'>,
  audience: AuditEvent['audience'],
): AuditEvent => ({
  type: 'DatasetManagement',
  description,
  datasetId,
  details: { indexId: id },
  audience,
});

const ifDone =
  (event: AuditEvent) =>
  (isDone: boolean): AuditEvent | undefined =>
    isDone ? event : undefined;

/** The fields of an index in a request, which may send one field, a list of fields or an object. */
const fieldsOf = (sent: string | string[] | { fields: string[] }): string[] => {
  if (typeof sent === 'string') return [sent];
  return Array.isArray(sent) ? sent : sent.fields;
};

const duplicateIndex = (fields: readonly string[]) =>
  conflict(
    `fields: there is already an index of ${fields.map((field) => `"${field}"`).join(', ')}. Use that one.`,
  );

export const createIndexService = (deps: IndexServiceDeps): IndexService => {
  const { indexes, audited, arranging, access, settings, visibility, store, startJob, ids, clock } = deps;

  /** Returns all indexes of a dataset, after adding missing automatic ones for these fields. Usually nothing is missing. */
  const withAutomatic = async (datasetId: string, automatic: ReadonlySet<string>): Promise<IndexRow[]> => {
    // Always takes the time, so that later times do not disclose whether another reader was here before.
    const now = clock.now();
    const rows = await indexes.all(datasetId);
    const existing = new Set(rows.flatMap(({ state, fields }) => (state === 'made' ? [] : fields)));
    const missing = [...automatic].filter((field) => !existing.has(field));
    if (missing.length === 0) return rows;
    const added = missing.map((field) => ({ id: automaticId(datasetId, field), datasetId, fields: [field] }));
    await indexes.addAutomatic(added, now);
    return indexes.all(datasetId);
  };

  /** Returns the indexes that the actor created, and others over fields that are visible to the actor. */
  const findVisible = async (actor: Member, accessible: AccessibleDataset): Promise<IndexRow[]> => {
    const { dataset } = accessible;
    const visible = await resolveVisibleLabels(deps, actor, accessible);
    const schema = new Map(Object.entries(await store.schema(dataset.id, visible, { nested: true })));
    const automatic = new Set<string>();
    if (dataset.auto_create_indexes) {
      for (const [path, { type }] of schema) if (indexedTypes.has(type)) automatic.add(path);
    }
    const rows = dataset.auto_create_indexes
      ? await withAutomatic(dataset.id, automatic)
      : await indexes.all(dataset.id);
    const made = rows.filter(
      ({ state, fields, madeBy }) =>
        state === 'made' && (madeBy === creatorOf(actor) || fields.every((field) => schema.has(field))),
    );
    return rows.filter((row) =>
      row.state === 'automatic'
        ? automatic.has(row.fields[0] ?? '') && !isMade(made, row.fields)
        : made.includes(row),
    );
  };

  const find = async (
    actor: Member,
    id: string,
    operation: OperationId,
  ): Promise<{ row: IndexRow; visibleIndexes: readonly IndexRow[]; accessible: AccessibleDataset }> => {
    const row = await indexes.find(actor.workspace.uniqueId, id);
    if (row === undefined) throw notFound('index', id);
    const accessible = await access.requireCall(actor, row.datasetId, operation).catch((error: unknown) => {
      throw error instanceof RedoubtError ? notFound('index', id) : error;
    });
    const visibleIndexes = await findVisible(actor, accessible);
    if (!visibleIndexes.some((one) => one.id === id)) throw notFound('index', id);
    return { row, visibleIndexes, accessible };
  };

  /** @param about the fields of the new or changed indexes; absent if the job is visible to every manager of the dataset */
  const startReindex = (actor: Member, datasetId: string, about?: JobSubjects): Promise<Job> =>
    startJob(actor, { type: 'reindex', datasetId, config: {}, about });

  return {
    list: async (actor, { datasetId, fields = true }, list) => {
      const accessible = await access.requireCall(actor, datasetId, 'listIndexes').catch((error: unknown) => {
        if (error instanceof RedoubtError && error.name === 'NotFoundError') return undefined;
        throw error;
      });
      // Filtering by an absent or hidden dataset returns no indexes.
      if (accessible === undefined) return { total: 0, limit: list.limit, skip: list.skip, data: [] };
      const visibleIndexes = await findVisible(actor, accessible);
      const page = await indexes.list(
        accessible.dataset.id,
        visibleIndexes.map(({ id }) => id),
        list,
      );
      const show = (row: IndexRow): Index =>
        fields ? toIndex(row) : { id: row.id, datasetId: row.datasetId };
      return { ...page, data: page.data.map(show) };
    },
    get: async (actor, id) => toIndex((await find(actor, id, 'getIndex')).row),
    create: async (actor, { datasetId, fields }) => {
      const accessible = await access.requireCall(actor, datasetId, 'createIndex');
      const { dataset } = accessible;
      const row = { id: ids.uuid(), datasetId: dataset.id, fields };
      const isTaken = isMade(await findVisible(actor, accessible), fields);
      const audience = await visibility.audience(dataset.id, [fields]);
      const make = (): Promise<boolean> =>
        audited(actor, ifDone(eventOf('created an index', row, audience)), (repository) =>
          repository.make({ ...row, madeBy: creatorOf(actor) }, clock.now()),
        );
      if (isTaken || !(await make())) throw duplicateIndex(fields);
      await arranging.arrange(dataset.id);
      await startReindex(actor, dataset.id, [fields]);
      return row;
    },
    patch: async (actor, id, { fields, ...rest }) => {
      const { row, visibleIndexes, accessible } = await find(actor, id, 'patchIndex');
      refuseChanges({ id, datasetId: row.datasetId }, rest);
      if (fields === undefined || sameFields(fields, row.fields)) return toIndex(row);
      if (row.state === 'automatic') {
        throw badRequest(
          `The index "${id}" is automatic and cannot be changed. Drop it, and create another one with these fields.`,
        );
      }
      const changed = { ...row, fields, madeBy: creatorOf(actor) };
      const about = [row.fields, fields];
      const audience = await visibility.audience(row.datasetId, about);
      const change = (): Promise<boolean> =>
        audited(actor, ifDone(eventOf('changed an index', row, audience)), (repository) =>
          repository.change(changed),
        );
      if (isMade(visibleIndexes, fields) || !(await change())) throw duplicateIndex(fields);
      await arranging.arrange(accessible.dataset.id);
      await startReindex(actor, row.datasetId, about);
      return toIndex(changed);
    },
    remove: async (actor, id) => {
      const { row, accessible } = await find(actor, id, 'deleteIndex');
      const audience = await visibility.audience(row.datasetId, [row.fields]);
      await audited(actor, eventOf('dropped an index', row, audience), (repository) => repository.drop(row));
      await arranging.arrange(accessible.dataset.id);
      return toIndex(row);
    },
    manage: async (actor, body) => {
      const accessible = await access.requireCall(actor, body.datasetId, 'manageIndexes');
      const { dataset } = accessible;
      const { remove = [], create = [], autoCreateIndexes, searchAnyField } = body;
      const visibleIndexes = await findVisible(actor, accessible);
      const dropped = remove.map((sent, at) => {
        const found = visibleIndexes.find((row) =>
          typeof sent === 'object' && 'id' in sent
            ? row.id === sent.id
            : row.id === sent || sameFields(row.fields, fieldsOf(sent)),
        );
        if (found !== undefined) return found;
        throw invalidField({
          field: `remove.${at}`,
          expected: 'an index of this dataset',
          got: JSON.stringify(sent),
          advice: 'GET /indexes lists them.',
        });
      });
      const now = clock.now();
      const named = [...dropped.map(({ fields }) => fields), ...create.map(fieldsOf)];
      const hasSettings = autoCreateIndexes !== undefined || searchAnyField !== undefined;
      const about = hasSettings || named.length === 0 ? undefined : named;
      // Leaves out how many were created and dropped: some may be hidden from readers of the audit log.
      const arranged: AuditEvent = {
        type: 'DatasetManagement',
        description: 'changed the indexes of a dataset',
        datasetId: dataset.id,
        audience: about && (await visibility.audience(dataset.id, about)),
      };
      await audited(actor, arranged, async (repository) => {
        for (const row of dropped) await repository.drop(row);
        const kept = visibleIndexes.filter((row) => !dropped.includes(row));
        for (const fields of create.map(fieldsOf)) {
          const row = { id: ids.uuid(), datasetId: dataset.id, fields, madeBy: creatorOf(actor) };
          if (!isMade(kept, fields)) await repository.make(row, now);
        }
      });
      await settings.change(actor, dataset.id, {
        ...(autoCreateIndexes === undefined ? {} : { autoCreateIndexes }),
        ...(searchAnyField === undefined ? {} : { searchAnyField }),
      });
      await arranging.arrange(dataset.id);
      return startReindex(actor, dataset.id, about);
    },
    reindex: async (actor, datasetId) => {
      const { dataset } = await access.requireCall(actor, datasetId, 'manageIndexes');
      return startReindex(actor, dataset.id);
    },
  };
};
