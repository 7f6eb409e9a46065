import type { Job, JobType, QueryDeletion, RecordDeletion, Relabelling } from '@redoubt/contract';
import { badRequest, describeValue, expectedMessage, invalidField, securityError } from '@redoubt/errors';
import { toCanonicalLabel, listLabelAttributes, LabelSyntaxError, parseLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob } from '../jobs/index.ts';
import { parseSearch } from '../records/index.ts';

/** Changes of existing records. Each call checks the request and returns the job that does the work. */
export interface StorageService {
  clear(actor: Member, datasetId: string): Promise<Job>;
  deleteRecords(actor: Member, datasetId: string, body: RecordDeletion): Promise<Job>;
  deleteByQuery(
    actor: Member,
    datasetId: string,
    body: QueryDeletion,
    type: Extract<JobType, 'delete-document' | 'delete-record'>,
  ): Promise<Job>;
  relabel(actor: Member, datasetId: string, body: Relabelling): Promise<Job>;
}

export interface StorageServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  held: Pick<HeldAttributes, 'ensureTokens'>;
  startJob: StartJob;
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const parseNewLabel = (text: string): { label: string; attributes: string[] } => {
  try {
    const expression = parseLabel(text);
    const label = toCanonicalLabel(expression);
    if (label !== '') return { label, attributes: listLabelAttributes(expression) };
  } catch (error) {
    if (!(error instanceof LabelSyntaxError)) throw error;
    const message = `label ${error.predicate}`;
    throw securityError(message, [{ field: 'label', message }]);
  }
  const message = expectedMessage({
    field: 'label',
    expected:
      'a label with at least one attribute, because every reader of the dataset satisfies the empty label',
    got: describeValue(text),
    advice: 'Add an attribute.',
  });
  throw securityError(message, [{ field: 'label', message }]);
};

export const createStorageService = ({ access, held, startJob }: StorageServiceDeps): StorageService => ({
  clear: async (actor, datasetId) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'clearDataset');
    return startJob(actor, { type: 'clear-dataset', datasetId: dataset.id, config: {} });
  },

  deleteRecords: async (actor, datasetId, { recordIds, deleteAll = false }) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'deleteRecords');
    if (recordIds.length === 0 && !deleteAll) {
      throw invalidField({
        field: 'recordIds',
        expected: 'a non-empty list',
        got: describeValue(recordIds),
        advice: 'Send record ids, or deleteAll: true for all records that are visible to you.',
      });
    }
    if (recordIds.length > 0 && deleteAll) {
      throw invalidField({
        field: 'deleteAll',
        expected: 'false if recordIds are sent',
        got: `true and ${recordIds.length} recordIds`,
        advice: 'Send one or the other.',
      });
    }
    const config = { recordIds: distinct(recordIds), deleteAll };
    return startJob(actor, { type: 'delete-record', datasetId: dataset.id, config });
  },

  deleteByQuery: async (actor, datasetId, { query }, type) => {
    const operation = type === 'delete-document' ? 'deleteDocumentsByQuery' : 'deleteRecordsByQuery';
    const { dataset } = await access.requireCall(actor, datasetId, operation);
    parseSearch(query, dataset.search_any_field);
    return startJob(actor, { type, datasetId: dataset.id, config: { query } });
  },

  relabel: async (actor, datasetId, { label: text, recordIds, query }) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'relabelRecords');
    const { label, attributes } = parseNewLabel(text);
    if ((recordIds === undefined) === (query === undefined)) {
      throw badRequest(
        `Relabelling needs exactly one of recordIds and query, got ${recordIds === undefined ? 'neither' : 'both'}. Send one of the two.`,
      );
    }
    if (recordIds?.length === 0) {
      throw invalidField({
        field: 'recordIds',
        expected: 'a non-empty list',
        got: describeValue(recordIds),
        advice: 'Send record ids.',
      });
    }
    if (query !== undefined) parseSearch(query, dataset.search_any_field);
    await held.ensureTokens(actor, attributes);
    const selection = recordIds === undefined ? { query } : { recordIds: distinct(recordIds) };
    return startJob(actor, {
      type: 'relabel-record',
      datasetId: dataset.id,
      config: { ...selection, label },
    });
  },
});
