import type { Job } from '@redoubt/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from './http.ts';

/** Polling takes a part of the server's time. */
const pollMilliseconds = 20;

/**
 * Waits for the job in a response to complete.
 * @throws Error if it fails or is canceled
 */
export async function waitForJob(http: Pick<HttpClient, 'get'>, response: Buffer): Promise<Job> {
  let job = JSON.parse(response.toString()) as Job;
  while (job.status === 'queued' || job.status === 'running') {
    await delay(pollMilliseconds);
    job = JSON.parse((await http.get(`/jobs/${job.id}`)).toString()) as Job;
  }
  if (job.status !== 'completed')
    throw new Error(`The job ended as ${job.status}: ${String(job.error?.message)}`);
  return job;
}
