import type {
  ingestRoutes,
  mediaRoutes,
  recordSourceRoutes,
  sourcePreviewRoutes,
  uploadFileRoutes,
  uploadPreviewRoutes,
  uploadRoutes,
} from '@redoubt/contract';
import { multipartBody, onePagePdf } from '@redoubt/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { as, done, uploadRequest, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

interface EndedUpload {
  jobId: string;
  uploadId: string;
}

const jobEnd = async (starter: AccessFixture['starter'], jobId: string, send: Send): Promise<void> => {
  for (;;) {
    const { endedAt } = await done<{ endedAt: string | null }>(send, as(starter).get(`/jobs/${jobId}`));
    if (endedAt !== null) return;
    await delay(20);
  }
};

/** A completed upload of the starter, with one row that all readers see and a rejected one. */
const endedUpload = async ({ starter, dataset }: AccessFixture, send: Send): Promise<EndedUpload> => {
  const files = { 'rows.csv': 'n,label\n1,\n2,A&\n' };
  const upload = await done<EndedUpload>(send, uploadRequest(starter, dataset, files));
  await jobEnd(starter, upload.jobId, send);
  return upload;
};

const byStarter = ({ starter }: AccessFixture) => ({ self: { ...starter, name: 'self' } });

const rejectedRow = async (fixture: AccessFixture, send: Send): Promise<{ id: string; jobId: string }> => {
  const { jobId } = await endedUpload(fixture, send);
  const path = `/rejected-rows?datasetId=${fixture.dataset}&jobId=${jobId}`;
  const { data } = await done<{ data: { id: string }[] }>(send, as(fixture.starter).get(path));
  return { id: data[0]?.id ?? '', jobId };
};

const ofUpload: Probe = {
  make: async (fixture, send) => ({
    request: { params: { id: (await endedUpload(fixture, send)).jobId } },
    instead: byStarter(fixture),
  }),
};

export const uploadProbes: Record<keyof typeof uploadRoutes, Probe> = {
  createUpload: standing(({ dataset }) => ({
    request: multipartBody([
      { name: 'datasetId', content: dataset },
      { name: 'files', fileName: 'one.csv', content: 'n\n1\n' },
    ]),
  })),
  getJobReceipt: ofUpload,
  listRejectedRows: {
    make: async (fixture, send) => ({
      request: { search: `?datasetId=${fixture.dataset}&$limit=-1` },
      listed: (await rejectedRow(fixture, send)).id,
      instead: byStarter(fixture),
    }),
  },
};

export const recordSourceProbes: Record<keyof typeof recordSourceRoutes, Probe> = {
  getRecordSource: {
    make: async ({ dataset, owner }, send) => {
      const body = { datasetId: dataset, includeInternalRecordId: true };
      const { records } = await done<{ records: { _koverse_record_id: string }[] }>(
        send,
        as(owner).post('/readInSequence', body),
      );
      const recordId = records[0]?.['_koverse_record_id'] ?? '';
      return { request: { params: { datasetId: dataset, recordId } } };
    },
  },
};

/** The address of a document that the owner uploaded, without the address of the server. */
const mediaToken = async (fixture: AccessFixture, send: Send): Promise<string> => {
  const documentId = await uploadedDocument(fixture, send);
  const path = `/serve-media/${fixture.dataset}?documentId=${documentId}`;
  const { url } = await done<{ url: string }>(send, as(fixture.owner).get(path));
  return url.slice(url.lastIndexOf('/') + 1);
};

/** A document that all readers see. Returns its id. */
const uploadedDocument = async (
  { starter, dataset }: AccessFixture,
  send: Send,
  document: Readonly<Record<string, string>> = { 'notice.md': '# Runway' },
): Promise<string> => {
  const parts = { processAsDocument: 'true' };
  const request = uploadRequest(starter, dataset, document, null, parts);
  const { jobId, files } = await done<{ jobId: string; files: { id: string }[] }>(send, request);
  await jobEnd(starter, jobId, send);
  return files[0]?.id ?? '';
};

export const mediaProbes: Record<keyof typeof mediaRoutes, Probe> = {
  serveMedia: {
    make: async (fixture, send) => ({
      request: {
        params: { datasetId: fixture.dataset },
        search: `?documentId=${await uploadedDocument(fixture, send)}`,
      },
    }),
  },
  getDocumentPage: {
    make: async (fixture, send) => ({
      request: {
        params: { datasetId: fixture.dataset },
        search: `?documentId=${await uploadedDocument(fixture, send, { 'notice.pdf': onePagePdf })}&page=1`,
      },
    }),
  },
  getMediaFile: {
    make: async (fixture, send) => ({ request: { params: { token: await mediaToken(fixture, send) } } }),
  },
};

export const uploadFileProbes: Record<keyof typeof uploadFileRoutes, Probe> = {
  listUploads: {
    make: async (fixture, send) => ({
      request: { search: `?datasetId=${fixture.dataset}&$limit=-1` },
      listed: (await endedUpload(fixture, send)).uploadId,
      instead: byStarter(fixture),
    }),
  },
  deleteUpload: {
    make: async (fixture, send) => ({
      request: { params: { id: (await endedUpload(fixture, send)).uploadId } },
      instead: byStarter(fixture),
    }),
  },
  replayRejectedRows: {
    make: async (fixture, send) => {
      const { id, jobId } = await rejectedRow(fixture, send);
      return {
        request: { params: { id: jobId }, body: { rows: [{ id, text: '{"n":2,"label":"A"}' }] } },
        instead: byStarter(fixture),
      };
    },
  },
};

export const uploadPreviewProbes: Record<keyof typeof uploadPreviewRoutes, Probe> = {
  previewUpload: standing(() => ({
    request: multipartBody([{ name: 'files', fileName: 'one.csv', content: 'n\n1\n' }]),
  })),
};

export const sourcePreviewProbes: Record<keyof typeof sourcePreviewRoutes, Probe> = {
  previewIngest: {
    // Nothing listens at this address.
    letThrough: [400],
    ...standing(({ dataset }) => ({
      request: {
        body: {
          datasetId: dataset,
          dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/a.csv' }] } },
        },
      },
    })),
  },
};

export const ingestProbes: Record<keyof typeof ingestRoutes, Probe> = {
  getIngestOptions: standing(() => ({ request: {} })),
  startIngest: standing(({ dataset }) => ({
    request: {
      search: '?isAsync=true',
      body: {
        datasetId: dataset,
        dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/a.csv' }] } },
      },
    },
  })),
};
