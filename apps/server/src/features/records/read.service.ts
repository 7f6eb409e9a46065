import type { BodyOf, DatasetSchema, QueryOf, routes } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import type { VisibleLabels } from '@redoubt/labels';
import { decodeClientExpression, findUnfielded, parseLucene } from '@redoubt/query';
import type { ReadRequest, RecordStore } from '@redoubt/records';
import type { Readable } from 'node:stream';
import type { Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { visibleLabelsOf, type DatasetReaderDeps } from './dataset-reader.ts';
import { recordBatch } from './record-batch.ts';
import { whileAllowed } from './still-allowed.ts';

type LuceneQuery = BodyOf<typeof routes.queryLucene>;
type SequenceRead = BodyOf<typeof routes.readInSequence>;
type SchemaQuery = QueryOf<typeof routes.getDatasetSchema>;

export interface ReadService {
  /** Streams the matches of a Lucene expression. `signal` stops the work when the reader goes away. */
  search(actor: Member, query: LuceneQuery, signal: AbortSignal): Promise<Readable>;
  /** Streams the records after an id, in the order of ids. */
  sequence(actor: Member, read: SequenceRead, signal: AbortSignal): Promise<Readable>;
  /** The fields of the records that the actor sees. */
  schema(actor: Member, query: SchemaQuery): Promise<Static<typeof DatasetSchema>>;
}

export interface ReadServiceDeps {
  access: Pick<DatasetAccess, 'requireAction'>;
  heldTokens: DatasetReaderDeps['heldTokens'];
  sessions: Pick<SessionRepository, 'findLive'>;
  clock: Clock;
  store: Pick<RecordStore, 'visibleLabels' | 'search' | 'sequence' | 'countVisible' | 'schema'>;
}

const defaultSearchLimit = 10;
const defaultBatchSize = 100_000;

/** Absent and 0 mean the default: some clients send 0 and expect rows. */
const limitOf = (sent: number | undefined, fallback: number): number =>
  sent === undefined || sent === 0 ? fallback : sent;

const internalFieldsOf = ({
  includeInternalFields,
  includeInternalRecordId,
}: Pick<LuceneQuery, 'includeInternalFields' | 'includeInternalRecordId'>): ReadRequest['internalFields'] => {
  if (includeInternalFields === true) return 'all';
  return includeInternalRecordId === true ? 'record-id' : undefined;
};

const parseSearch = (sent: string, searchAnyField: boolean) => {
  const tree = parseLucene(decodeClientExpression(sent));
  const unfielded = searchAnyField ? undefined : findUnfielded(tree);
  if (unfielded === undefined) return tree;
  throw new RedoubtError(
    'MissingIndexError',
    `The search names no field at character ${unfielded.at}, and searching any field is turned off for this dataset: write field:value.`,
  );
};

export const createReadService = ({
  access,
  heldTokens,
  sessions,
  clock,
  store,
}: ReadServiceDeps): ReadService => {
  const scopeOf = async (
    actor: Member,
    datasetId: string,
    subset?: readonly string[] | null,
  ): Promise<{ datasetId: string; searchAnyField: boolean; visible: VisibleLabels }> => {
    const accessible = await access.requireAction(actor, datasetId, 'read');
    const visible = await visibleLabelsOf({ heldTokens, store }, actor, accessible, subset);
    const { id, search_any_field: searchAnyField } = accessible.dataset;
    return { datasetId: id, searchAnyField, visible };
  };

  /** Whether all that the actor saw when the answer began is still theirs to see. */
  const stillSees = async (
    actor: Member,
    datasetId: string,
    subset: readonly string[] | null | undefined,
    before: VisibleLabels,
  ): Promise<boolean> => {
    if ((await sessions.findLive(actor.sessionId, clock.now())) === undefined) return false;
    try {
      const { visible } = await scopeOf(actor, datasetId, subset);
      return before.ids.every((id) => visible.has(id));
    } catch (error) {
      if (error instanceof RedoubtError) return false;
      throw error;
    }
  };

  return {
    search: async (actor, query, signal) => {
      const { datasetId, searchAnyField, visible } = await scopeOf(
        actor,
        query.datasetId,
        query.credentialsSubset,
      );
      const tree = parseSearch(query.expression, searchAnyField);
      const offset = query.offset ?? 0;
      const limit = limitOf(query.limit, defaultSearchLimit);
      const internalFields = internalFieldsOf(query);
      const request = { datasetId, visible, tree, limit, offset, internalFields, signal };
      const [schema, { rows, total: counting, progress }] = await Promise.all([
        store.schema(datasetId, visible, {}),
        store.search(request),
      ]);
      const total = await counting;
      const isAllowed = () => stillSees(actor, datasetId, query.credentialsSubset, visible);
      return recordBatch(whileAllowed(rows, isAllowed, clock), () => ({
        schema,
        lastRecordId: progress.lastRecordId,
        more: offset + progress.rows < total,
        total,
      }));
    },

    sequence: async (actor, read, signal) => {
      const { datasetId, visible } = await scopeOf(actor, read.datasetId, read.credentialsSubset);
      const [schema, total] = await Promise.all([
        store.schema(datasetId, visible, {}),
        store.countVisible(datasetId, visible),
      ]);
      const { rows, progress } = store.sequence({
        datasetId,
        visible,
        after: read.startingRecordId,
        until: read.endingRecordId,
        limit: limitOf(read.batchSize, defaultBatchSize),
        internalFields: internalFieldsOf(read),
        signal,
      });
      const isAllowed = () => stillSees(actor, datasetId, read.credentialsSubset, visible);
      return recordBatch(whileAllowed(rows, isAllowed, clock), () => ({
        schema,
        lastRecordId: progress.lastRecordId,
        more: progress.more,
        total,
      }));
    },

    schema: async (actor, query) => {
      const { datasetId, visible } = await scopeOf(actor, query.datasetId);
      return store.schema(datasetId, visible, {
        nested: query.includeNestedFields,
        internalFields: query.includeInternalFields,
        securityField: query.includeSecurityField,
      });
    },
  };
};
