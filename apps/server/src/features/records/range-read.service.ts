import type { BodyOf, ParamsOf, routes, Split } from '@redoubt/contract';
import type { RecordStore, SequenceRequest } from '@redoubt/records';
import type { Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import type { AuditDownload } from './audit-download.ts';
import { resolveReadScope, type ReadScopeDeps } from './read-scope.ts';
import { createRecordsResponse, type ResponseOptions, type RecordsResponse } from './records-response.ts';
import { resolveInternalFields, resolveLimit } from './request-fields.ts';

type SequenceRead = BodyOf<typeof routes.readInSequence>;
type RangeRead = BodyOf<typeof routes.readRange>;

/** Reading by record id. */
export interface RangeService {
  /** Streams the records after an id, in the order of ids. */
  sequence(actor: Member, read: SequenceRead, how: ResponseOptions): Promise<RecordsResponse>;
  /** Streams the records of a range, its ends included. */
  range(actor: Member, read: RangeRead, how: ResponseOptions): Promise<RecordsResponse>;
  /** Ranges that hold each record that the actor sees once. */
  splits(
    actor: Member,
    params: ParamsOf<typeof routes.getSplits>,
    signal: AbortSignal,
  ): Promise<Static<typeof Split>[]>;
}

export interface RangeServiceDeps extends ReadScopeDeps {
  tellDownload: AuditDownload;
  store: Pick<RecordStore, 'visibleLabels' | 'sequence' | 'table' | 'splits' | 'countVisible' | 'schema'>;
}

const defaultBatchSize = 100_000;

/** The smaller of both that were sent, where -1 is all. */
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
    how: ResponseOptions,
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
      deps.tellDownload(actor, operation, [datasetId]),
    ]);
    const request = {
      datasetId,
      visible,
      ...bounds,
      until: read.endingRecordId,
      internalFields: resolveInternalFields(read),
      signal: how.signal,
      person: actor.accountId,
    };
    const { rows, progress } = store.sequence({ ...request, asLines: how.format === 'lines' });
    return createRecordsResponse(how.format, {
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
    sequence: async (actor, { batchSize, startingRecordId, ...read }, how) => {
      const limit = resolveLimit(batchSize, defaultBatchSize);
      return readBetween(actor, 'readInSequence', read, { after: startingRecordId, limit }, how);
    },
    range: async (actor, { startingRecordId, excludeStartingRecordId, ...read }, how) => {
      const start =
        excludeStartingRecordId === true ? { after: startingRecordId } : { from: startingRecordId };
      return readBetween(actor, 'readRange', read, { ...start, limit: batchSizeOf(read) }, how);
    },
    splits: async (actor, params, signal) => {
      const { datasetId, visible } = await resolveReadScope(deps, actor, 'getSplits', params.datasetId);
      return store.splits({ datasetId, visible, signal });
    },
  };
};
