import type { draftKeyRoutes, exportRoutes, queryHistoryRoutes, savedQueryRoutes } from '@redoubt/contract';
import { as, done, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

const newQuery = async ({ self }: AccessFixture, send: Send): Promise<string> =>
  (await done<{ id: string }>(send, as(self).post('/saved-queries', { name: 'Mine', text: 'SELECT 1' }))).id;

const ofQuery = (body?: unknown): Probe => ({
  make: async (fixture, send) => ({
    request: {
      params: { id: await newQuery(fixture, send) },
      ...(body !== undefined && { body }),
    },
  }),
});

const statement = { operation: 'query', body: { expression: 'SELECT 1' }, format: 'csv' };

type Operation =
  | keyof typeof draftKeyRoutes
  | keyof typeof exportRoutes
  | keyof typeof queryHistoryRoutes
  | keyof typeof savedQueryRoutes;

export const workbenchProbes: Record<Operation, Probe> = {
  getDraftKey: standing(() => ({ request: {} })),
  listSavedQueries: {
    make: async (fixture, send) => ({ request: {}, listed: await newQuery(fixture, send) }),
  },
  createSavedQuery: standing(() => ({ request: { body: { name: 'Mine', text: 'SELECT 1' } } })),
  getSavedQuery: ofQuery(),
  patchSavedQuery: ofQuery({ version: 1, name: 'Other' }),
  deleteSavedQuery: ofQuery(),
  listQueryHistory: {
    make: async ({ self }, send) => {
      await done(send, {
        ...as(self).post('/query', { expression: 'SELECT 1' }),
        headers: { 'x-redoubt-session': 'of-a-browser' },
      });
      const { data } = await done<{ data: { id: string }[] }>(send, as(self).get('/query-history'));
      return { request: {}, listed: data[0]?.id ?? '' };
    },
  },
  deleteQueryHistory: standing(() => ({ request: {} })),
  createExport: standing(() => ({ request: { body: statement } })),
  downloadExport: {
    make: async ({ self }, send) => {
      const { path } = await done<{ path: string }>(send, as(self).post('/exports', statement));
      return { request: { params: { token: path.slice('/exports/'.length) } } };
    },
  },
};
