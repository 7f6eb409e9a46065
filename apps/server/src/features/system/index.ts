import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createHealthRepository } from './health.repository.ts';
import { createSystemRoutes } from './system.routes.ts';

export const wireSystem = ({ db }: { db: Db }): { bindings: RouteBinding[] } => ({
  bindings: createSystemRoutes(createHealthRepository(db)),
});
