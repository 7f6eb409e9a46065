import type { Job } from '@redoubt/contract';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from './http.ts';

const lookEveryMilliseconds = 5;

/** The job that an answer names, once it is completed; any other end is an error. */
export async function waitForJob(http: HttpClient, answer: Buffer): Promise<Job> {
  let job = JSON.parse(answer.toString()) as Job;
  while (job.status === 'queued' || job.status === 'running') {
    await delay(lookEveryMilliseconds);
    job = JSON.parse((await http.get(`/jobs/${job.id}`)).toString()) as Job;
  }
  if (job.status !== 'completed') throw new Error(`The job ended as ${job.status}: ${String(job.error)}`);
  return job;
}
