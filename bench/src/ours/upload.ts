import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { requestJson, waitForJob, type Address } from './run-job.ts';

/** Each row has its label in the column `label`. */
export const labelOfRow = {
  securityLabeled: true,
  securityLabelInfo: {
    fields: ['label'],
    parserClassName: 'identity-parser',
    labelHandlingPolicy: 'ignore',
  },
} as const;

/**
 * Uploads files and waits for the end of their job.
 * @param parts other parts of the request than the dataset and the files
 * @returns the number of records that were stored
 * @throws Error if the upload is refused or its job does not complete
 */
export async function uploadFiles(
  address: Address,
  datasetId: string,
  paths: readonly string[],
  parts: Readonly<Record<string, string>>,
): Promise<number> {
  const body = new FormData();
  body.set('datasetId', datasetId);
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  for (const path of paths) body.append('files', await openAsBlob(path), basename(path));
  const { jobId } = await requestJson<{ jobId: string }>(address, '/uploads', { method: 'POST', body });
  return waitForJob(address, jobId);
}

/** Uploads a file of rows, each with its own label. */
export const uploadFile = (address: Address, datasetId: string, path: string): Promise<number> =>
  uploadFiles(address, datasetId, [path], { accessControlLabel: JSON.stringify(labelOfRow) });
