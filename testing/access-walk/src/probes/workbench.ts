import type { draftKeyRoutes, exportRoutes, queryHistoryRoutes, savedQueryRoutes } from '@redoubt/contract';
import { as, done, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { standing, type Probe } from '../probe.ts';

const newQuery = async ({ self }: AccessFixture, send: Send): Promise<string> =>
  (await done<{ id: string }>(send, as(self).post('/saved-queries', { name: 'Mine', text: 'SELECT 1' }))).id;

const ofQuery = (body?: unknown): Probe => ({
  make: async (house, send) => ({
    ask: {
      params: { id: await newQuery(house, send) },
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
  getDraftKey: standing(() => ({ ask: {} })),
  listSavedQueries: {
    make: async (house, send) => ({ ask: {}, listed: await newQuery(house, send) }),
  },
  createSavedQuery: standing(() => ({ ask: { body: { name: 'Mine', text: 'SELECT 1' } } })),
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
      return { ask: {}, listed: data[0]?.id ?? '' };
    },
  },
  deleteQueryHistory: standing(() => ({ ask: {} })),
  createExport: standing(() => ({ ask: { body: statement } })),
  downloadExport: {
    make: async ({ self }, send) => {
      const { path } = await done<{ path: string }>(send, as(self).post('/exports', statement));
      return { ask: { params: { token: path.slice('/exports/'.length) } } };
    },
  },
};
