import {
  maxHighlightPlaces,
  type BodyOf,
  type DatasetSchema,
  type QueryOf,
  type routes,
} from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import {
  createHighlighter,
  decodeClientExpression,
  findAnyFieldLeaf,
  parseLucene,
  type RecordHighlights,
} from '@redoubt/query';
import type { RecordStore, RecordStream } from '@redoubt/records';
import type { Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import type { SeenStore } from './seen-visibility.ts';
import { resolveReadScope, type ReadScopeDeps } from './read-scope.ts';
import { createRecordsResponse, type ResponseOptions, type RecordsResponse } from './records-response.ts';
import { isTableFormat } from './response-format.ts';
import type { AuditDownload } from './audit-download.ts';
import { checkHighlightOptions, highlightRecords } from './highlight-records.ts';
import { documentRows, type PreviewOf } from './document-records.ts';
import { resolveInternalFields, resolveLimit, resolveRowFields } from './request-fields.ts';

export type LuceneQuery = BodyOf<typeof routes.queryLucene>;
type SchemaQuery = QueryOf<typeof routes.getDatasetSchema>;

export interface ReadService {
  /** Streams the records that match a Lucene expression. */
  search(actor: Member, query: LuceneQuery, options: ResponseOptions): Promise<RecordsResponse>;
  /** Returns the fields of the records that the actor may see. */
  schema(actor: Member, query: SchemaQuery): Promise<Static<typeof DatasetSchema>>;
}

export interface ReadServiceDeps extends ReadScopeDeps {
  auditDownload: AuditDownload;
  previewOf: PreviewOf;
  store: Pick<RecordStore, 'visibleLabels' | 'search' | 'schema' | 'table'> & SeenStore;
}

const defaultSearchLimit = 10;

/**
 * @throws RedoubtError 400 if the expression is not valid Lucene, or has a term without a field although
 * `searchAnyField` is off
 */
export const parseSearch = (sent: string, searchAnyField: boolean) => {
  const tree = parseLucene(decodeClientExpression(sent));
  const unfielded = searchAnyField ? undefined : findAnyFieldLeaf(tree);
  if (unfielded === undefined) return tree;
  throw new RedoubtError(
    'MissingIndexError',
    `The search names no field at character ${unfielded.at}, and searching any field is turned off for this dataset: write field:value.`,
  );
};

export const createReadService = (deps: ReadServiceDeps): ReadService => {
  const { store, clock } = deps;
  return {
    search: async (actor, query, options) => {
      const operation = options.documents === true ? 'queryDocumentsLucene' : 'queryLucene';
      const { datasetId, searchAnyField, visible, since, isAllowed } = await resolveReadScope(
        deps,
        actor,
        operation,
        query.datasetId,
        query.credentialsSubset,
      );
      const tree = parseSearch(query.expression, searchAnyField);
      const { offset = 0, countTotal = true, highlight = false } = query;
      const limit = resolveLimit(query.limit, defaultSearchLimit);
      if (highlight) checkHighlightOptions(limit, options.format);
      const highlights: RecordHighlights[] | undefined = highlight ? [] : undefined;
      const internalFields = resolveRowFields(query, options);
      const person = actor.accountId;
      const request = {
        datasetId,
        visible,
        tree,
        limit,
        offset,
        internalFields,
        person,
        signal: options.signal,
      };
      const documents = options.documents === true;
      const shownRows = (rows: RecordStream): RecordStream => {
        if (documents)
          return documentRows(rows, resolveInternalFields(query) !== undefined, (documentId) =>
            deps.previewOf({ datasetId, visible, person }, documentId, options.signal),
          );
        return highlights === undefined
          ? rows
          : highlightRecords(rows, createHighlighter(tree, maxHighlightPlaces), highlights);
      };
      const asLines = options.format === 'lines' || documents || highlight;
      const [schema, { rows, total, progress }] = await Promise.all([
        store.schema(datasetId, visible, {}),
        store.search({
          ...request,
          asLines,
          documents,
          isTable: isTableFormat(options.format),
          countTotal,
        }),
        deps.auditDownload(actor, operation, [datasetId]),
      ]);
      // Counts first, as for SQL: the count has a timeout, and reading all rows has none.
      if (limit < 0) await total();
      return createRecordsResponse(options.format, {
        rows: shownRows(rows),
        table: (format) => store.table({ ...request, format, schema }),
        limit,
        isAllowed,
        since,
        clock,
        total: countTotal ? total : () => undefined,
        end: async () => {
          const matches = countTotal ? await total() : null;
          return {
            schema,
            lastRecordId: progress.lastRecordId,
            more: matches === null ? progress.more : offset + progress.rows < matches,
            total: matches,
            highlights,
          };
        },
      });
    },

    schema: async (actor, query) => {
      const { datasetId, visible } = await resolveReadScope(deps, actor, 'getDatasetSchema', query.datasetId);
      return store.schema(datasetId, visible, {
        nested: query.includeNestedFields,
        internalFields: query.includeInternalFields,
        securityField: query.includeSecurityField,
      });
    },
  };
};
