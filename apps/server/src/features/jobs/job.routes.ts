import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { JobService } from './job.service.ts';

export const createJobRoutes = (jobs: JobService): RouteBinding[] => [
  bindMember(routes.listJobs, ({ actor, query, list }) => jobs.list(actor, query.datasetId, list)),
  bindMember(routes.createJob, ({ actor, body }) => jobs.create(actor, body)),
  bindMember(routes.getJob, ({ actor, params }) => jobs.get(actor, params.id)),
  bindMember(routes.patchJob, ({ actor, params, body }) => jobs.patch(actor, params.id, body)),
  bindMember(routes.listSegments, ({ actor, query, list }) =>
    jobs.listSegments(actor, query.datasetId, list),
  ),
  bindMember(routes.getSegment, ({ actor, params }) => jobs.getSegment(actor, params.id)),
];
