import type { Job, JobType, QueryDeletion, RecordDeletion, Relabelling } from '@redoubt/contract';
import { badField, badRequest, securityError } from '@redoubt/errors';
import { toCanonicalLabel, listLabelAttributes, LabelSyntaxError, parseLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob } from '../jobs/index.ts';
import { parseSearch } from '../records/index.ts';

/** Changes to records that are there. Each is checked, and answered with the job that carries it out. */
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

/** Ids as they are kept; each once. */
const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

const readLabel = (text: string): { label: string; attributes: string[] } => {
  try {
    const expression = parseLabel(text);
    const label = toCanonicalLabel(expression);
    if (label !== '') return { label, attributes: listLabelAttributes(expression) };
  } catch (error) {
    if (!(error instanceof LabelSyntaxError)) throw error;
    throw securityError(error.message, [{ field: 'label', message: error.message }]);
  }
  const message = `${JSON.stringify(text)} is the empty label, which everybody sees who may read the dataset. Name an attribute.`;
  throw securityError(`label: ${message}`, [{ field: 'label', message }]);
};

export const createStorageService = ({ access, held, startJob }: StorageServiceDeps): StorageService => ({
  clear: async (actor, datasetId) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'clearDataset');
    return startJob(actor, { type: 'clear-dataset', datasetId: dataset.id, config: {} });
  },

  deleteRecords: async (actor, datasetId, { recordIds, deleteAll = false }) => {
    const { dataset } = await access.requireCall(actor, datasetId, 'deleteRecords');
    if (recordIds.length === 0 && !deleteAll) {
      throw badField(
        'recordIds',
        'the list is empty. Name records, or send deleteAll: true for all that you see.',
      );
    }
    if (recordIds.length > 0 && deleteAll) {
      throw badField('deleteAll', `it was sent with ${recordIds.length} recordIds. Send one or the other.`);
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
    const { label, attributes } = readLabel(text);
    if ((recordIds === undefined) === (query === undefined)) {
      throw badRequest('Send either recordIds or query: one of them says which records get the label.');
    }
    if (recordIds?.length === 0) throw badField('recordIds', 'the list is empty. Name records.');
    if (query !== undefined) parseSearch(query, dataset.search_any_field);
    await held.ensureTokens(actor, attributes);
    const which = recordIds === undefined ? { query } : { recordIds: distinct(recordIds) };
    return startJob(actor, { type: 'relabel-record', datasetId: dataset.id, config: { ...which, label } });
  },
});
