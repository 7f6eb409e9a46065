import type { Job } from '@redoubt/contract';
import { setTimeout as delay } from 'node:timers/promises';

const pollMilliseconds = 20;

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** Sends a request, and returns the JSON of the response. @throws Error if it is not a success */
export const requestJson = async <T>(
  { url, token }: Address,
  route: string,
  init: RequestInit,
): Promise<T> => {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  const response = await fetch(`${url}${route}`, { ...init, headers });
  if (!response.ok) throw new Error(`${route} answered ${String(response.status)}: ${await response.text()}`);
  return (await response.json()) as T;
};

/**
 * Waits for the end of a job.
 * @returns the number of records that were stored
 * @throws Error if it does not complete
 */
export const waitForJob = async (address: Address, jobId: string): Promise<number> => {
  for (;;) {
    const job = await requestJson<Job>(address, `/jobs/${jobId}`, { method: 'GET' });
    if (job.status === 'completed') return job.recordCount ?? 0;
    if (job.status !== 'queued' && job.status !== 'running')
      throw new Error(`The job ${jobId} ended as ${job.status}: ${JSON.stringify(job.error)}`);
    await delay(pollMilliseconds);
  }
};
