export { jobIdOf, type JobKind, type RunningJob } from './job.ts';
export { createJobChanges, type JobChanges } from './job-changes.repository.ts';
export { createJobQueueRepository, type JobQueueRepository } from './job-queue.repository.ts';
export { createJobRunner, type JobRunner } from './job-runner.ts';
