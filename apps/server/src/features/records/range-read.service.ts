import type { BodyOf, ParamsOf, routes, Split } from '@redoubt/contract';
import type { RecordStore, SequenceRequest } from '@redoubt/records';
import type { Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import type { AuditDownload } from './audit-download.ts';
import type { SeenStore } from './seen-visibility.ts';
import { resolveReadScope, type ReadScopeDeps } from './read-scope.ts';
import { createRecordsResponse, type ResponseOptions, type RecordsResponse } from './records-response.ts';
import { resolveInternalFields, resolveLimit } from './request-fields.ts';

type SequenceRead = BodyOf<typeof routes.readInSequence>;
type RangeRead = BodyOf<typeof routes.readRange>;

/** Reads records in the order of their ids. */
export interface RangeService {
  /** Streams the records after a record id, in the order of ids. */
  sequence(actor: Member, read: SequenceRead, options: ResponseOptions): Promise<RecordsResponse>;
  /** Streams the records between two record ids, both included unless the request excludes the first. */
  range(actor: Member, read: RangeRead, options: ResponseOptions): Promise<RecordsResponse>;
  /** Returns ranges that together contain each visible record exactly once. */
  splits(
    actor: Member,
    params: ParamsOf<typeof routes.getSplits>,
    signal: AbortSignal,
  ): Promise<Static<typeof Split>[]>;
}

export interface RangeServiceDeps extends ReadScopeDeps {
  auditDownload: AuditDownload;
  store: Pick<RecordStore, 'visibleLabels' | 'sequence' | 'table' | 'splits' | 'countVisible' | 'schema'> &
    SeenStore;
}

const defaultBatchSize = 100_000;

/** The smaller of the two values if both were sent; -1 means no limit. */
const batchSizeOf = ({ batchSize, limit }: Pick<RangeRead, 'batchSize' | 'limit'>): number => {
  const sent = [batchSize ?? 0, limit ?? 0].filter((size) => size > 0);
  if (sent.length > 0) return Math.min(...sent);
  return batchSize === -1 || limit === -1 ? -1 : defaultBatchSize;
};

export const createRangeService = (deps: RangeServiceDeps): RangeService => {
  const { store, clock } = deps;

  const readBetween = async (
    actor: Member,
    operation: 'readInSequence' | 'readRange',
    read: Omit<SequenceRead, 'batchSize' | 'startingRecordId'>,
    bounds: Pick<SequenceRequest, 'after' | 'from' | 'limit'>,
    options: ResponseOptions,
  ): Promise<RecordsResponse> => {
    const { datasetId, visible, since, isAllowed } = await resolveReadScope(
      deps,
      actor,
      operation,
      read.datasetId,
      read.credentialsSubset,
    );
    const [schema, total] = await Promise.all([
      store.schema(datasetId, visible, {}),
      store.countVisible(datasetId, visible),
      deps.auditDownload(actor, operation, [datasetId]),
    ]);
    const request = {
      datasetId,
      visible,
      ...bounds,
      until: read.endingRecordId,
      internalFields: resolveInternalFields(read),
      signal: options.signal,
      person: actor.accountId,
    };
    const { rows, progress } = store.sequence({ ...request, asLines: options.format === 'lines' });
    return createRecordsResponse(options.format, {
      rows,
      table: (format) => store.table({ ...request, format, schema }),
      limit: bounds.limit,
      isAllowed,
      since,
      clock,
      total: () => total,
      end: () => ({ schema, lastRecordId: progress.lastRecordId, more: progress.more, total }),
    });
  };

  return {
    sequence: async (actor, { batchSize, startingRecordId, ...read }, options) => {
      const limit = resolveLimit(batchSize, defaultBatchSize);
      return readBetween(actor, 'readInSequence', read, { after: startingRecordId, limit }, options);
    },
    range: async (actor, { startingRecordId, excludeStartingRecordId, ...read }, options) => {
      const start =
        excludeStartingRecordId === true ? { after: startingRecordId } : { from: startingRecordId };
      return readBetween(actor, 'readRange', read, { ...start, limit: batchSizeOf(read) }, options);
    },
    splits: async (actor, params, signal) => {
      const { datasetId, visible } = await resolveReadScope(deps, actor, 'getSplits', params.datasetId);
      return store.splits({ datasetId, visible, signal });
    },
  };
};
