import type {
  ingestRoutes,
  recordSourceRoutes,
  uploadFileRoutes,
  uploadPreviewRoutes,
  uploadRoutes,
} from '@redoubt/contract';
import { multipartBody } from '@redoubt/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { as, done, uploadRequest, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

interface EndedUpload {
  jobId: string;
  uploadId: string;
}

/** A completed upload of the starter, with one row that all readers see and a rejected one. */
const endedUpload = async ({ starter, dataset }: AccessFixture, send: Send): Promise<EndedUpload> => {
  const files = { 'rows.csv': 'n,label\n1,\n2,A&\n' };
  const upload = await done<EndedUpload>(send, uploadRequest(starter, dataset, files));
  for (;;) {
    const { endedAt } = await done<{ endedAt: string | null }>(
      send,
      as(starter).get(`/jobs/${upload.jobId}`),
    );
    if (endedAt !== null) return upload;
    await delay(20);
  }
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

export const ingestProbes: Record<keyof typeof ingestRoutes, Probe> = {
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
