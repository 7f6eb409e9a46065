import {
  DataSourceParams,
  ingestOptionProperties,
  strictObject,
  type IngestRequest,
} from '@redoubt/contract';
import type { RecordStore } from '@redoubt/records';
import type { Audit, AuditedChange } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import { createValidator } from '../../platform/http/validation.ts';
import type { Logger } from '../../platform/log/logger.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess, DatasetColumns } from '../datasets/index.ts';
import type { WiredJobs } from '../jobs/index.ts';
import { createAddColumnLabels, type AfterWrite } from '../records/index.ts';
import { createBlockLedger } from './block-ledger.repository.ts';
import { defaultIngestLimits, type IngestLimits } from './ingest-limits.ts';
import { createStoreInnerDocuments } from './inner-document.repository.ts';
import { createIngestJob } from './ingest-job.ts';
import { createShowErrors } from './show-errors.ts';
import { createIngestRepository } from './ingest.repository.ts';
import { createIngestRoutes } from './ingest.routes.ts';
import { createIngestService, type IngestService } from './ingest.service.ts';
import { createLoadFile } from './load-file.ts';
import type { ObjectDrops } from './object-drops.ts';
import type { PageImages } from './pages/page-images.ts';
import { wirePages } from './pages/wire-pages.ts';
import { createPreviewService } from './preview.service.ts';
import { createPreviewShares } from './preview-shares.ts';
import { createReceiptRepository } from './receipt.repository.ts';
import { createReceiptService } from './receipt.service.ts';
import { createReplaceVisible } from './replace-visible.ts';
import { createReplacementRepository } from './replacement.repository.ts';
import { createRecordSourceService } from './record-source.service.ts';
import { createRejectsRepository } from './rejects.repository.ts';
import { createReplayRepository } from './replay.repository.ts';
import { createReportConfinement } from './report-confinement.ts';
import { createReplayService } from './replay.service.ts';
import { createSeesRestrictedRejects } from './restricted-rejects.ts';
import { createSourcePreviewService } from './source-preview.service.ts';
import { createCopySegment } from './sources/copy-segment.ts';
import { createFindEarlierVersions } from './sources/earlier-versions.ts';
import { createListSegments } from './sources/list-segments.ts';
import { createNewFiles } from './sources/new-files.ts';
import { createReadRowsRepository } from './sources/read-rows.repository.ts';
import { createOpenSource, type StoredConnections } from './sources/sources.ts';
import type { WiredSources } from './sources/wire-sources.ts';
import { createUploadFileRepository } from './upload-file.repository.ts';
import { createUploadListService } from './upload-list.service.ts';
import type { UploadFiles } from './upload-files.ts';
import { wireTurns } from './wire-turns.ts';
import { createFindVisibleFiles } from './visible-files.ts';
import { createUploadService } from './upload.service.ts';

/** Starts ingest jobs for other features. */
export type IngestStarter = Pick<IngestService, 'check' | 'start'>;

export { refuseOtherRestrictions, type Sources, type StoredConnections } from './sources/sources.ts';
export { joinConnection, type StoredKind } from './sources/stored-kind.ts';
export { wireSources } from './sources/wire-sources.ts';
export type { OwnStore } from './sources/s3/own-store.ts';
export { hasStoredRows } from './stored-rows.repository.ts';
export { documentFields } from './document-rows.ts';
export { labelFieldsOf } from './ingest-options.ts';
export { satisfiesMinimum } from './satisfies-minimum.ts';
export type { PageImages, PageRequester } from './pages/page-images.ts';
export type { UploadFiles } from './upload-files.ts';
export { wireObjectDrops, wireUploadFiles } from './wire-upload-files.ts';
export { createBlockLedger } from './block-ledger.repository.ts';
export type { IngestLimits } from './ingest-limits.ts';

const requireConfig = createValidator(
  strictObject({ ...ingestOptionProperties, dataSourceParams: DataSourceParams }),
  'config',
);

