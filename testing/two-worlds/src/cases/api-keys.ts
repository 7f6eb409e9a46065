import { routes, type apiKeyRoutes, type IssuedApiKey } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, type SendToBoth, type Request } from '@redoubt/testkit/requests';

const path = '/api-keys';

const bodyFor = ({ people: { workspace } }: Scenario, fields: object = {}) => ({
  name: 'Own',
  workspaceId: workspace.id,
  description: '',
  groupNames: ['Readers'],
  attributeNames: ['ALPHA'],
  ...fields,
});

/** Creates a key of the reader. */
const make = async (send: SendToBoth, scenario: Scenario, fields: object = {}): Promise<IssuedApiKey> => {
  const response = await send(as(scenario.people.reader).post(path, bodyFor(scenario, fields)));
  return bodyOf(response) as IssuedApiKey;
};

/** Requests of a member of the workspace and of an admin of another one about keys that are hidden from them. */
const aboutHidden = (
  { people: { reader, outsider }, hidden }: Scenario,
  request: (person: { token: string }, id: string) => Request,
): Request[] =>
  [reader, outsider].flatMap((person) =>
    [hidden.apiKey.id, hidden.foreignKey, 'nowhere-at-all'].map((id) => request(person, id)),
  );

/** Reads of datasets, records, groups and attributes with a key of the reader. */
const readings = ({ datasets, hidden }: Scenario, key: string): Request[] => {
  const headers = { 'x-api-key': key };
  const get = (of: string): Request => ({ method: 'GET', path: of, headers });
  const post = (of: string, body: unknown): Request => ({ method: 'POST', path: of, headers, body });
  return [
    ...['/datasets', '/groups', '/group-memberships', '/attributes', '/attribute-assignments'].map((of) =>
      get(`${of}?$limit=-1`),
    ),
    get('/dataset-permissions?$limit=-1'),
    get('/users?$limit=-1'),
    get('/api-keys'),
    ...[...Object.values(datasets), hidden.dataset, hidden.foreignDataset].flatMap((datasetId) => [
      get(`/datasets/${datasetId}`),
      get(`/query/schema?datasetId=${datasetId}`),
      post('/query/lucene?includeInternalFields=true', { datasetId, expression: '*:*', limit: -1 }),
      post('/query', { expression: `SELECT count(*) AS n FROM "${datasetId}"` }),
      post('/readInSequence', { datasetId }),
    ]),
  ];
};

export const apiKeyCases: Record<keyof typeof apiKeyRoutes, Case> = {
  listApiKeys: async (send, scenario) => {
    const { people, hidden } = scenario;
    const { keyId } = await make(send, scenario);
    const aims = {
      id: [hidden.apiKey.id, hidden.foreignKey],
      name: ['Hidden key', 'Own'],
      keyId: [hidden.apiKey.keyId, keyId],
      workspaceId: [hidden.workspace.id, people.workspace.id],
      description: ['Not to be known', ''],
      createdBy: [people.insider.id, hidden.hider.id],
      userId: [people.insider.id, people.reader.id],
      expirationAt: ['2031-01-01T00:00:00.000Z'],
    };
    await requests(() => [
      ...listRequests(routes.listApiKeys, people.reader, aims),
      ...listBriefRequests(routes.listApiKeys, people.outsider, aims),
    ])(send, scenario);
  },
  getApiKey: async (send, scenario) => {
    const { id } = await make(send, scenario);
    await send(as(scenario.people.reader).get(`${path}/${id}`));
    for (const request of aboutHidden(scenario, (person, key) => as(person).get(`${path}/${key}`))) {
      await send(request);
    }
  },
  createApiKey: async (send, scenario) => {
    const { reader, outsider } = scenario.people;
    for (const fields of [
      ...['A cabal 0', 'C cabal 1', 'Closed', 'A closed circle', 'Nowhere'].map((name) => ({
        groupNames: ['Readers', name],
      })),
      ...['A-HIDDEN-0', 'H7', 'GAMMA', 'SECRET', 'NOWHERE'].map((token) => ({
        attributeNames: ['ALPHA', token],
      })),
      { workspaceId: scenario.hidden.workspace.id },
      { workspaceId: 'nowhere-at-all' },
    ]) {
      await send(as(reader).post(path, bodyFor(scenario, fields)));
      await send(as(outsider).post(path, bodyFor(scenario, fields)));
    }
    for (const fields of [
      {},
      { groupNames: ['Readers', 'Club'], attributeNames: ['ALPHA', 'BETA'] },
      { attributeNames: [] },
      { groupNames: [] },
    ]) {
      const { key } = await make(send, scenario, fields);
      for (const request of readings(scenario, key)) await send(request);
    }
  },
  patchApiKey: async (send, scenario) => {
    const { people } = scenario;
    const { id, key } = await make(send, scenario);
    for (const change of [
      { groupNames: ['A cabal 0'] },
      { groupNames: ['Nowhere'] },
      { attributeNames: ['A-HIDDEN-0'] },
      { attributeNames: ['NOWHERE'] },
      { groupNames: ['Readers', 'Parent'], attributeNames: ['BETA'] },
    ]) {
      await send(as(people.reader).patch(`${path}/${id}`, change));
    }
    for (const request of readings(scenario, key)) await send(request);
    for (const request of aboutHidden(scenario, (person, hiddenKey) =>
      as(person).patch(`${path}/${hiddenKey}`, { revoked: true }),
    )) {
      await send(request);
    }
  },
  deleteApiKey: async (send, scenario) => {
    const { id, key } = await make(send, scenario);
    await send(as(scenario.people.reader).remove(`${path}/${id}`));
    for (const sent of [key, `${scenario.hidden.apiKey.keyId}${key.slice(6)}`, 'nowhere-at-all']) {
      await send({ method: 'GET', path: '/datasets', headers: { 'x-api-key': sent } });
    }
    for (const request of aboutHidden(scenario, (person, hiddenKey) =>
      as(person).remove(`${path}/${hiddenKey}`),
    )) {
      await send(request);
    }
  },
};
