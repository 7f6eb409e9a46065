import { routes, type auditLogRoutes } from '@redoubt/contract';
import { listRequests, type Case } from '../case.ts';
import { signInRequest, type Person } from '@redoubt/testkit/requests';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, type SendToBoth, type Request } from '@redoubt/testkit/requests';

const search = ({ token }: Pick<Person, 'token'>, expression: string, more: object = {}): Request =>
  as({ token }).post('/audit-log/query', { expression, limit: -1, ...more });

/** Requests for events about records, and for names and values that only hidden objects have. */
const about = (person: Person, { datasets, hidden }: Scenario): Request[] => [
  search(person, 'type:WriteRecords'),
  search(person, 'type:WriteRecords', { limit: 3, offset: 2, includeInternalFields: true }),
  ...Object.values(datasets).map((datasetId) => search(person, 'type:WriteRecords', { datasetId })),
  ...[hidden.record, 'zebra', 'secret', '"SECRET|GAMMA"'].map((text) =>
    search(person, `"${text.replaceAll('"', '')}"`),
  ),
  ...['[0 TO *]', '[5 TO 100]', '>50', '*'].map((range) =>
    search(person, `type:WriteRecords AND details.recordCount:${range}`),
  ),
];

/** Signs the reader in to their own workspace, as its admin. The first call creates the workspace. */
const atHome = async (send: SendToBoth, { people: { reader } }: Scenario): Promise<Person> => {
  await send(as(reader).post('/workspaces', { name: 'Mine', id: 'mine' }));
  const { accessToken: token } = bodyOf(await send(signInRequest(reader, 'mine'))) as {
    accessToken: string;
  };
  return { ...reader, token };
};

export const auditLogCases: Record<keyof typeof auditLogRoutes, Case> = {
  queryAuditLog: async (send, scenario) => {
    const { reader, admin, loner } = scenario.people;
    // An admin sees the actions of others, also on hidden records, so the admin requests only events about records.
    for (const request of about(admin, scenario)) await send(request);
    // Events about indexes over hidden fields must not appear.
    for (const expression of ['"created an index"', '"changed an index"', 'indexes', 'details.job:reindex'])
      await send(search(admin, expression, { datasetId: scenario.datasets.notes }));
    for (const request of about(reader, scenario)) await send(request);
    for (const expression of ['*:*', 'type:Login', 'NOT type:Login', 'reader', 'type:(']) {
      await send(search(reader, expression));
      await send(search(reader, expression, { limit: 2, offset: 1 }));
    }
    await send(search(reader, '*:*', { datasetId: scenario.hidden.dataset }));
    await send(search(loner, '*:*'));
  },
  listAuditLogConfigs: async (send, scenario) => {
    await send(as(scenario.people.reader).get('/audit-log-configs'));
    const home = await atHome(send, scenario);
    const aims = {
      id: [scenario.hidden.dataset, scenario.hidden.workspace.uniqueId],
      datasetId: [scenario.hidden.dataset],
    };
    for (const request of listRequests(routes.listAuditLogConfigs, home, aims)) await send(request);
  },
  patchAuditLogConfig: async (send, scenario) => {
    const { people, hidden, datasets } = scenario;
    const home = await atHome(send, scenario);
    for (const id of [
      hidden.dataset,
      hidden.foreignDataset,
      hidden.workspace.uniqueId,
      datasets.mine,
      'none',
    ]) {
      await send(as(people.reader).patch(`/audit-log-configs/${id}`, { keepForever: false }));
      await send(as(home).patch(`/audit-log-configs/${id}`, { keepForever: false }));
    }
    const { data } = bodyOf(await send(as(home).get('/audit-log-configs/'))) as { data: { id: string }[] };
    await send(as(home).patch(`/audit-log-configs/${data[0]?.id}`, { keepForever: false, ageInDays: 30 }));
    await send(search(home, '*:*'));
  },
};
