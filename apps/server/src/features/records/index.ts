import type { RecordStore } from '@redoubt/records';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Audit, AuditedChange } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess, DatasetColumns } from '../datasets/index.ts';
import { createColumnSecurityService } from './column-security.service.ts';
import { createAuditDownload } from './audit-download.ts';
import type { PreviewOf } from './document-records.ts';
import { createDocumentService } from './document.service.ts';
import { createRangeService } from './range-read.service.ts';
import { createReadService } from './read.service.ts';
import { createRecordRoutes } from './record.routes.ts';
import { createRunningQueries } from './running-queries.ts';
import { createExportRepository } from './export.repository.ts';
import { createExportService } from './export.service.ts';
import { createProfileCache } from './profile-cache.ts';
import { createProfileService } from './profile.service.ts';
import { createRunRecorder, type RecordedRuns } from './run-recorder.ts';
import { createRowsService } from './rows.service.ts';
import { createSqlService } from './sql.service.ts';
import { createSummaryService } from './summary.service.ts';
import { createViewStore } from './view-store.ts';
import { createWriteService, type WriteServiceDeps } from './write.service.ts';

export { createDisconnectSignal } from './disconnect-signal.ts';
export type { PreviewOf } from './document-records.ts';
export { listLabelTokens } from './label-tokens.ts';
export { createAuditDownload, type AuditDownload } from './audit-download.ts';
export { resolveVisibleLabels } from './dataset-reader.ts';
export { whileAllowed } from './visibility-check.ts';
export { parseSearch } from './read.service.ts';
export type { RecordedRuns } from './run-recorder.ts';
export { createDatasetCatalog } from './dataset-catalog.repository.ts';

/** Called by other features after they have written records or changed column labels. */
export type AfterWrite = WriteServiceDeps['afterWrite'];
export { createAddColumnLabels, readAddedColumnLabels, type AddColumnLabels } from './add-column-labels.ts';

/** Wires writing, searching and reading of records. */
export const wireRecords = ({
  store,
  reauthenticate,
  runtime,
  access,
  auditedColumns,
  held,
  afterWrite,
  audit,
  db,
  previewOf,
  runs,
  viewFolder,
}: {
  audit: Audit;
  previewOf: PreviewOf;
  db: Db;
  runs: RecordedRuns;
  viewFolder: string;
  store: RecordStore;
  reauthenticate: ReauthenticateActor;
  runtime: Runtime;
  access: DatasetAccess;
  auditedColumns: AuditedChange<DatasetColumns>;
  held: HeldAttributes;
  afterWrite: WriteServiceDeps['afterWrite'];
}): { bindings: RouteBinding[] } => {
  const reader = {
    access,
    heldTokens: held.heldTokens,
    reauthenticate,
    clock: runtime.clock,
    store,
    auditDownload: createAuditDownload(audit),
    previewOf,
  };
  const read = createReadService(reader);
  const sql = createSqlService(reader);
  const rows = createRowsService({
    ...reader,
    views: createViewStore({ ...runtime, folder: viewFolder, store }),
  });
  return {
    bindings: createRecordRoutes({
      write: createWriteService({ access, audit, auditedColumns, held, store, afterWrite }),
      columns: createColumnSecurityService({ access, auditedColumns, held, store, afterWrite }),
      read,
      range: createRangeService(reader),
      sql,
      rows,
      profiles: createProfileService({ ...reader, cache: createProfileCache() }),
      summaries: createSummaryService(reader),
      documents: createDocumentService({ read, sql }),
      running: createRunningQueries({ db, ids: runtime.ids }),
      history: createRunRecorder({ runs, clock: runtime.clock }),
      exports: createExportService({ exports: createExportRepository(db), access, sql, read, rows, runtime }),
    }),
  };
};
