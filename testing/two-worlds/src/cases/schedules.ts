import { routes, type scheduleRoutes } from '@redoubt/contract';
import { as, done, type Person, type Request, type SendToBoth } from '@redoubt/testkit/requests';
import { listBriefRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';

const unseen = ({ hidden, datasets }: Scenario): string[] => [
  hidden.dataset,
  hidden.foreignDataset,
  'nowhere-at-all',
  datasets.shared,
];

const allOf = (label: string): object => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

/** A file on a port where nothing listens. */
const source = { type: 'URL', connectionInfo: { urls: [{ url: 'http://127.0.0.1:1/notes.csv' }] } };

const schedule = (datasetId: string, more: object = {}): object => ({
  datasetId,
  name: 'Notes',
  cron: '0 0 1 1 *',
  request: { ...allOf('ALPHA'), dataSourceParams: source },
  ...more,
});

const created = async (send: SendToBoth, { people, datasets }: Scenario): Promise<string> =>
  (await done<{ id: string }>(send, as(people.reader).post('/schedules', schedule(datasets.notes)))).id;

/** Sends a request about a schedule of the reader as its creator, as a manager and as others. */
const eachPerson =
  (more: (person: Person, id: string) => Request): Case =>
  async (send, scenario) => {
    const { admin, writer, outsider, reader } = scenario.people;
    const id = await created(send, scenario);
    for (const person of [outsider, writer, admin, reader])
      for (const one of ['unknown', id]) await send(more(person, one));
    await send(as(reader).get(`/schedules/${id}/runs?$limit=-1`));
  };

export const scheduleCases: Record<keyof typeof scheduleRoutes, Case> = {
  listSchedules: async (send, scenario) => {
    const { people, hidden, datasets } = scenario;
    const id = await created(send, scenario);
    const aims = { id: [id, 'none'], datasetId: [hidden.dataset, datasets.notes] };
    for (const person of [people.reader, people.writer, people.outsider])
      for (const request of listBriefRequests(routes.listSchedules, person, aims)) await send(request);
  },
  createSchedule: requests((scenario) => [
    ...[...unseen(scenario), scenario.datasets.notes].map((id) =>
      as(scenario.people.reader).post('/schedules', schedule(id)),
    ),
    ...['SECRET', 'H5', 'A&'].map((label) =>
      as(scenario.people.reader).post(
        '/schedules',
        schedule(scenario.datasets.notes, { request: { ...allOf(label), dataSourceParams: source } }),
      ),
    ),
    as(scenario.people.writer).post('/schedules', schedule(scenario.datasets.dropBox)),
    as(scenario.people.reader).get('/schedules?$limit=-1'),
  ]),
  getSchedule: eachPerson((person, id) => as(person).get(`/schedules/${id}`)),
  patchSchedule: eachPerson((person, id) =>
    as(person).patch(`/schedules/${id}`, { isActive: false, ...(id === 'unknown' && { name: 'Other' }) }),
  ),
  deleteSchedule: eachPerson((person, id) => as(person).remove(`/schedules/${id}`)),
  runSchedule: eachPerson((person, id) => as(person).post(`/schedules/${id}/runs`, undefined)),
  listScheduleRuns: eachPerson((person, id) => as(person).get(`/schedules/${id}/runs?$limit=-1`)),
};
