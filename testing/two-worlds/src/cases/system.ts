import type { systemRoutes } from '@redoubt/contract';
import { requests, type Case } from '../case.ts';
import { as } from '@redoubt/testkit/requests';

export const systemCases: Record<keyof typeof systemRoutes, Case> = {
  getHealth: requests(({ people }) => [{ method: 'GET', path: '/health' }, as(people.reader).get('/health')]),
  getOpenApi: requests(({ people }) => [
    { method: 'GET', path: '/openapi.json' },
    as(people.reader).get('/openapi.json'),
  ]),
};
