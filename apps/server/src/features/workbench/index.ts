import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { RecordedRuns } from '../records/index.ts';
import { deriveDraftKey } from './draft-key.ts';
import { createQueryHistoryRepository } from './query-history.repository.ts';
import { createQueryHistoryService } from './query-history.service.ts';
import { createSavedQueryRepository } from './saved-query.repository.ts';
import { createSavedQueryService } from './saved-query.service.ts';
import { createWorkbenchRoutes } from './workbench.routes.ts';

/** What people keep of their work with SQL: drafts, saved queries and history. */
export const wireWorkbench = ({
  db,
  runtime,
  audit,
  signingKey,
}: {
  db: Db;
  runtime: Runtime;
  audit: Audit;
  signingKey: Uint8Array;
}): { bindings: RouteBinding[]; runs: RecordedRuns } => {
  const saved = createSavedQueryService({
    queries: createSavedQueryRepository(db),
    audited: createAuditedChange(audit, createSavedQueryRepository),
    runtime,
  });
  const history = createQueryHistoryService({
    history: createQueryHistoryRepository(db),
    audited: createAuditedChange(audit, createQueryHistoryRepository),
    runtime,
  });
  return {
    runs: history,
    bindings: createWorkbenchRoutes({
      saved,
      history,
      draftKeyOf: (actor) => deriveDraftKey(signingKey, actor),
    }),
  };
};
