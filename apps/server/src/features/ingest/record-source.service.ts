import type { RecordSource } from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import { resolveVisibleLabels } from '../records/index.ts';
import type { IngestRepository } from './ingest.repository.ts';
import { namesFor } from './visible-files.ts';

export interface RecordSourceService {
  /** Returns the file that a visible record comes from. */
  get(actor: Member, datasetId: string, recordId: string): Promise<RecordSource>;
}

export interface RecordSourceServiceDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  held: Pick<HeldAttributes, 'heldTokens'>;
  hasStarted: WiredJobs['hasStarted'];
  repository: Pick<IngestRepository, 'originOf'>;
  store: Pick<RecordStore, 'placeOf' | 'visibleLabels'>;
}

const nowhere = { fileId: null, fileName: null, jobId: null };
const noPlace = { row: null, line: null, offset: null, batch: null };

export const createRecordSourceService = ({
  access,
  held,
  hasStarted,
  repository,
  store,
}: RecordSourceServiceDeps): RecordSourceService => ({
  get: async (actor, datasetId, recordId) => {
    const accessible = await access.requireCall(actor, datasetId, 'getRecordSource');
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    const id = accessible.dataset.id;
    const place = await store.placeOf({ datasetId: id, visible, recordId, person: actor.accountId });
    if (place === undefined) throw notFound('record', recordId);
    const origin = place.file === '' ? undefined : await repository.originOf(id, place.file);
    if (origin === undefined) return { recordId, ...nowhere, ...noPlace };
    const { row, line, offset, batch, isReplaced } = place;
    const isUploader = await hasStarted(actor, origin.jobId);
    return {
      recordId,
      fileId: place.file,
      fileName: isUploader ? origin.name : namesFor(visible)({ ...origin, id: place.file }),
      jobId: origin.jobId,
      // Gaps in these numbers would disclose how many rows are hidden.
      ...(isUploader && !isReplaced && origin.connectionId === null ? { row, line, offset, batch } : noPlace),
    };
  },
});
