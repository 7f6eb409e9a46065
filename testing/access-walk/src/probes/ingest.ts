import type { ingestRoutes, recordSourceRoutes, uploadPreviewRoutes, uploadRoutes } from '@redoubt/contract';
import { multipartBody } from '@redoubt/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { as, done, uploadRequest, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

/** An upload of the starter that has ended: one row that all readers see, one that is rejected. */
const endedUpload = async ({ starter, dataset }: AccessFixture, send: Send): Promise<string> => {
  const files = { 'rows.csv': 'n,label\n1,\n2,A&\n' };
  const { jobId } = await done<{ jobId: string }>(send, uploadRequest(starter, dataset, files));
  for (;;) {
    const { endedAt } = await done<{ endedAt: string | null }>(send, as(starter).get(`/jobs/${jobId}`));
    if (endedAt !== null) return jobId;
    await delay(20);
  }
};

const byStarter = ({ starter }: AccessFixture) => ({ self: { ...starter, name: 'self' } });

const rejectedRow = async (house: AccessFixture, send: Send): Promise<string> => {
  const path = `/rejected-rows?datasetId=${house.dataset}&jobId=${await endedUpload(house, send)}`;
  const { data } = await done<{ data: { id: string }[] }>(send, as(house.starter).get(path));
  return data[0]?.id ?? '';
};

const ofUpload: Probe = {
  make: async (house, send) => ({
    ask: { params: { id: await endedUpload(house, send) } },
    instead: byStarter(house),
  }),
};

export const uploadProbes: Record<keyof typeof uploadRoutes, Probe> = {
  createUpload: standing(({ dataset }) => ({
    ask: multipartBody([
      { name: 'datasetId', content: dataset },
      { name: 'files', fileName: 'one.csv', content: 'n\n1\n' },
    ]),
  })),
  getJobReceipt: ofUpload,
  listRejectedRows: {
    make: async (house, send) => ({
      ask: { search: `?datasetId=${house.dataset}&$limit=-1` },
      listed: await rejectedRow(house, send),
      instead: byStarter(house),
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
      return { ask: { params: { datasetId: dataset, recordId } } };
    },
  },
};

export const uploadPreviewProbes: Record<keyof typeof uploadPreviewRoutes, Probe> = {
  previewUpload: standing(() => ({
    ask: multipartBody([{ name: 'files', fileName: 'one.csv', content: 'n\n1\n' }]),
  })),
};

export const ingestProbes: Record<keyof typeof ingestRoutes, Probe> = {
  startIngest: standing(({ dataset }) => ({
    ask: {
      search: '?isAsync=true',
      body: {
        datasetId: dataset,
        dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/a.csv' }] } },
      },
    },
  })),
};
