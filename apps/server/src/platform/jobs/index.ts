export { errorColumns, jobIdOf, openStates, toJobError, type JobKind, type RunningJob } from './job.ts';
export {
  addSegments,
  createJobChanges,
  type JobChanges,
  type NewJob,
  type NewSegment,
} from './job-changes.repository.ts';
export { createJobQueueRepository, type JobQueueRepository } from './job-queue.repository.ts';
export { maxWaitingJobs, requireWaitingPlace } from './waiting-jobs.repository.ts';
export { createJobRunner, type JobRunner } from './job-runner.ts';
