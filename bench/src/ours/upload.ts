import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { BenchServer } from './bench-server.ts';
import { waitForJob } from './jobs.ts';

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
  server: Pick<BenchServer, 'address' | 'writer'>,
  datasetId: string,
  paths: readonly string[],
  parts: Readonly<Record<string, string>>,
): Promise<number> {
  const body = new FormData();
  body.set('datasetId', datasetId);
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  for (const path of paths) body.append('files', await openAsBlob(path), basename(path));
  const { url, token } = server.address();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/uploads`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`/uploads answered ${String(response.status)}: ${await response.text()}`);
  const { jobId } = (await response.json()) as { jobId: string };
  const http = server.writer(1);
  try {
    const job = await waitForJob(http, await http.get(`/jobs/${jobId}`));
    return job.recordCount ?? 0;
  } finally {
    http.close();
  }
}

/** Uploads a file of rows, each with its own label. */
export const uploadFile = (
  server: Pick<BenchServer, 'address' | 'writer'>,
  datasetId: string,
  path: string,
): Promise<number> =>
  uploadFiles(server, datasetId, [path], { accessControlLabel: JSON.stringify(labelOfRow) });
