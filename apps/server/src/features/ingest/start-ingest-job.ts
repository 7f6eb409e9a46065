import type { Job } from '@redoubt/contract';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { StartJob } from '../jobs/index.ts';
import { segmentsOf, storeUpload, type NewUpload } from './ingest.repository.ts';

/**
 * Starts the job that reads the files of an upload. The job and the upload are stored together.
 * @param beside stores more in the same transaction; an error stores nothing
 * @param isEndless whether the job runs until it is stopped
 * @param source the origin of the files, as the starter sees it in the config of the job
 */
export const startIngestJob = (
  startJob: StartJob,
  actor: Member,
  upload: NewUpload,
  source: Readonly<Record<string, unknown>>,
  beside: (trx: Db) => Promise<void> = async () => undefined,
  isEndless = false,
): Promise<Job> => {
  const { securityLabelInfo, reading = {}, write, isDocument, ocrLanguages } = upload.options;
  return startJob(actor, {
    id: upload.jobId,
    type: 'ingest',
    datasetId: upload.datasetId,
    config: {
      uploadId: upload.id,
      ...source,
      files: upload.files.map(({ name }) => name),
      securityLabeled: securityLabelInfo !== null,
      ...(securityLabelInfo === null ? {} : { securityLabelInfo }),
      ...(Object.keys(reading).length === 0 ? {} : { fileOptions: reading }),
      ...(isDocument === true ? { processAsDocument: true } : {}),
      ...(ocrLanguages === undefined ? {} : { ocrLanguages }),
      ...(write === undefined ? {} : { writeMode: write.mode }),
      ...(write?.mode === 'upsert' ? { keyColumns: write.keys } : {}),
    },
    segments: segmentsOf(upload),
    isEndless,
    beside: async (trx) => {
      await storeUpload(upload)(trx);
      await beside(trx);
    },
  });
};
