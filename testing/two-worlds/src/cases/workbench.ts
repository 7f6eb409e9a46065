import {
  routes,
  type draftKeyRoutes,
  type exportRoutes,
  type queryHistoryRoutes,
  type savedQueryRoutes,
} from '@redoubt/contract';
import { as, bodyOf, done, type SendToBoth, type Person, type Request } from '@redoubt/testkit/requests';
import { listBriefRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';

type Operation =
  | keyof typeof draftKeyRoutes
  | keyof typeof exportRoutes
  | keyof typeof queryHistoryRoutes
  | keyof typeof savedQueryRoutes;

/** A statement as the console sends it; the server keeps it in the history of the person. */
const fromConsole = (person: Person, expression: string): Request => ({
  ...as(person).post('/query', { expression, limit: -1 }),
  headers: { 'x-redoubt-session': 'of-a-browser' },
});

const statements = ({ datasets, hidden }: Scenario): string[] => [
  `SELECT * FROM "${datasets.shared}"`,
  `SELECT name, secret FROM "${datasets.shared}"`,
  `SELECT count(*), max(n) FROM "${datasets.shared}" GROUP BY flag`,
  `SELECT hush, nowhere FROM "${datasets.shared}"`,
  `SELECT nowhere FROM "${datasets.shared}"`,
  `SELECT hush FROM "${datasets.shared}"`,
  `SELECT 1 FROM "${hidden.dataset}"`,
  'SELECT 1 FROM nowhere',
  'SELEC 1',
];

const history = (person: Person): Request => as(person).get('/query-history?$limit=-1&$sort[startedAt]=1');

/** People without access to the hidden dataset, which the admin manages. */
const readers = ({ people }: Scenario): Person[] => [people.reader, people.loner];

const exported = async (send: SendToBoth, person: Person, body: object): Promise<void> => {
  const { path } = bodyOf(await send(as(person).post('/exports', body))) as { path?: string };
  if (path === undefined) return;
  await send(as(person).get(path));
  await send(as(person).get(path));
};

/** A search, filters and a sort that name hidden fields and values, too. */
const rowsOfScreen = {
  lucene: 'NOT zebra OR hush:*',
  filters: [{ field: 'hush', operator: 'is-not', values: ['zebra'] }],
  sort: [
    { field: 'hush', direction: 'ascending' },
    { field: 'n', direction: 'descending' },
  ],
};

const kept = { name: 'Mine', text: 'SELECT 1' };

const eachSaved =
  (more: (person: Person, id: string) => Request): Case =>
  async (send, { people: { reader, admin, insider }, hidden }) => {
    const { id } = await done<{ id: string }>(send, as(reader).post('/saved-queries', kept));
    for (const person of [admin, insider, reader])
      for (const one of [hidden.dataset, 'unknown', id]) await send(more(person, one));
    await send(as(reader).get('/saved-queries?$limit=-1'));
  };

/** The calls about saved work with SQL, and about files of results. */
export const workbenchCases: Record<Operation, Case> = {
  getDraftKey: requests(({ people }) =>
    [people.reader, people.admin].map((person) => as(person).get('/me/draft-key')),
  ),
  listSavedQueries: async (send, { people }) => {
    await send(as(people.reader).post('/saved-queries', kept));
    for (const person of [people.reader, people.admin])
      for (const request of listBriefRequests(routes.listSavedQueries, person, { name: ['Mine', 'Other'] }))
        await send(request);
  },
  createSavedQuery: requests((scenario) => [
    ...statements(scenario).map((text) =>
      as(scenario.people.reader).post('/saved-queries', { name: 'Mine', text }),
    ),
    as(scenario.people.reader).get('/saved-queries?$limit=-1'),
  ]),
  getSavedQuery: eachSaved((person, id) => as(person).get(`/saved-queries/${id}`)),
  patchSavedQuery: eachSaved((person, id) =>
    as(person).patch(`/saved-queries/${id}`, { version: 1, text: 'SELECT 2' }),
  ),
  deleteSavedQuery: eachSaved((person, id) => as(person).remove(`/saved-queries/${id}`)),
  listQueryHistory: async (send, scenario) => {
    for (const person of readers(scenario)) {
      for (const statement of statements(scenario)) await send(fromConsole(person, statement));
      await send(history(person));
    }
    const aims = { status: ['failed'], rows: [0, 1] };
    for (const request of listBriefRequests(routes.listQueryHistory, scenario.people.reader, aims))
      await send(request);
  },
  deleteQueryHistory: async (send, scenario) => {
    const { reader, admin } = scenario.people;
    await send(fromConsole(reader, 'SELECT 1'));
    for (const person of [admin, reader]) await send(as(person).remove('/query-history'));
    await send(history(reader));
  },
  createExport: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    // Admins manage the hidden dataset.
    for (const person of [people.reader, people.loner]) {
      for (const datasetId of [datasets.shared, hidden.dataset, hidden.foreignDataset, 'nowhere'])
        await exported(send, person, {
          operation: 'queryLucene',
          body: { datasetId, expression: 'NOT zebra', limit: -1 },
          format: 'csv',
        });
      for (const datasetId of [datasets.shared, hidden.dataset, hidden.foreignDataset, 'nowhere'])
        for (const format of ['csv', 'lines', 'parquet'])
          await exported(send, person, {
            operation: 'readRows',
            body: { datasetId, ...rowsOfScreen },
            format,
          });
    }
  },
  downloadExport: async (send, scenario) => {
    const { reader, admin } = scenario.people;
    for (const format of ['csv', 'spreadsheet', 'lines'])
      for (const expression of statements(scenario))
        await exported(send, reader, { operation: 'query', body: { expression, limit: -1 }, format });
    const body = { operation: 'query', body: { expression: 'SELECT 1' }, format: 'csv' };
    const { path } = await done<{ path: string }>(send, as(reader).post('/exports', body));
    for (const person of [admin, reader])
      for (const one of [path, '/exports/unknown']) await send(as(person).get(one));
  },
};
