import {
  DataSourceParams,
  IdParam,
  maxIngestFiles,
  strictObject,
  UrlSource,
  type IngestRequest,
  type Job,
} from '@redoubt/contract';
import { badField, notFound, notImplemented } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { createValidator } from '../../platform/http/validation.ts';
import { findOutboundUrlError } from '../../platform/outbound/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob, WiredJobs } from '../jobs/index.ts';
import { readAddedColumnLabels, type AddColumnLabels } from '../records/index.ts';
import { findKnownVersion, sealSource } from './fetch-source.ts';
import { toIngestOptions, type IngestOptions } from './ingest-options.ts';
import type { IngestFile, IngestRepository } from './ingest.repository.ts';
import type { ReplacementRepository } from './replacement.repository.ts';
import { startIngestJob } from './start-ingest-job.ts';

export interface IngestService {
  /** Starts a job that fetches files and stores their rows; without `isAsync` it waits a few seconds for its end. */
  start(actor: Member, body: IngestRequest, isAsync: boolean): Promise<Job>;
}

export interface IngestServiceDeps extends Pick<Runtime, 'clock' | 'ids'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  addColumnLabels: AddColumnLabels;
  secrets: Pick<SecretBox, 'open' | 'seal'>;
  hasStarted: WiredJobs['hasStarted'];
  files: Pick<IngestRepository, 'datasetOfJob' | 'filesOf' | 'uploadOf'>;
  replacements: Pick<ReplacementRepository, 'of'>;
  startJob: StartJob;
  ended: WiredJobs['ended'];
  allowsPrivate: boolean;
}

const UrlConnection = strictObject({
  urls: Type.Array(UrlSource, { minItems: 1, maxItems: maxIngestFiles }),
  processWithOcr: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  changedSinceJob: Type.Optional(IdParam),
});
type UrlConnection = Static<typeof UrlConnection>;

const requireParams = createValidator(DataSourceParams, 'dataSourceParams');
const requireConnection = createValidator(UrlConnection, 'dataSourceParams.connectionInfo');

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;
/** Headers that the transfer itself needs. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'proxy-authorization',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const field = (index: number, name: string): string =>
  `dataSourceParams.connectionInfo.urls.${String(index)}.${name}`;

const requireHeaders = (headers: Readonly<Record<string, string>>, index: number): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || !headerValue.test(value)) {
      throw badField(
        field(index, 'headers'),
        `must be valid HTTP headers, got ${JSON.stringify(name.slice(0, 80))}. Correct its name or its value.`,
      );
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw badField(
        field(index, 'headers'),
        `must not contain ${name}, which the server sets. Leave it out.`,
      );
    }
  }
};

/** The last part of the path, which people recognise. The query string may contain secrets. */
const nameOf = (url: URL): string => {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last).replaceAll('\0', '').slice(0, 255) || url.hostname;
  } catch {
    return last.slice(0, 255);
  }
};

const readConnection = (
  { type, connectionInfo, connectionId }: DataSourceParams,
  allowsPrivate: boolean,
): UrlConnection => {
  if (type !== 'URL') {
    throw notImplemented(
      `dataSourceParams.type must be "URL", got "${type}", which is not supported yet. Send "URL".`,
    );
  }
  if (connectionId !== undefined) {
    throw notImplemented(
      'dataSourceParams.connectionId must not be sent, because stored connections are not supported yet. Send connectionInfo.',
    );
  }
  requireConnection(connectionInfo ?? {});
  const connection = connectionInfo as UrlConnection;
  const { urls, processWithOcr } = connection;
  if (processWithOcr === true) {
    throw notImplemented(
      'dataSourceParams.connectionInfo.processWithOcr must be false, got true: documents are not supported yet. Send false.',
    );
  }
  for (const [index, { url, headers }] of urls.entries()) {
    const problem = findOutboundUrlError(url, allowsPrivate, true);
    if (problem !== undefined) throw badField(field(index, 'url'), `${problem}. Send another address.`);
    requireHeaders(headers ?? {}, index);
  }
  return connection;
};

export const createIngestService = ({
  access,
  addColumnLabels,
  secrets,
  hasStarted,
  files,
  replacements,
  startJob,
  ended,
  allowsPrivate,
  clock,
  ids,
}: IngestServiceDeps): IngestService => {
  /** The files of an earlier job of the actor. Jobs of other people count as absent. */
  const findEarlier = async (
    actor: Member,
    datasetId: string,
    jobId: string | undefined,
    { write }: IngestOptions,
    count: number,
  ): Promise<IngestFile[]> => {
    if (jobId === undefined) return [];
    const found = await files.datasetOfJob(actor.workspace.uniqueId, jobId);
    // A removed upload counts as absent, whether or not hidden records of it are left.
    const isOwn = found?.datasetId === datasetId && !found.isRemoved && (await hasStarted(actor, jobId));
    if (!isOwn) throw notFound('ingest job of yours for this dataset', jobId);
    if (write?.mode === 'replace' && count > 1) {
      throw badField(
        'dataSourceParams.connectionInfo.changedSinceJob',
        'must not be sent when several files replace the records, because a replace needs all of them. Send one address, or leave it out.',
      );
    }
    const all = await files.filesOf(jobId);
    const isReplace = (await files.uploadOf(jobId))?.options.write?.mode === 'replace';
    const isStored = !isReplace || (await replacements.of(jobId))?.state === 'done';
    // A replace that did not finish stored nothing, but files that it found unchanged are still unchanged.
    return isStored ? all : all.filter(({ isUnchanged }) => isUnchanged);
  };

  return {
    start: async (
      actor,
      { workspaceId, datasetId, dataSourceParams, columnSecurityLabelInfo, ...sent },
      isAsync,
    ) => {
      if (workspaceId !== undefined && workspaceId !== null) requireOwnWorkspace(actor, workspaceId);
      const { dataset, permissions } = await access.requireCall(actor, datasetId, 'startIngest');
      const options = toIngestOptions(sent);
      if (options.write !== undefined) await access.requireCall(actor, datasetId, 'deleteRecords');
      const added = readAddedColumnLabels(columnSecurityLabelInfo, permissions.manage);
      requireParams(dataSourceParams);
      const { urls, changedSinceJob } = readConnection(dataSourceParams, allowsPrivate);
      const earlier = await findEarlier(actor, dataset.id, changedSinceJob, options, urls.length);
      const jobId = ids.uuid();
      const upload = {
        id: ids.uuid(),
        datasetId: dataset.id,
        jobId,
        options,
        customMetadata: undefined,
        createdAt: clock.now(),
        files: urls.map(({ url, headers }, index) => {
          const id = ids.uuid();
          const source = { url, headers: headers ?? {} };
          const known = findKnownVersion(secrets, earlier, source);
          const sealedSource = sealSource(secrets, id, {
            ...source,
            ...(known === undefined ? {} : { known }),
          });
          // The name is a part of the address, which may be a secret.
          const readerName = `file ${String(index + 1)}`;
          return { id, segmentId: ids.uuid(), name: nameOf(new URL(url)), readerName, sealedSource };
        }),
      };
      // Label the columns before records are stored, so that no reader sees them without their labels.
      await addColumnLabels(actor, dataset, added);
      const job = await startIngestJob(startJob, actor, upload, {
        source: 'URL',
        hosts: urls.map(({ url }) => new URL(url).host),
      });
      return isAsync ? job : ended(actor, job.id);
    },
  };
};
