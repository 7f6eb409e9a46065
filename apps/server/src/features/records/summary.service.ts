import { maxHighlightPlaces, type BodyOf, type routes } from '@redoubt/contract';
import { notFound, RedoubtError } from '@redoubt/errors';
import type { VisibleLabels } from '@redoubt/labels';
import {
  createHighlighter,
  decodeClientExpression,
  findAnyFieldLeaf,
  parseLucene,
  parseSql,
  listDatasetNames,
  type WrittenName,
} from '@redoubt/query';
import type { RecordStore, Summary } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { AccessibleDataset, DatasetAccess } from '../datasets/index.ts';
import { collectResponseBody, type ResponseBody } from './response-body.ts';
import type { AuditDownload } from './audit-download.ts';
import { resolveVisibleLabels, type DatasetReaderDeps } from './dataset-reader.ts';
import { highlightLines, type Highlighter } from './highlight-records.ts';
import { resolveLimit } from './request-fields.ts';
import { pathsOfRecords } from './paths-of-records.ts';
import { captureVisibility, type SeenStore, type SeenVisibility } from './seen-visibility.ts';
import { createVisibilityCheck, whileAllowed, type VisibilitySnapshot } from './visibility-check.ts';

type SqlSummary = BodyOf<typeof routes.summarizeSql>;
type LuceneSummary = BodyOf<typeof routes.summarizeLucene>;

export interface SummaryService {
  /** Runs a SQL statement on each of many datasets. */
  sql(actor: Member, query: SqlSummary, signal: AbortSignal): Promise<ResponseBody>;
  /** Runs a search on each of many datasets. */
  search(actor: Member, query: LuceneSummary, signal: AbortSignal): Promise<ResponseBody>;
}

export interface SummaryServiceDeps {
  auditDownload: AuditDownload;
  access: Pick<DatasetAccess, 'all' | 'requireCall'>;
  heldTokens: DatasetReaderDeps['heldTokens'];
  reauthenticate: ReauthenticateActor;
  clock: Clock;
  store: Pick<RecordStore, 'fields' | 'summariseSearch' | 'summariseSql' | 'visibleLabels'> & SeenStore;
}

interface ReadableDataset extends AccessibleDataset {
  visible: VisibleLabels;
}

const snapshotOf = (readable: readonly ReadableDataset[]): VisibilitySnapshot =>
  new Map(readable.map(({ dataset, visible }) => [dataset.id, visible]));

/**
 * What the reader sees in the records of a search. To read the codes of all datasets would take longer than to search
 * them.
 */
const seenInRecords = (
  readable: readonly ReadableDataset[],
  summaries: readonly Summary[],
  areLines: boolean,
): SeenVisibility[] => {
  const found = new Map(summaries.map(({ datasetId, records }) => [datasetId, records]));
  const listOf = (datasetId: string): unknown[] => {
    const text = Buffer.from(found.get(datasetId) ?? []).toString();
    return JSON.parse(`[${areLines ? text.trimEnd().replaceAll('\n', ',') : text}]`) as unknown[];
  };
  return readable.map(({ dataset: { id }, visible: { ids, hidden } }) => ({
    datasetId: id,
    ids,
    hidden,
    codes: new Set(),
    shown: () => pathsOfRecords(listOf(id)),
  }));
};

const defaultLimit = 10;

