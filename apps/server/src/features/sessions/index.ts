import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createSessionRepository } from '../../platform/auth/session.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createSessionListRepository } from './session-list.repository.ts';
import { createSessionRoutes } from './session.routes.ts';
import { createSessionService } from './session.service.ts';

export const wireSessions = ({
  db,
  runtime: { clock },
  audit,
  workspacesOf,
}: {
  audit: Audit;
  workspacesOf: (accountId: string) => Promise<{ uniqueId: string; slug: string }[]>;
  db: Db;
  runtime: Pick<Runtime, 'clock'>;
}): { bindings: RouteBinding[] } => ({
  bindings: createSessionRoutes(
    createSessionService({
      list: createSessionListRepository(db),
      workspacesOf,
      audited: createAuditedChange(audit, createSessionRepository),
      clock,
    }),
  ),
});
