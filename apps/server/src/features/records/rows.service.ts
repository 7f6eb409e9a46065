import {
  maxCellCharacters,
  maxHighlightPlaces,
  maxPageBytes,
  maxViewRecords,
  type RowsExport,
  type RowsRequest,
} from '@redoubt/contract';
import { describeValue, invalidField, tooLarge } from '@redoubt/errors';
import { createHighlighter, parseSql, sqlLimits, type LuceneNode, type ParsedSql } from '@redoubt/query';
import { cutCells, packedIdBytes, unpackIds, type RecordStore } from '@redoubt/records';
import { serializeCredentialScope, type Member } from '../../platform/auth/actor.ts';
import type { AuditDownload } from './audit-download.ts';
import { orderClause, quoteName, whereClause } from '@redoubt/query/rows';
import { checkHighlightLimit, createHighlightPrinter } from './highlight-records.ts';
import type { SeenStore } from './seen-visibility.ts';
import { resolveReadScope, type ReadScope, type ReadScopeDeps } from './read-scope.ts';
import { parseSearch } from './read.service.ts';
import { createRecordsResponse, type RecordsResponse, type ResponseOptions } from './records-response.ts';
import { collectResponseBody, type ResponseBody } from './response-body.ts';
import { isTableFormat } from './response-format.ts';
import type { ViewStore } from './view-store.ts';
import { whileAllowed } from './visibility-check.ts';

export interface RowsService {
  /** Reads a part of a table on a screen. */
  read(actor: Member, datasetId: string, request: RowsRequest, signal: AbortSignal): Promise<ResponseBody>;
  /** Streams all rows of such a table: whole records, in the order of the screen. */
  readAll(actor: Member, request: RowsExport, options: ResponseOptions): Promise<RecordsResponse>;
}

export interface RowsServiceDeps extends ReadScopeDeps {
  auditDownload: AuditDownload;
  views: ViewStore;
  store: Pick<
    RecordStore,
    'fields' | 'lookUp' | 'readIds' | 'readRows' | 'sql' | 'visibleState' | 'visibleLabels'
  > &
    SeenStore;
}

/** Parses a statement that this server generated from a request. The filters of the request can make it too long. */
export const parseStatement = async (text: string): Promise<ParsedSql> => {
  if (text.length > sqlLimits.length)
    throw invalidField({
      field: 'filters',
      expected: `values with fewer than ${String(sqlLimits.length)} characters together`,
      got: describeValue(text.length),
      advice: 'Send fewer or shorter values.',
    });
  return parseSql(text);
};

/** The records of a page: their ids in order, the view that they are from, and how many there are. */
interface PageOfIds {
  ids: Buffer;
  total: number;
  view: string | null;
  isStale: boolean;
}

const ownerOf = (actor: Member): string => {
  const { accountId, sessionId, credential } = actor;
  return JSON.stringify([accountId, sessionId, credential, serializeCredentialScope(actor)]);
};

