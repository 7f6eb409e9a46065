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
import { documentRows } from './document-records.ts';
import { resolveInternalFields, resolveLimit, resolveRowFields } from './request-fields.ts';
import { isStillVisible, type VisibilitySnapshot } from './visibility-check.ts';

type SqlQuery = BodyOf<typeof routes.query>;

export interface SqlService {
  /** Streams the rows of a statement. */
  query(actor: Member, query: SqlQuery, how: ResponseOptions): Promise<RecordsResponse>;
}

export interface SqlServiceDeps {
  tellDownload: AuditDownload;
  access: Pick<DatasetAccess, 'named' | 'requireCall'>;
  heldTokens: DatasetReaderDeps['heldTokens'];
  again: ReauthenticateActor;
  clock: Clock;
  store: Pick<RecordStore, 'fields' | 'sql' | 'visibleLabels'>;
}

interface Readable {
  id: string;
  name: string;
  visible: VisibleLabels;
}

const sightOf = (datasets: readonly Readable[]): VisibilitySnapshot =>
  new Map(datasets.map(({ id, visible }) => [id, visible]));

const defaultLimit = 10;

/** Names in one statement; the compiler bounds how many of them are datasets. */
const mostNames = 1000;

export const createSqlService = ({
  access,
  tellDownload,
  heldTokens,
  again,
  clock,
  store,
}: SqlServiceDeps): SqlService => {
  const readables = async (
    actor: Member,
    names: readonly WrittenName[],
    subset: readonly string[] | null | undefined,
  ): Promise<Readable[]> => {
    const written = [...new Set(names.map((name) => name.written))];
    if (written.length === 0) return [];
    if (written.length > mostNames) {
      throw new RedoubtError('SqlParseError', `SQL: more than ${mostNames} different tables are named.`);
    }
    const datasets = await access.named(actor, 'query', written);
    return Promise.all(
      datasets.map(async (accessible) => ({
        id: accessible.dataset.id,
        name: accessible.dataset.name,
        visible: await resolveVisibleLabels({ heldTokens, store }, actor, accessible, subset),
      })),
    );
  };

  return {
    query: async (actor, query, how) => {
      const { credentialsSubset: subset, offset = 0, datasetId } = query;
      const operation = how.documents === true ? 'queryDocuments' : 'query';
      if (datasetId !== undefined && datasetId !== null)
        await access.requireCall(actor, datasetId, operation);
      const parsed = await parseSql(decodeClientExpression(query.expression));
      const names = listDatasetNames(parsed);
      const since = clock.now();
      const seen = await readables(actor, names, subset);
      const sources = await Promise.all(
        seen.map(async (dataset) => ({
          ...dataset,
          documents: how.documents,
          fields: await store.fields(dataset.id, dataset.visible),
        })),
      );
      const limit = resolveLimit(query.limit, defaultLimit);
      const reading = await store.sql({
        parsed,
        find: (name) => sourceNamed(sources, name),
        limit,
        offset,
        internalFields: resolveRowFields(query, how),
        asLines: how.format === 'lines' || how.documents === true,
        isTable: isTableFormat(how.format),
        now: clock.now(),
        signal: how.signal,
        person: actor.accountId,
      });
      await tellDownload(actor, how.documents === true ? 'queryDocuments' : 'query', reading.datasetIds);
      // Rows have all the time that their reader takes. Counting them first has not, so that no statement computes for ever.
      if (limit < 0) await reading.total();
      if (how.documents === true && !reading.isRecords) {
        throw new RedoubtError(
          'SqlParseError',
          'SQL: documents are answered as whole records: write SELECT * FROM one dataset.',
        );
      }
      const read = seen.filter(({ id }) => reading.datasetIds.includes(id));
      return createRecordsResponse(how.format, {
        rows:
          how.documents === true
            ? documentRows(reading.rows, resolveInternalFields(query) !== undefined)
            : reading.rows,
        table: reading.table,
        limit,
        isAllowed: () =>
          isStillVisible(again, actor, sightOf(read), async (reader) =>
            sightOf(await readables(reader, names, subset)),
          ),
        since,
        clock,
        total: reading.total,
        end: async () => {
          const { rows, lastRecordId } = reading.progress;
          const total = await reading.total();
          return {
            schema: reading.schema,
            lastRecordId: lastRecordId === '' ? undefined : lastRecordId,
            more: offset + rows < total,
            total,
          };
        },
      });
    },
  };
};

/** An id means its dataset; a name that several have means none of them. */
const sourceNamed = (sources: readonly SqlSource[], name: WrittenName): SqlSource | 'ambiguous' | undefined =>
  sources.find(({ id }) => id === name.written.toLowerCase()) ??
  findNamed(sources, (source) => source.name, name);
