import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { ScheduleService } from './schedule.service.ts';

export const createScheduleRoutes = (schedules: ScheduleService): RouteBinding[] => [
  bindMember(routes.listSchedules, ({ actor, list }) => schedules.list(actor, list)),
  bindMember(routes.createSchedule, ({ actor, body }) => schedules.create(actor, body)),
  bindMember(routes.getSchedule, ({ actor, params }) => schedules.get(actor, params.id)),
  bindMember(routes.patchSchedule, ({ actor, params, body }) => schedules.patch(actor, params.id, body)),
  bindMember(routes.deleteSchedule, ({ actor, params }) => schedules.remove(actor, params.id)),
  bindMember(routes.runSchedule, ({ actor, params }) => schedules.run(actor, params.id)),
  bindMember(routes.listScheduleRuns, ({ actor, params, list }) =>
    schedules.listRuns(actor, params.id, list),
  ),
];
