import type { SessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createSessionListRepository } from './session-list.repository.ts';
import { createSessionRoutes } from './session.routes.ts';
import { createSessionService } from './session.service.ts';

export const wireSessions = ({
  db,
  sessions,
  runtime: { clock },
}: {
  db: Db;
  sessions: SessionRepository;
  runtime: Pick<Runtime, 'clock'>;
}): RouteBinding[] =>
  createSessionRoutes(createSessionService({ list: createSessionListRepository(db), sessions, clock }));
