import { DataSourceParams, type IngestRequest, type Job } from '@redoubt/contract';
import { badField, conflict } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { createValidator } from '../../platform/http/validation.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob, WiredJobs } from '../jobs/index.ts';
import { readAddedColumnLabels, type AddColumnLabels } from '../records/index.ts';
import {
  parseCustomMetadata,
  requireDocument,
  refuseDocuments,
  toDocumentOptions,
  toIngestOptions,
  type IngestOptions,
} from './ingest-options.ts';
import type { RequireInstalled } from './ocr/ocr-languages.ts';
import { groupId } from './sources/group-id.ts';
import type { FindEarlierVersions } from './sources/earlier-versions.ts';
import type { NewFiles } from './sources/new-files.ts';
import { sealConnection } from './sources/sealed-source.ts';
import { requireFirstAfter } from './sources/continued-job.repository.ts';
import { continueFrom, requireWhole } from './sources/continue-source.ts';
import { readingOf } from './sources/reading-of.ts';
import type { Source } from './sources/source.ts';
import type { OpenSource, StoredConnections } from './sources/sources.ts';
import { startIngestJob } from './start-ingest-job.ts';
import { claimGroup } from './turn.repository.ts';

export interface IngestService {
  /** Starts a job that reads a source and stores its rows; without `isAsync` it waits a few seconds for its end. */
  start(actor: Member, body: IngestRequest, isAsync: boolean, options?: StartOptions): Promise<Job>;
  /**
   * Checks a request as `start` does, without reading the source.
   * @returns the source as the starter sees it in the config of the job
   */
  check(actor: Member, body: IngestRequest): Promise<Record<string, unknown>>;
}

interface StartOptions {
  /** Stores more in the transaction that creates the job; an error stores nothing. */
  beside?: (trx: Db, jobId: string) => Promise<void>;
  /** The earlier job from which it continues, if the source can. */
  earlierJob?: string | undefined;
}

export interface IngestServiceDeps extends Pick<Runtime, 'clock' | 'ids'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  addColumnLabels: AddColumnLabels;
  secrets: Pick<SecretBox, 'seal'>;
  openSource: OpenSource;
  connections: Pick<StoredConnections, 'logUse' | 'requireUse'>;
  findVersions: FindEarlierVersions;
  newFiles: NewFiles;
  startJob: StartJob;
  ended: WiredJobs['ended'];
  requireInstalled: RequireInstalled;
}

const requireParams = createValidator(DataSourceParams, 'dataSourceParams');

/** @throws RedoubtError 400 for rows that would keep the label of the record that they replace */
const refuseKeptLabels = ({ securityLabelInfo, write }: IngestOptions): void => {
  if (write?.mode !== 'upsert' || securityLabelInfo !== null) return;
  throw badField(
    'securityLabeled',
    'must be true for writeMode upsert through this connection, because replaced records keep their labels otherwise, and the connection has a minimum label. Send securityLabeled: true with securityLabelInfo.',
  );
};

/** @throws RedoubtError 400 for a replace by records that are never read as a whole */
const refuseReplace = ({ turns }: Pick<Source, 'turns'>, { write }: IngestOptions): void => {
  if (turns === undefined || write?.mode !== 'replace') return;
  throw badField(
    'writeMode',
    'must not be "replace" for messages of a topic, which are never read as a whole. Send append or upsert.',
  );
};

/** @throws RedoubtError 400 for a source that is read until somebody stops it */
const refuseEndless = ({ turns }: Pick<Source, 'turns'>): void => {
  if (turns?.isEndless !== true) return;
  throw badField(
    'dataSourceParams.connectionInfo.until',
    'must be "end" in a schedule, because a job without an end runs until it is stopped. Send "end", or start the job once without a schedule.',
  );
};

/** Gives a group of jobs to a new one. @throws RedoubtError 409 while another job of the group runs */
const claimGroupOf = async (
  trx: Db,
  actor: Member,
  { jobId, datasetId }: { jobId: string; datasetId: string },
  type: string,
  group: string | undefined,
): Promise<void> => {
  if (group === undefined) return;
  const names = { workspaceUid: actor.workspace.uniqueId, accountId: actor.accountId, datasetId };
  const open = await claimGroup(trx, actor, { id: groupId(names, type, group), datasetId, jobId });
  if (open === undefined) return;
  const reader = open.isOwn
    ? `your job ${open.id}`
    : 'a job of the same person, which this key did not start,';
  throw conflict(
    `dataSourceParams.connectionInfo.groupId must not be the group of a job that has not ended, got "${group}": ${reader} reads it. Cancel that job, or send another groupId.`,
  );
};

