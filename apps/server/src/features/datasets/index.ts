import { createAuditedChange, type Audit, type AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { FindVisibleGroup } from '../groups/index.ts';
import { createDatasetAccessRepository } from './dataset-access.repository.ts';
import { createDatasetAccess, type DatasetAccess } from './dataset-access.ts';
import { createDatasetColumns, type DatasetColumns } from './dataset-columns.repository.ts';
import { createDatasetPermissionRepository } from './dataset-permission.repository.ts';
import { createDatasetPermissionRoutes } from './dataset-permission.routes.ts';
import { createDatasetPermissionService } from './dataset-permission.service.ts';
import { createDatasetRecords, type DatasetStore } from './dataset-records.ts';
import { createDatasetRepository } from './dataset.repository.ts';
import { createDatasetRoutes } from './dataset.routes.ts';
import { createDatasetService } from './dataset.service.ts';
import { createPendingDropRepository } from './pending-drops.repository.ts';
import { createPendingDrops, type PendingDrops } from './pending-drops.ts';

export { datasetAccessBits, selectAccessBits } from './dataset-access.repository.ts';
export type { AccessibleDataset, DatasetAccess } from './dataset-access.ts';
export { readDatasetSecurity } from './dataset-security.ts';
export type { DatasetColumns } from './dataset-columns.repository.ts';

/** Changes the search settings of a dataset. */
export interface DatasetSettings {
  change(
    actor: Member,
    datasetId: string,
    patch: { autoCreateIndexes?: boolean; searchAnyField?: boolean },
  ): Promise<void>;
}

/** The routes of datasets, and what other features use of them. */
export interface WiredDatasets {
  bindings: RouteBinding[];
  access: DatasetAccess;
  settings: DatasetSettings;
  columns: DatasetColumns;
  /** As `columns`, with an audit event for each change. */
  auditedColumns: AuditedChange<DatasetColumns>;
  drainPendingDrops: PendingDrops['drainPendingDrops'];
  /** Call it once at start, before the server accepts requests. */
  recoverPendingDrops: PendingDrops['recoverPendingDrops'];
}

/** Wires datasets and dataset permissions. */
export const wireDatasets = ({
  db,
  runtime: { ids, clock },
  logger,
  store,
  heldTokens,
  findVisibleGroup,
  audit,
  afterRemoval,
}: {
  db: Db;
  audit: Audit;
  runtime: Runtime;
  logger: Logger;
  store: DatasetStore;
  heldTokens(actor: Member): Promise<string[]>;
  findVisibleGroup: FindVisibleGroup;
  /** Called when a dataset is gone. */
  afterRemoval: () => Promise<void>;
}): WiredDatasets => {
  const access = createDatasetAccess(createDatasetAccessRepository(db));
  const pendingDrops = createPendingDrops({
    repository: createPendingDropRepository(db),
    store,
    logger,
  });
  const datasets = createDatasetService({
    datasets: createDatasetRepository(db),
    audited: createAuditedChange(audit, createDatasetRepository),
    access,
    records: createDatasetRecords(store),
    store,
    pendingDrops,
    heldTokens,
    afterRemoval,
    ids,
    clock,
  });
  const permissions = createDatasetPermissionService({
    permissions: createDatasetPermissionRepository(db),
    audited: createAuditedChange(audit, createDatasetPermissionRepository),
    access,
    findVisibleGroup,
    ids,
    clock,
  });
  return {
    bindings: [...createDatasetRoutes(datasets), ...createDatasetPermissionRoutes(permissions)],
    access,
    settings: {
      change: async (actor, datasetId, patch) => {
        await datasets.patch(actor, datasetId, patch);
      },
    },
    columns: createDatasetColumns(db),
    auditedColumns: createAuditedChange(audit, createDatasetColumns),
    drainPendingDrops: pendingDrops.drainPendingDrops,
    recoverPendingDrops: pendingDrops.recoverPendingDrops,
  };
};
