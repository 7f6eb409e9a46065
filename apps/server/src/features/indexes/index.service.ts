import type {
  Index,
  IndexCreate,
  IndexManagement,
  IndexPatch,
  Job,
  ListQuery,
  OperationId,
} from '@redoubt/contract';
import { badField, badRequest, conflict, notFound, RedoubtError } from '@redoubt/errors';
import { createHash } from 'node:crypto';
import type { RecordStore } from '@redoubt/records';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { credentialText } from '../../platform/auth/credential.ts';
import { refuseChanges } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AccessibleDataset, DatasetAccess, DatasetSettings } from '../datasets/index.ts';
import type { JobSight, JobSubjects, StartJob } from '../jobs/index.ts';
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
  /** Brings the indexes of a dataset up to date with its records. */
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
  sight: Pick<JobSight, 'audience'>;
}

/** The types of fields that get an index by themselves. */
const indexedTypes: ReadonlySet<string> = new Set([
  'bigint',
  'double precision',
  'numeric',
  'text',
  'timestamp',
]);

/** The same for a field each time, so that it tells of nothing but the field. */
const automaticId = (datasetId: string, field: string): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify([datasetId, field]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const shown = ({ id, datasetId, fields }: IndexRow): Index => ({ id, datasetId, fields });

const sameFields = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((field, at) => field === b[at]);

/** Who makes an index: a key is not its person, since either may know of fields that the other does not. */
const makerOf = ({ accountId, credential }: Member): string =>
  [accountId, credentialText(credential) ?? []].flat().join(' ');

/** Whether somebody has made one of these fields. */
const isMade = (rows: readonly IndexRow[], wanted: readonly string[]): boolean =>
  rows.some(({ state, fields }) => state === 'made' && sameFields(fields, wanted));

/** Fields are not named: they may be hidden from who reads the log. */
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

/** What is sent for an index: its fields, or its id. */
const fieldsOf = (sent: string | string[] | { fields: string[] }): string[] => {
  if (typeof sent === 'string') return [sent];
  return Array.isArray(sent) ? sent : sent.fields;
};

const taken = (fields: readonly string[]) =>
  conflict(
    `fields: there is an index of ${fields.map((field) => `"${field}"`).join(', ')} already: use that one.`,
  );

export const createIndexService = (deps: IndexServiceDeps): IndexService => {
  const { indexes, audited, arranging, access, settings, sight, store, startJob, ids, clock } = deps;

  /** All indexes of a dataset, those of these fields made where they are missing: to look must not write each time. */
  const withAutomatic = async (datasetId: string, automatic: ReadonlySet<string>): Promise<IndexRow[]> => {
    // The time is taken in any case: what is taken next must not tell who has looked before.
    const now = clock.now();
    const rows = await indexes.all(datasetId);
    const there = new Set(rows.flatMap(({ state, fields }) => (state === 'made' ? [] : fields)));
    const missing = [...automatic].filter((field) => !there.has(field));
    if (missing.length === 0) return rows;
    const added = missing.map((field) => ({ id: automaticId(datasetId, field), datasetId, fields: [field] }));
    await indexes.addAutomatic(added, now);
    return indexes.all(datasetId);
  };

  /** The indexes of a dataset as the actor sees them: those that the actor made, and others over fields that the actor sees. */
  const seenBy = async (actor: Member, accessible: AccessibleDataset): Promise<IndexRow[]> => {
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
        state === 'made' && (madeBy === makerOf(actor) || fields.every((field) => schema.has(field))),
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
  ): Promise<{ row: IndexRow; seen: readonly IndexRow[]; accessible: AccessibleDataset }> => {
    const row = await indexes.find(actor.workspace.uniqueId, id);
    if (row === undefined) throw notFound('index', id);
    const accessible = await access.requireCall(actor, row.datasetId, operation).catch((fault: unknown) => {
      throw fault instanceof RedoubtError ? notFound('index', id) : fault;
    });
    const seen = await seenBy(actor, accessible);
    if (!seen.some((one) => one.id === id)) throw notFound('index', id);
    return { row, seen, accessible };
  };

  /** @param about the fields of the indexes that were made or changed; absent where managers may know of it in any case */
  const refill = (actor: Member, datasetId: string, about?: JobSubjects): Promise<Job> =>
    startJob(actor, { type: 'reindex', datasetId, config: {}, about });

  return {
    list: async (actor, { datasetId, fields = true }, list) => {
      const accessible = await access.requireCall(actor, datasetId, 'listIndexes').catch((fault: unknown) => {
        if (fault instanceof RedoubtError && fault.name === 'NotFoundError') return undefined;
        throw fault;
      });
      // A filter by what is not there finds nothing.
      if (accessible === undefined) return { total: 0, limit: list.limit, skip: list.skip, data: [] };
      const seen = await seenBy(actor, accessible);
      const page = await indexes.list(
        accessible.dataset.id,
        seen.map(({ id }) => id),
        list,
      );
      const show = (row: IndexRow): Index => (fields ? shown(row) : { id: row.id, datasetId: row.datasetId });
      return { ...page, data: page.data.map(show) };
    },
    get: async (actor, id) => shown((await find(actor, id, 'getIndex')).row),
    create: async (actor, { datasetId, fields }) => {
      const accessible = await access.requireCall(actor, datasetId, 'createIndex');
      const { dataset } = accessible;
      const row = { id: ids.uuid(), datasetId: dataset.id, fields };
      const isTaken = isMade(await seenBy(actor, accessible), fields);
      const audience = await sight.audience(dataset.id, [fields]);
      const make = (): Promise<boolean> =>
        audited(actor, ifDone(eventOf('made an index', row, audience)), (repository) =>
          repository.make({ ...row, madeBy: makerOf(actor) }, clock.now()),
        );
      if (isTaken || !(await make())) throw taken(fields);
      await arranging.arrange(dataset.id);
      await refill(actor, dataset.id, [fields]);
      return row;
    },
    patch: async (actor, id, { fields, ...rest }) => {
      const { row, seen, accessible } = await find(actor, id, 'patchIndex');
      refuseChanges({ id, datasetId: row.datasetId }, rest);
      if (fields === undefined || sameFields(fields, row.fields)) return shown(row);
      if (row.state === 'automatic') {
        throw badRequest(`The index "${id}" made itself: drop it, and create another one with these fields.`);
      }
      const changed = { ...row, fields, madeBy: makerOf(actor) };
      const about = [row.fields, fields];
      const audience = await sight.audience(row.datasetId, about);
      const change = (): Promise<boolean> =>
        audited(actor, ifDone(eventOf('changed an index', row, audience)), (repository) =>
          repository.change(changed),
        );
      if (isMade(seen, fields) || !(await change())) throw taken(fields);
      await arranging.arrange(accessible.dataset.id);
      await refill(actor, row.datasetId, about);
      return shown(changed);
    },
    remove: async (actor, id) => {
      const { row, accessible } = await find(actor, id, 'deleteIndex');
      const audience = await sight.audience(row.datasetId, [row.fields]);
      await audited(actor, eventOf('dropped an index', row, audience), (repository) => repository.drop(row));
      await arranging.arrange(accessible.dataset.id);
      return shown(row);
    },
    manage: async (actor, body) => {
      const accessible = await access.requireCall(actor, body.datasetId, 'manageIndexes');
      const { dataset } = accessible;
      const { remove = [], create = [], autoCreateIndexes, searchAnyField } = body;
      const seen = await seenBy(actor, accessible);
      const dropped = remove.map((sent, at) => {
        const found = seen.find((row) =>
          typeof sent === 'object' && 'id' in sent
            ? row.id === sent.id
            : row.id === sent || sameFields(row.fields, fieldsOf(sent)),
        );
        if (found !== undefined) return found;
        throw badField(`remove.${at}`, `${JSON.stringify(sent)} is no index of this dataset.`);
      });
      const now = clock.now();
      const named = [...dropped.map(({ fields }) => fields), ...create.map(fieldsOf)];
      const hasSettings = autoCreateIndexes !== undefined || searchAnyField !== undefined;
      const about = hasSettings || named.length === 0 ? undefined : named;
      // How many were made and dropped is not told: some may be hidden from who reads the log.
      const arranged: AuditEvent = {
        type: 'DatasetManagement',
        description: 'arranged the indexes of a dataset',
        datasetId: dataset.id,
        audience: about && (await sight.audience(dataset.id, about)),
      };
      await audited(actor, arranged, async (inOne) => {
        for (const row of dropped) await inOne.drop(row);
        const kept = seen.filter((row) => !dropped.includes(row));
        for (const fields of create.map(fieldsOf)) {
          const row = { id: ids.uuid(), datasetId: dataset.id, fields, madeBy: makerOf(actor) };
          if (!isMade(kept, fields)) await inOne.make(row, now);
        }
      });
      await settings.change(actor, dataset.id, {
        ...(autoCreateIndexes === undefined ? {} : { autoCreateIndexes }),
        ...(searchAnyField === undefined ? {} : { searchAnyField }),
      });
      await arranging.arrange(dataset.id);
      return refill(actor, dataset.id, about);
    },
    reindex: async (actor, datasetId) => {
      const { dataset } = await access.requireCall(actor, datasetId, 'manageIndexes');
      return refill(actor, dataset.id);
    },
  };
};
