import { routes, type indexRoutes } from '@redoubt/contract';
import { listRequests, type Case } from '../case.ts';
import type { Person } from '@redoubt/testkit/requests';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, type SendToBoth } from '@redoubt/testkit/requests';

/** Datasets with hidden records, each with a manager who cannot see these records. */
const managed = ({ people, datasets }: Scenario): [Person, string][] => [
  [people.reader, datasets.mine],
  [people.admin, datasets.empty],
];

/** A field that only hidden records have, and one that all records have. */
const fields = ['secret', 'n'];

const list = async (send: SendToBoth, person: Person, datasetId: string): Promise<string[]> => {
  const response = await send(as(person).get(`/indexes?datasetId=${datasetId}&$limit=-1`));
  return (bodyOf(response) as { data: { id: string }[] }).data.map(({ id }) => id);
};

const unmanaged = ({ datasets, hidden }: Scenario): string[] => [
  datasets.shared,
  datasets.dropBox,
  hidden.dataset,
  hidden.foreignDataset,
  'nowhere-at-all',
];

export const indexCases: Record<keyof typeof indexRoutes, Case> = {
  listIndexes: async (send, scenario) => {
    for (const [person, datasetId] of managed(scenario)) {
      const [id = 'none'] = await list(send, person, datasetId);
      for (const request of listRequests(routes.listIndexes, person, { id: [id, 'none'] }, { datasetId }))
        await send(request);
      await send(as(person).get(`/indexes?datasetId=${datasetId}&fields=false`));
    }
    for (const datasetId of unmanaged(scenario))
      await send(as(scenario.people.reader).get(`/indexes?datasetId=${datasetId}`));
  },
  getIndex: async (send, scenario) => {
    for (const [person, datasetId] of managed(scenario)) {
      for (const id of await list(send, person, datasetId)) {
        await send(as(person).get(`/indexes/${id}`));
        await send(as(scenario.people.outsider).get(`/indexes/${id}`));
      }
      await send(as(person).get(`/indexes/${scenario.hidden.record}`));
    }
  },
  createIndex: async (send, scenario) => {
    for (const [person, datasetId] of managed(scenario)) {
      for (const field of fields)
        await send(as(person).post('/indexes', { datasetId, fields: [field, 'name'] }));
      for (const field of fields) await send(as(person).post('/indexes', { datasetId, fields: [field] }));
      await send(as(person).post('/indexes', { datasetId, fields: ['secret'] }));
      await list(send, person, datasetId);
    }
    for (const datasetId of unmanaged(scenario))
      await send(as(scenario.people.reader).post('/indexes', { datasetId, fields: ['secret'] }));
  },
  patchIndex: async (send, scenario) => {
    for (const [person, datasetId] of managed(scenario)) {
      for (const field of fields) {
        for (const id of (await list(send, person, datasetId)).slice(0, 3))
          await send(as(person).patch(`/indexes/${id}`, { fields: [field, 'x'] }));
      }
      await list(send, person, datasetId);
    }
  },
  deleteIndex: async (send, scenario) => {
    for (const [person, datasetId] of managed(scenario)) {
      for (const id of await list(send, person, datasetId)) await send(as(person).remove(`/indexes/${id}`));
      await list(send, person, datasetId);
    }
    await send(as(scenario.people.reader).remove(`/indexes/${scenario.hidden.record}`));
  },
  manageIndexes: async (send, scenario) => {
    const manage = (person: Person, datasetId: string, rest: object) =>
      send(as(person).post('/index-management', { action: 'modifyIndexes', datasetId, ...rest }));
    for (const [person, datasetId] of managed(scenario)) {
      await manage(person, datasetId, { remove: [], create: [], autoCreateIndexes: true });
      await manage(person, datasetId, { create: ['secret', ['n', 'n.x']], remove: ['secret'] });
      await manage(person, datasetId, { create: ['secret', ['n', 'n.x']], remove: ['n'] });
      await manage(person, datasetId, { remove: [{ fields: ['secret'] }, ['n', 'n.x']] });
      await manage(person, datasetId, { autoCreateIndexes: false });
      await list(send, person, datasetId);
    }
    for (const datasetId of unmanaged(scenario)) await manage(scenario.people.reader, datasetId, {});
  },
};
