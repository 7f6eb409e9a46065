import type { scheduleRoutes } from '@redoubt/contract';
import { as, done, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

const schedule = (datasetId: string): object => ({
  datasetId,
  name: 'Mine',
  cron: '0 0 1 1 *',
  request: {
    dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/a.csv' }] } },
  },
});

const newSchedule = async ({ starter, dataset }: AccessFixture, send: Send): Promise<string> =>
  (await done<{ id: string }>(send, as(starter).post('/schedules', schedule(dataset)))).id;

const byStarter = ({ starter }: AccessFixture) => ({ self: { ...starter, name: 'self' } });

const ofSchedule = (body?: unknown): Probe => ({
  make: async (fixture, send) => ({
    request: { params: { id: await newSchedule(fixture, send) }, ...(body !== undefined && { body }) },
    instead: byStarter(fixture),
  }),
});

export const scheduleProbes: Record<keyof typeof scheduleRoutes, Probe> = {
  listSchedules: {
    make: async (fixture, send) => ({
      request: { search: '?$limit=-1' },
      listed: await newSchedule(fixture, send),
      instead: byStarter(fixture),
    }),
  },
  createSchedule: standing(({ dataset }) => ({ request: { body: schedule(dataset) } })),
  getSchedule: ofSchedule(),
  patchSchedule: ofSchedule({ isActive: false }),
  deleteSchedule: ofSchedule(),
  runSchedule: ofSchedule(),
  listScheduleRuns: ofSchedule(),
};