export const createRowsService = (deps: RowsServiceDeps): RowsService => {
  const { store, views, clock } = deps;

  const findIds = async (
    actor: Member,
    { datasetId, visible, seen }: ReadScope,
    tree: LuceneNode | undefined,
    request: RowsRequest,
    signal: AbortSignal,
  ): Promise<PageOfIds> => {
    const { lucene, filters = [], sort = [], offset = 0, limit } = request;
    const person = actor.accountId;
    const wanted = {
      person,
      owner: ownerOf(actor),
      datasetId,
      query: JSON.stringify([lucene, filters, sort]),
      visible,
    };
    // Before the ids, so that a change in between makes the view stale.
    const state = await store.visibleState({ datasetId, visible, person });
    const known =
      request.view === undefined ? undefined : await views.find(request.view, wanted, { offset, limit });
    if (known !== undefined) return { ...known, view: request.view ?? null, isStale: known.state !== state };
    const fields = await store.fields(datasetId, visible);
    const where = whereClause(fields, filters);
    const source = { id: datasetId, name: datasetId, visible, fields };
    const statement = { source, tree, now: clock.now(), person, signal };
    const from = `FROM ${quoteName(datasetId)}${where}`;
    const parsed = await parseStatement(`SELECT * ${from}${orderClause(fields, sort)}`);
    const ids = await store.readIds({ ...statement, parsed, limit: maxViewRecords + 1, offset: 0 });
    const total = ids.length / packedIdBytes;
    if (total <= maxViewRecords) {
      const view = await views.keep({ ...wanted, seen, state, ids });
      const page = ids.subarray(offset * packedIdBytes, (offset + limit) * packedIdBytes);
      return { ids: page, total, view, isStale: false };
    }
    const counting = await parseStatement(`SELECT count(*)::text AS total ${from}`);
    const [page, [counted]] = await Promise.all([
      store.readIds({ ...statement, parsed, limit, offset }),
      store.readRows({ ...statement, parsed: counting, limit: 1, offset: 0 }),
    ]);
    return { ids: page, total: Number(counted?.['total']), view: null, isStale: false };
  };

  return {
    read: async (actor, dataset, request, signal) => {
      const scope = await resolveReadScope(deps, actor, 'readRows', dataset);
      const { datasetId, visible } = scope;
      const tree =
        request.lucene === undefined ? undefined : parseSearch(request.lucene, scope.searchAnyField);
      if (request.highlight === true) checkHighlightLimit(request.limit);
      const printHighlights =
        request.highlight === true
          ? createHighlightPrinter(
              createHighlighter(tree ?? { type: 'all' }, maxHighlightPlaces),
              maxPageBytes,
            )
          : undefined;
      const page = await findIds(actor, scope, tree, request, signal);
      await deps.auditDownload(actor, 'readRows', [datasetId]);
      const chosen = request.fields === undefined ? undefined : new Set(request.fields);
      const rows = new Map<string, string>();
      const found = store.lookUp({ datasetId, visible, ids: page.ids, person: actor.accountId, signal });
      let bytes = 0;
      for await (const { id, record } of found) {
        const { cells, cut } = cutCells(record, chosen, maxCellCharacters, maxPageBytes - bytes);
        const row = `{"id":"${id}","cells":${cells},"cut":${JSON.stringify(cut)}`;
        bytes += Buffer.byteLength(row);
        const highlights =
          printHighlights === undefined ? '' : `,"highlights":${await printHighlights(record)}`;
        rows.set(id, `${row}${highlights}}`);
        // Names of fields can be long, too.
        if (bytes > 2 * maxPageBytes) throw tooManyNames();
      }
      return collectResponseBody(
        whileAllowed(printPage(page, rows), scope.isAllowed, clock, scope.since),
        true,
      );
    },

    readAll: async (actor, { datasetId: dataset, lucene, filters, sort }, { format, signal }) => {
      const { datasetId, visible, searchAnyField, isAllowed, since } = await resolveReadScope(
        deps,
        actor,
        'readRows',
        dataset,
      );
      const tree = lucene === undefined ? undefined : parseSearch(lucene, searchAnyField);
      const fields = await store.fields(datasetId, visible);
      const source = { id: datasetId, name: datasetId, visible, fields };
      const where = whereClause(fields, filters);
      const reading = await store.sql({
        parsed: await parseStatement(
          `SELECT * FROM ${quoteName(datasetId)}${where}${orderClause(fields, sort)}`,
        ),
        find: () => source,
        search: tree === undefined ? undefined : { datasetId, visible, tree },
        limit: -1,
        offset: 0,
        asLines: format === 'lines',
        isTable: isTableFormat(format),
        now: clock.now(),
        signal,
        person: actor.accountId,
      });
      await deps.auditDownload(actor, 'readRows', [datasetId]);
      // Streaming rows has no timeout. Counting them first has one, so that no statement runs forever.
      const total = await reading.total();
      return createRecordsResponse(format, {
        rows: reading.rows,
        table: reading.table,
        limit: -1,
        isAllowed,
        since,
        clock,
        total: () => total,
        end: () => ({
          schema: reading.schema,
          lastRecordId: reading.progress.lastRecordId,
          more: false,
          total,
        }),
      });
    },
  };
};

const tooManyNames = (): Error =>
  tooLarge(
    `The names of the fields of these rows have more than ${String(maxPageBytes)} bytes together. Ask for fewer rows, or name fewer fields in fields.`,
  );

async function* printPage(
  { ids, total, view, isStale }: PageOfIds,
  rows: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  let opening = '{"rows":[';
  let isStaleNow = isStale;
  for (const id of unpackIds(ids)) {
    const row = rows.get(id);
    isStaleNow ||= row === undefined;
    yield Buffer.from(`${opening}${row ?? 'null'}`);
    opening = ',';
  }
  const tail = JSON.stringify({ view, stale: isStaleNow, total });
  yield Buffer.from(`${opening === ',' ? '' : opening}],${tail.slice(1)}`);
}