/** Wires uploads, files that the server fetches, and the jobs that store their rows. */
export const wireIngest = ({
  db,
  store,
  files,
  runtime,
  logger,
  secrets,
  access,
  held,
  audit,
  jobs,
  auditedColumns,
  afterWrite,
  sources: wiredSources,
  connections,
  limits = {},
  avoidsTesseract = false,
  ocrLanguages = ['eng'],
  drops,
  reauthenticate,
  uploads,
}: {
  uploads: UploadFiles;
  db: Db;
  store: RecordStore;
  files: ObjectStore;
  runtime: Runtime;
  logger: Logger;
  secrets: SecretBox;
  access: DatasetAccess;
  held: HeldAttributes;
  audit: Audit;
  jobs: WiredJobs;
  auditedColumns: AuditedChange<DatasetColumns>;
  afterWrite: AfterWrite;
  sources: WiredSources;
  connections: StoredConnections;
  limits?: Partial<IngestLimits> | undefined;
  /** Whether text is recognised by Tesseract in WebAssembly even if the program is installed; for tests. */
  avoidsTesseract?: boolean | undefined;
  /** The languages of the text in images, where a request names none. */
  ocrLanguages?: readonly string[] | undefined;
  drops: ObjectDrops;
  reauthenticate: ReauthenticateActor;
}): {
  bindings: RouteBinding[];
  starter: IngestStarter;
  /** Call it once at start, before the server accepts requests. */
  recover(): Promise<void>;
  /** Logs how the processes that parse files are confined on this system. */
  reportConfinement(): Promise<void>;
  pages: PageImages;
} => {
  const { maxUploadBytes, maxAttributes, blockRows, rejectDays } = {
    ...defaultIngestLimits,
    ...limits,
  };
  const { clock, ids, random } = runtime;
  const repository = createIngestRepository(db);
  const receipts = createReceiptRepository(db);
  const rejects = createRejectsRepository(db);
  const replacements = createReplacementRepository(db);
  const removeOldRejects = (): Promise<void> =>
    rejects.removeBefore(new Date(clock.now().getTime() - rejectDays * 24 * 60 * 60 * 1000));
  const { sources, connectors, parserHost, confinement } = wiredSources;
  const { engineName, findLanguageProblem, languages, pages, parts, recognize, requireInstalled } = wirePages(
    {
      db,
      drops,
      files,
      ids,
      parserHost,
      avoidsTesseract,
      ocrLanguages,
    },
  );
  const ledger = createBlockLedger(db);
  const { requireUse } = connections;
  const writing = { access, afterWrite, audit, held, requireUse, store };
  const loadFile = createLoadFile({
    ...writing,
    ledger,
    clock,
    random,
    maxAttributes,
    blockRows,
  });
  const openSource = createOpenSource(sources, connections.openFor);
  const newFiles = createNewFiles({ secrets, ids, sources });
  const findVersions = createFindEarlierVersions({
    files: repository,
    hasStarted: jobs.hasStarted,
    replacements,
    secrets,
  });
  const addColumnLabels = createAddColumnLabels({ auditedColumns, held, store, afterWrite });
  const ingest = createIngestService({
    access,
    addColumnLabels,
    secrets,
    openSource,
    connections,
    findVersions,
    newFiles,
    startJob: jobs.startJob,
    ended: jobs.ended,
    requireInstalled,
    clock,
    ids,
  });
  const { findReached, turnRepository, turns } = wireTurns({
    db,
    files,
    newFiles,
    openSource,
    secrets,
    store,
  });
  const copying = { files, repository, drops, secrets, openSource, requireUse };
  jobs.offer(
    createIngestJob({
      held,
      showErrors: createShowErrors(requireUse),
      repository,
      receipts,
      files,
      store,
      loadFile,
      copySegment: createCopySegment({
        ...copying,
        turns: turnRepository,
        readRows: createReadRowsRepository(db),
        ids,
        maxUploadBytes,
      }),
      listSegments: createListSegments({
        findReached,
        findVersions,
        newFiles,
        repository,
        secrets,
        openSource,
        turnRepository,
      }),
      parserHost,
      recognize,
      parts,
      storeInnerDocuments: createStoreInnerDocuments(db),
      turns,
      ended: async (datasetId) => {
        await removeOldRejects();
        // A job that replaces records may have replaced the last records of other files.
        await uploads.tidy(datasetId);
        await drops.expire();
      },
      replaceVisible: createReplaceVisible({ ...writing, files: repository, receipts, replacements }),
    }),
    (actor, datasetId, config) => {
      requireConfig(config);
      return ingest.start(actor, { ...(config as Omit<IngestRequest, 'datasetId'>), datasetId }, true);
    },
  );
  const previewShares = createPreviewShares();
  const seesRestricted = createSeesRestrictedRejects(held);
  const findVisible = createFindVisibleFiles({ access, held, store });
  const { startJob, hasStarted } = jobs;
  return {
    starter: ingest,
    bindings: createIngestRoutes(
      createUploadService({
        access,
        addColumnLabels,
        files,
        drops,
        startJob: jobs.startJob,
        maxUploadBytes,
        reauthenticate,
        requireInstalled,
        clock,
        ids,
      }),
      ingest,
      createReceiptService({
        findVisible,
        hasStarted: jobs.hasStarted,
        repository,
        receipts,
        rejects,
        replacements,
        seesRestricted,
        held,
      }),
      createRecordSourceService({ access, held, hasStarted, repository, store }),
      createUploadListService({ access, findVisible, repository: createUploadFileRepository(db), startJob }),
      createReplayService({
        ...copying,
        access,
        clock,
        hasStarted,
        ids,
        ingest: repository,
        repository: createReplayRepository(db),
        replacements,
        seesRestricted,
        startJob,
      }),
      createPreviewService({ parserHost, shares: previewShares }),
      createSourcePreviewService({
        access,
        connections,
        held,
        openSource,
        parserHost,
        shares: previewShares,
      }),
      async () => ({ connectors, ...(await languages()) }),
      jobs.requireWaitingPlace,
    ),
    pages,
    recover: async () => {
      await drops.recover();
      await removeOldRejects();
    },
    reportConfinement: createReportConfinement({ confinement, engineName, findLanguageProblem, logger }),
  };
};
