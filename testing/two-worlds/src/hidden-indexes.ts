import type { Job } from '@redoubt/contract';
import type { VisibleWorld } from './visible-world.ts';
import { as, done, type Send } from '@redoubt/testkit/requests';

/** Creates indexes over fields that only hidden notes have, with the jobs that fill them. Returns one job. */
export const hideIndexes = async (send: Send, { people: { insider }, datasets }: VisibleWorld) => {
  const datasetId = datasets.notes;
  const { id } = await done(send, as(insider).post('/indexes', { datasetId, fields: ['long'] }));
  await done(send, as(insider).patch(`/indexes/${id}`, { fields: ['long', 'note'] }));
  const create = ['long', ['note', 'sec:ret']];
  const job = await done<Job>(
    send,
    as(insider).post('/index-management', { action: 'modifyIndexes', datasetId, create, remove: [id] }),
  );
  const segments = await done<{ data: { id: string; jobId: string }[] }>(
    send,
    as(insider).get(`/segments?datasetId=${datasetId}`),
  );
  return {
    indexJob: job.id,
    indexSegment: segments.data.find(({ jobId }) => jobId === job.id)?.id ?? 'none',
  };
};