export const createSummaryService = (deps: SummaryServiceDeps): SummaryService => {
  const { access, clock, store } = deps;

  /** Finds the datasets, ordered by name, with the actor's visibility. Loads permissions and attributes once for all. */
  const findReadable = async (
    actor: Member,
    { datasetIds, credentialsSubset }: SqlSummary,
  ): Promise<ReadableDataset[]> => {
    const ids = datasetIds ?? undefined;
    const accessible = await access.all(actor, 'summarizeSql', ids);
    const found = new Set(accessible.map(({ dataset }) => dataset.id));
    const missing = ids?.find((id) => !found.has(id));
    if (missing !== undefined) {
      await access.requireCall(actor, missing, 'summarizeSql');
      throw notFound('dataset', missing);
    }
    const tokens = deps.heldTokens(actor);
    const reader = { store, heldTokens: async () => tokens };
    return Promise.all(
      accessible.map(async (dataset) => ({
        ...dataset,
        visible: await resolveVisibleLabels(reader, actor, dataset, credentialsSubset),
      })),
    );
  };

  const respond = async (
    actor: Member,
    operation: 'summarizeLucene' | 'summarizeSql',
    query: SqlSummary,
    summarise: (readable: readonly ReadableDataset[]) => Promise<readonly Summary[]>,
    highlighter?: Highlighter,
  ): Promise<ResponseBody> => {
    const since = clock.now();
    const readable = await findReadable(actor, query);
    // Logs all searched datasets: only readers of the records may know which of them have matches.
    await deps.auditDownload(
      actor,
      operation,
      readable.map(({ dataset }) => dataset.id),
    );
    const captured =
      operation === 'summarizeSql'
        ? await Promise.all(
            readable.map(({ dataset: { id }, visible }) => captureVisibility(store, id, visible)),
          )
        : undefined;
    const summaries = await summarise(readable);
    const names = new Map(readable.map(({ dataset }) => [dataset.id, dataset.name]));
    const sameDatasets = { ...query, datasetIds: readable.map(({ dataset }) => dataset.id) };
    const seen = captured ?? seenInRecords(readable, summaries, highlighter !== undefined);
    const isAllowed = createVisibilityCheck(deps, actor, seen, false, async (reader) =>
      snapshotOf(await findReadable(reader, sameDatasets)),
    );
    const print = printSummaries(summaries, names, highlighter);
    return collectResponseBody(whileAllowed(print, isAllowed, clock, since), true);
  };

  return {
    search: async (actor, query, signal) => {
      const tree = parseLucene(decodeClientExpression(query.expression));
      const unfielded = findAnyFieldLeaf(tree);
      const highlighter = query.highlight === true ? createHighlighter(tree, maxHighlightPlaces) : undefined;
      return respond(
        actor,
        'summarizeLucene',
        query,
        (readable) => {
          const closed =
            unfielded === undefined ? [] : readable.filter(({ dataset }) => !dataset.search_any_field);
          const [named] = query.datasetIds === undefined || query.datasetIds === null ? [] : closed;
          if (named !== undefined) throw noAnyField(named.dataset.id, unfielded?.at ?? 0);
          return store.summariseSearch({
            tree,
            sources: readable
              .filter((one) => !closed.includes(one))
              .map(({ dataset, visible }) => ({
                datasetId: dataset.id,
                visible,
                pathVersion: dataset.path_version,
              })),
            limit: resolveLimit(query.limit, defaultLimit),
            asLines: highlighter !== undefined,
            hasRecordIds: query.includeInternalRecordId === true,
            signal,
            person: actor.accountId,
          });
        },
        highlighter,
      );
    },

    sql: async (actor, query, signal) => {
      const parsed = await parseSql(decodeClientExpression(query.expression));
      const names = listDatasetNames(parsed);
      if (!names.some(isDataset)) {
        throw new RedoubtError(
          'SqlParseError',
          'SQL: the statement does not name the table dataset, which stands for each dataset in turn.',
        );
      }
      return respond(actor, 'summarizeSql', query, async (readable) =>
        store.summariseSql({
          parsed,
          isDataset,
          sources: await Promise.all(
            readable.map(async ({ dataset: { id, name }, visible }) => ({
              id,
              name,
              visible,
              fields: await store.fields(id, visible),
            })),
          ),
          now: clock.now(),
          limit: resolveLimit(query.limit, defaultLimit),
          signal,
          person: actor.accountId,
        }),
      );
    },
  };
};

const isDataset = ({ folded }: WrittenName): boolean => folded === 'dataset';

const noAnyField = (datasetId: string, at: number): RedoubtError =>
  new RedoubtError(
    'MissingIndexError',
    `The search names no field at character ${at}, and searching any field is turned off for the dataset "${datasetId}": write field:value, or leave it out.`,
  );

/** @param highlighter finds the highlights of the records, which are then separated by newlines */
async function* printSummaries(
  summaries: readonly Summary[],
  names: ReadonlyMap<string, string>,
  highlighter: Highlighter | undefined,
): AsyncGenerator<Uint8Array> {
  let opening = '[';
  for (const { datasetId, total, records } of summaries) {
    const head = JSON.stringify({ datasetId, name: names.get(datasetId), total });
    const found = highlighter === undefined ? undefined : await highlightLines(records, highlighter);
    yield Buffer.concat([
      Buffer.from(`${opening}${head.slice(0, -1)},"records":[`),
      found === undefined ? records : found.records,
      Buffer.from(found === undefined ? ']}' : `],"highlights":${JSON.stringify(found.highlights)}}`),
    ]);
    opening = ',';
  }
  yield Buffer.from(opening === '[' ? '[]' : ']');
}
