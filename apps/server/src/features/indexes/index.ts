import { strictObject } from '@redoubt/contract';
import type { RecordStore } from '@redoubt/records';
import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createValidator } from '../../platform/http/validation.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess, DatasetSettings } from '../datasets/index.ts';
import type { JobVisibility, WiredJobs } from '../jobs/index.ts';
import { createIndexSync, type IndexSync } from './index-sync.ts';
import { createIndexRepository } from './index.repository.ts';
import { createIndexRoutes } from './index.routes.ts';
import { createIndexService } from './index.service.ts';
import { createReindexKind } from './reindex.ts';

export { createIndexVisibility } from './index-visibility.ts';

const requireNothing = createValidator(strictObject({}), 'config');

/** Wires indexes, which make predicates on fields fast. */
export const wireIndexes = ({
  db,
  store,
  runtime: { clock, ids },
  logger,
  access,
  settings,
  heldTokens,
  jobs,
  visibility,
  audit,
}: {
  audit: Audit;
  db: Db;
  store: RecordStore;
  runtime: Runtime;
  logger: Logger;
  access: DatasetAccess;
  settings: DatasetSettings;
  heldTokens(actor: Member): Promise<string[]>;
  jobs: Pick<WiredJobs, 'offer' | 'requireWaitingPlace' | 'startJob'>;
  visibility: JobVisibility;
}): { bindings: RouteBinding[]; afterWrite: IndexSync['afterWrite'] } => {
  const indexes = createIndexRepository(db);
  const arranging = createIndexSync({ indexes, store, logger });
  const { startJob } = jobs;
  const service = createIndexService({
    indexes,
    audited: createAuditedChange(audit, createIndexRepository),
    arranging,
    access,
    settings,
    heldTokens,
    store,
    startJob,
    visibility,
    clock,
    ids,
  });
  jobs.offer(createReindexKind({ access, arranging, store }), (actor, datasetId, config) => {
    requireNothing(config);
    return service.reindex(actor, datasetId);
  });
  return { bindings: createIndexRoutes(service, jobs.requireWaitingPlace), afterWrite: arranging.afterWrite };
};