export const createIngestService = ({
  access,
  addColumnLabels,
  secrets,
  openSource,
  connections: { logUse, requireUse },
  findVersions,
  newFiles,
  startJob,
  ended,
  requireInstalled,
  clock,
  ids,
}: IngestServiceDeps): IngestService => {
  /** Checks the rights of the actor and the whole request. */
  const open = async (
    actor: Member,
    {
      workspaceId,
      datasetId,
      dataSourceParams,
      columnSecurityLabelInfo,
      processAsDocument,
      ocrLanguages,
      customMetadata: sentMetadata,
      ...sent
    }: IngestRequest,
    earlierJob?: string,
  ) => {
    if (workspaceId !== undefined && workspaceId !== null) requireOwnWorkspace(actor, workspaceId);
    const accessible = await access.requireCall(actor, datasetId, 'startIngest');
    const { permissions } = accessible;
    const requested = toIngestOptions(sent);
    if (requested.write !== undefined) await access.requireCall(actor, datasetId, 'deleteRecords');
    const added = readAddedColumnLabels(columnSecurityLabelInfo, permissions.manage);
    requireParams(dataSourceParams);
    const { type, connectionId, connectionInfo = {} } = dataSourceParams;
    const asSent = { type, connectionId, connectionInfo };
    const first = await openSource(actor, asSent);
    const isDocument = processAsDocument === true || first.source.asDocuments === true;
    if (isDocument) refuseDocuments(first.source);
    requireDocument('ocrLanguages', ocrLanguages, isDocument);
    requireDocument('customMetadata', sentMetadata, isDocument);
    await requireInstalled(ocrLanguages ?? undefined);
    const asked = isDocument ? toDocumentOptions(requested) : requested;
    const connection = continueFrom(asSent, first.source, asked.write, earlierJob);
    const { source, minimumLabel } = connection === asSent ? first : await openSource(actor, connection);
    if (minimumLabel !== null) refuseKeptLabels(asked);
    refuseReplace(source, asked);
    const options: IngestOptions = {
      ...asked,
      reading: readingOf(asked, source),
      ...(ocrLanguages === undefined || ocrLanguages === null ? {} : { ocrLanguages }),
      ...(connectionId === undefined ? {} : { connectionId }),
      ...(minimumLabel === null ? {} : { minimumLabel }),
    };
    await requireUse(actor, options);
    return {
      accessible,
      added,
      connection,
      source,
      options,
      customMetadata: parseCustomMetadata(sentMetadata ?? undefined, isDocument),
      shown: {
        source: type,
        ...(connectionId === undefined ? {} : { connectionId }),
        ...source.shown,
      },
    };
  };

  return {
    check: async (actor, body) => {
      const { source, options, shown } = await open(actor, body);
      requireWhole(source, options, new Map());
      refuseEndless(source);
      return shown;
    },
    start: async (actor, body, isAsync, { beside, earlierJob } = {}) => {
      const { accessible, added, connection, source, options, customMetadata, shown } = await open(
        actor,
        body,
        earlierJob,
      );
      const { dataset } = accessible;
      const versions = await findVersions(actor, dataset.id, source, options);
      requireWhole(source, options, versions);
      const id = ids.uuid();
      const upload = {
        id,
        datasetId: dataset.id,
        jobId: ids.uuid(),
        options,
        customMetadata,
        createdAt: clock.now(),
        files: newFiles(connection, source.segments ?? [], versions),
        sealedSource: source.segments === undefined ? sealConnection(secrets, id, connection) : undefined,
        continuedJob:
          source.continues === 'rows' && options.write === undefined ? source.changedSinceJob : undefined,
      };
      // Label the columns before records are stored, so that no reader sees them without their labels.
      await addColumnLabels(actor, accessible, added);
      if (connection.connectionId !== undefined)
        await logUse(actor, connection.connectionId, { datasetId: dataset.id, jobId: upload.jobId });
      const { turns } = source;
      const job = await startIngestJob(
        startJob,
        actor,
        upload,
        shown,
        async (trx) => {
          const { jobId, continuedJob } = upload;
          if (continuedJob !== undefined) await requireFirstAfter(trx, actor, { jobId, continuedJob });
          await claimGroupOf(trx, actor, upload, connection.type, turns?.group);
          await beside?.(trx, upload.jobId);
        },
        turns?.isEndless,
      );
      return isAsync || turns?.isEndless === true ? job : ended(actor, job.id);
    },
  };
};
