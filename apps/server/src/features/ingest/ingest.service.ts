import {
  DataSourceParams,
  maxIngestFiles,
  strictObject,
  UrlSource,
  type IngestRequest,
  type Job,
} from '@redoubt/contract';
import { badField, notImplemented } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import type { Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { createValidator } from '../../platform/http/validation.ts';
import { findOutboundUrlError } from '../../platform/outbound/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import type { StartJob, WiredJobs } from '../jobs/index.ts';
import { sealSource } from './fetch-source.ts';
import { toIngestOptions } from './ingest-options.ts';
import { startIngestJob } from './start-ingest-job.ts';

export interface IngestService {
  /** Starts a job that fetches files and stores their rows; without `isAsync` it waits a few seconds for its end. */
  start(actor: Member, body: IngestRequest, isAsync: boolean): Promise<Job>;
}

export interface IngestServiceDeps extends Pick<Runtime, 'clock' | 'ids'> {
  access: Pick<DatasetAccess, 'requireCall'>;
  secrets: Pick<SecretBox, 'seal'>;
  startJob: StartJob;
  ended: WiredJobs['ended'];
  allowsPrivate: boolean;
}

const UrlConnection = strictObject({
  urls: Type.Array(UrlSource, { minItems: 1, maxItems: maxIngestFiles }),
  processWithOcr: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
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
  'if-range',
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
        `${JSON.stringify(name.slice(0, 80))} is no valid header of HTTP.`,
      );
    }
    if (ownHeaders.has(name.toLowerCase())) {
      throw badField(field(index, 'headers'), `the header ${name} is set by the server. Leave it out.`);
    }
  }
};

/** The last part of the path, by which people know the file; the query string may hold secrets. */
const nameOf = (url: URL): string => {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last).replaceAll('\0', '').slice(0, 255) || url.hostname;
  } catch {
    return last.slice(0, 255);
  }
};

const readUrls = (
  { type, connectionInfo, connectionId }: DataSourceParams,
  allowsPrivate: boolean,
): UrlSource[] => {
  if (type !== 'URL') {
    throw notImplemented(
      `dataSourceParams.type: sources of the type "${type}" are not supported yet. Send "URL".`,
    );
  }
  if (connectionId !== undefined) {
    throw notImplemented(
      'dataSourceParams.connectionId: stored connections are not supported yet. Send connectionInfo.',
    );
  }
  requireConnection(connectionInfo ?? {});
  const { urls, processWithOcr } = connectionInfo as UrlConnection;
  if (processWithOcr === true) {
    throw notImplemented(
      'dataSourceParams.connectionInfo.processWithOcr: documents are not supported yet. Send false.',
    );
  }
  for (const [index, { url, headers }] of urls.entries()) {
    const fault = findOutboundUrlError(url, allowsPrivate, true);
    if (fault !== undefined) throw badField(field(index, 'url'), `the address ${fault}.`);
    requireHeaders(headers ?? {}, index);
  }
  return urls;
};

export const createIngestService = ({
  access,
  secrets,
  startJob,
  ended,
  allowsPrivate,
  clock,
  ids,
}: IngestServiceDeps): IngestService => ({
  start: async (actor, { workspaceId, datasetId, dataSourceParams, ...sent }, isAsync) => {
    if (workspaceId !== undefined && workspaceId !== null) requireOwnWorkspace(actor, workspaceId);
    const { dataset } = await access.requireCall(actor, datasetId, 'startIngest');
    const options = toIngestOptions(sent);
    requireParams(dataSourceParams);
    const urls = readUrls(dataSourceParams, allowsPrivate);
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
        const sealedSource = sealSource(secrets, id, { url, headers: headers ?? {} });
        return {
          id,
          segmentId: ids.uuid(),
          name: nameOf(new URL(url)),
          readerName: `file ${String(index + 1)}`,
          sealedSource,
        };
      }),
    };
    const job = await startIngestJob(startJob, actor, upload, {
      source: 'URL',
      hosts: urls.map(({ url }) => new URL(url).host),
    });
    return isAsync ? job : ended(actor, job.id);
  },
});
