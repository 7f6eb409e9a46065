import type { BodyOf, routes } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { VisibleLabels } from '@redoubt/labels';
import {
  decodeClientExpression,
  findNamed,
  parseSql,
  listDatasetNames,
  type WrittenName,
} from '@redoubt/query';
import type { RecordStore, SqlSource } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels, type DatasetReaderDeps } from './dataset-reader.ts';
import { createRecordsResponse, type ResponseOptions, type RecordsResponse } from './records-response.ts';
import { isTableFormat } from './response-format.ts';
import type { AuditDownload } from './audit-download.ts';
import { documentRows, type PreviewOf } from './document-records.ts';
import { resolveInternalFields, resolveLimit, resolveRowFields } from './request-fields.ts';
import { captureVisibility, type SeenStore } from './seen-visibility.ts';
import { createVisibilityCheck, type VisibilitySnapshot } from './visibility-check.ts';

export type SqlQuery = BodyOf<typeof routes.query>;

export interface SqlService {
  /** Streams the rows that a statement returns. */
  query(actor: Member, query: SqlQuery, options: ResponseOptions): Promise<RecordsResponse>;
}

export interface SqlServiceDeps {
  auditDownload: AuditDownload;
  previewOf: PreviewOf;
  access: Pick<DatasetAccess, 'named' | 'requireCall'>;
  heldTokens: DatasetReaderDeps['heldTokens'];
  reauthenticate: ReauthenticateActor;
  clock: Clock;
  store: Pick<RecordStore, 'fields' | 'sql' | 'visibleLabels'> & SeenStore;
}

interface ReadableDataset {
  id: string;
  name: string;
  visible: VisibleLabels;
}

const snapshotOf = (datasets: readonly ReadableDataset[]): VisibilitySnapshot =>
  new Map(datasets.map(({ id, visible }) => [id, visible]));

const defaultLimit = 10;

/** Maximum number of table names in a statement. The compiler has a lower limit for names of datasets. */
const maxNames = 1000;

export const createSqlService = ({
  access,
  auditDownload,
  heldTokens,
  reauthenticate,
  clock,
  previewOf,
  store,
}: SqlServiceDeps): SqlService => {
  const findReadable = async (
    actor: Member,
    names: readonly WrittenName[],
    subset: readonly string[] | null | undefined,
  ): Promise<ReadableDataset[]> => {
    const literalNames = [...new Set(names.map((name) => name.written))];
    if (literalNames.length === 0) return [];
    if (literalNames.length > maxNames) {
      throw new RedoubtError('SqlParseError', `SQL: more than ${maxNames} different tables are named.`);
    }
    const datasets = await access.named(actor, 'query', literalNames);
    return Promise.all(
      datasets.map(async (accessible) => ({
        id: accessible.dataset.id,
        name: accessible.dataset.name,
        visible: await resolveVisibleLabels({ heldTokens, store }, actor, accessible, subset),
      })),
    );
  };

  return {
    query: async (actor, query, options) => {
      const { credentialsSubset: subset, offset = 0, datasetId, countTotal = true } = query;
      const operation = options.documents === true ? 'queryDocuments' : 'query';
      if (datasetId !== undefined && datasetId !== null)
        await access.requireCall(actor, datasetId, operation);
      const parsed = await parseSql(decodeClientExpression(query.expression));
      const names = listDatasetNames(parsed);
      const since = clock.now();
      const readable = await findReadable(actor, names, subset);
      const sources = await Promise.all(
        readable.map(async (dataset) => ({
          ...dataset,
          documents: options.documents,
          seen: await captureVisibility(store, dataset.id, dataset.visible),
          fields: await store.fields(dataset.id, dataset.visible),
        })),
      );
      const limit = resolveLimit(query.limit, defaultLimit);
      const reading = await store.sql({
        parsed,
        find: (name) => findSource(sources, name),
        limit,
        offset,
        countTotal,
        internalFields: resolveRowFields(query, options),
        asLines: options.format === 'lines' || options.documents === true,
        isTable: isTableFormat(options.format),
        now: clock.now(),
        signal: options.signal,
        person: actor.accountId,
      });
      await auditDownload(actor, options.documents === true ? 'queryDocuments' : 'query', reading.datasetIds);
      // Streaming rows has no timeout. Counting them first has one, so that no statement runs forever.
      if (limit < 0) await reading.total();
      if (options.documents === true && !reading.isRecords) {
        throw new RedoubtError(
          'SqlParseError',
          'SQL: documents are returned as whole records: write SELECT * FROM one dataset.',
        );
      }
      /** Whole records come from one dataset. */
      const previewIn =
        ([dataset]: readonly ReadableDataset[]) =>
        async (documentId: string): Promise<string | null> =>
          dataset === undefined
            ? null
            : previewOf(
                { datasetId: dataset.id, visible: dataset.visible, person: actor.accountId },
                documentId,
                options.signal,
              );
      const read = sources.filter(({ id }) => reading.datasetIds.includes(id));
      return createRecordsResponse(options.format, {
        rows:
          options.documents === true
            ? documentRows(reading.rows, resolveInternalFields(query) !== undefined, previewIn(read))
            : reading.rows,
        table: reading.table,
        limit,
        isAllowed: createVisibilityCheck(
          { reauthenticate, store },
          actor,
          read.map(({ seen }) => seen),
          true,
          async (reader) => snapshotOf(await findReadable(reader, names, subset)),
        ),
        since,
        clock,
        total: countTotal ? reading.total : () => undefined,
        end: async () => {
          const { rows, lastRecordId } = reading.progress;
          const total = countTotal ? await reading.total() : null;
          options.onComplete?.(rows);
          return {
            schema: reading.schema,
            lastRecordId: lastRecordId === '' ? undefined : lastRecordId,
            more: total === null ? reading.progress.more : offset + rows < total,
            total,
          };
        },
      });
    },
  };
};

/** Finds the source of a table name. An id always matches its dataset; a name that several datasets have is ambiguous. */
const findSource = (sources: readonly SqlSource[], name: WrittenName): SqlSource | 'ambiguous' | undefined =>
  sources.find(({ id }) => id === name.written.toLowerCase()) ??
  findNamed(sources, (source) => source.name, name);
