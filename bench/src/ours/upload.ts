import type { Job } from '@redoubt/contract';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMilliseconds = 20;

/** The part `accessControlLabel` of an upload: each row has its label in the column `label`. */
const accessControlLabel = JSON.stringify({
  securityLabeled: true,
  securityLabelInfo: {
    fields: ['label'],
    parserClassName: 'identity-parser',
    labelHandlingPolicy: 'ignore',
  },
});

/**
 * Uploads a file and waits for the end of its job.
 * @returns the number of records that were stored
 * @throws Error if the upload is refused or its job does not complete
 */
export async function uploadFile(
  address: { readonly url: string; readonly token: string },
  datasetId: string,
  path: string,
): Promise<number> {
  const headers = { authorization: `Bearer ${address.token}` };
  const query = async <T>(route: string, init: RequestInit): Promise<T> => {
    const response = await fetch(`${address.url}${route}`, { ...init, headers });
    if (!response.ok)
      throw new Error(`${route} answered ${String(response.status)}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const body = new FormData();
  body.set('datasetId', datasetId);
  body.set('accessControlLabel', accessControlLabel);
  body.set('files', await openAsBlob(path), basename(path));
  const { jobId } = await query<{ jobId: string }>('/uploads', { method: 'POST', body });
  for (;;) {
    const job = await query<Job>(`/jobs/${jobId}`, { method: 'GET' });
    if (job.status === 'completed') return job.recordCount ?? 0;
    if (job.status !== 'queued' && job.status !== 'running')
      throw new Error(`The upload of ${path} ended as ${job.status}: ${JSON.stringify(job.error)}`);
    await delay(pollMilliseconds);
  }
}
