import { routes, type Job } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { isGeneratedPython } from '../../platform/http/generated-python.ts';
import type { JobService } from './job.service.ts';

type Client = Parameters<typeof isGeneratedPython>[0];

/**
 * The job for a client. The published Python client fails on a whole list if it has a type that the client does not
 * know. A job that relabels is closest to `reindex`: it changes how records are found, and not their content.
 */
const forClient = (request: Client, job: Job): Job =>
  job.type === 'relabel-record' && isGeneratedPython(request) ? { ...job, type: 'reindex' } : job;

export const createJobRoutes = (jobs: JobService): RouteBinding[] => [
  bindMember(routes.listJobs, async ({ actor, query, list, request }) => {
    const page = await jobs.list(actor, query.datasetId, list);
    return { ...page, data: page.data.map((job) => forClient(request, job)) };
  }),
  bindMember(routes.createJob, async ({ actor, body, request }) =>
    forClient(request, await jobs.create(actor, body)),
  ),
  bindMember(routes.getJob, async ({ actor, params, request }) =>
    forClient(request, await jobs.get(actor, params.id)),
  ),
  bindMember(routes.patchJob, async ({ actor, params, body, request }) =>
    forClient(request, await jobs.patch(actor, params.id, body)),
  ),
  bindMember(routes.listSegments, ({ actor, query, list }) =>
    jobs.listSegments(actor, query.datasetId, list),
  ),
  bindMember(routes.getSegment, ({ actor, params }) => jobs.getSegment(actor, params.id)),
];
