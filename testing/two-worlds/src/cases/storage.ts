import type { Job, jobRoutes, Segment, storageRoutes } from '@redoubt/contract';
import { routes } from '@redoubt/contract';
import { listBriefRequests, listRequests, type Case } from '../case.ts';
import type { Person } from '@redoubt/testkit/requests';
import { write } from '../records.ts';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, done, type SendToBoth } from '@redoubt/testkit/requests';
import { foreignLabels, withoutNewAttributes } from './foreign-tokens.ts';
import { schema, search, sequence } from './reading.ts';

const storage = (datasetId: string, call: string): string => `/storage/datasets/${datasetId}/${call}`;
const unseen = ({ hidden, datasets }: Scenario): string[] => [
  hidden.dataset,
  hidden.foreignDataset,
  datasets.shared,
  datasets.dropBox,
  'nowhere-at-all',
];

/** Reads the notes and the job that changed them, as the reader and as others. */
const look = async (send: SendToBoth, { people, datasets }: Scenario): Promise<void> => {
  const { reader, writer, admin } = people;
  await send(sequence(reader, datasets.notes, { includeInternalFields: true }));
  await send(search(reader, datasets.notes, '*:*', { limit: -1 }));
  await send(schema(reader, datasets.notes, { includeNestedFields: true }));
  await send(as(reader).get('/datasets?$sort[recordCount]=1&$limit=-1'));
  for (const person of [reader, writer, admin]) {
    await send(as(person).get(`/jobs?datasetId=${datasets.notes}&$limit=-1&$sort[createdAt]=1`));
  }
};

const fresh = async (
  send: SendToBoth,
  { people, datasets }: Scenario,
  records: readonly unknown[],
): Promise<void> =>
  write(
    send,
    people.reader,
    datasets.notes,
    records.map((record) => JSON.stringify(record)),
  );

/** Sends a call about datasets that the caller cannot see or change, and with ids and words of hidden records. */
const deleting =
  (call: string, bodies: (scenario: Scenario) => readonly unknown[]): Case =>
  async (send, scenario) => {
    const { people, datasets } = scenario;
    const { reader, writer } = people;
    await fresh(send, scenario, [
      { note: 'for the bin', document_id: 'd1' },
      { note: 'a page of it', document_id: 'd1', label: 'ALPHA' },
      { note: 'another', document_id: 'd2' },
    ]);
    for (const body of bodies(scenario)) {
      for (const id of unseen(scenario)) await send(as(reader).post(storage(id, call), body));
      await send(as(writer).post(storage(datasets.notes, call), body));
      await send(as(reader).post(storage(datasets.notes, call), body));
      await look(send, scenario);
    }
  };

/** Gives the readers the permission to manage the notes while `work` runs. */
const managingNotes = async (
  send: SendToBoth,
  { people, datasets, groups }: Scenario,
  work: () => Promise<void>,
): Promise<void> => {
  const body = { action: 'manage', datasetId: datasets.notes, groupId: groups.readers };
  const { id } = await done(send, as(people.admin).post('/dataset-permissions', body));
  await work();
  await done(send, as(people.admin).remove(`/dataset-permissions/${id}`));
};

export const storageCases: Record<keyof typeof storageRoutes, Case> = {
  deleteRecords: deleting('deleteRecords', ({ hidden, records }) => [
    { recordIds: [hidden.note, hidden.record, 'none'] },
    { recordIds: [hidden.note, records.notes[4]] },
    { recordIds: [], deleteAll: false },
    { recordIds: [hidden.note], deleteAll: true },
  ]),
  deleteRecordsByQuery: deleting('deleteRecords/query', () => [
    { query: 'secret:*' },
    { query: 'p17:1 OR NOT note:*' },
    { query: 'note:bin' },
    { query: 'H5' },
    { query: 'note:[' },
  ]),
  deleteDocumentsByQuery: deleting('deleteDocuments/query', () => [
    { query: 'secret:*' },
    { query: 'note:bin' },
    { query: '*:*' },
    { query: 'note:[' },
  ]),
  relabelRecords: async (send, scenario) => {
    const { people, datasets, hidden, records } = scenario;
    const { reader, admin } = people;
    await fresh(send, scenario, [{ note: 'to be labelled' }, { note: 'to be hidden', label: 'ALPHA' }]);
    const bodies = [
      { label: 'BETA', recordIds: [hidden.note, hidden.record, 'none'] },
      { label: 'H5', recordIds: [hidden.note, records.notes[1]] },
      { label: 'BETA', query: 'note:labelled OR secret:*' },
      { label: 'A-HIDDEN-0|NEW-TOKEN', query: 'note:hidden' },
      { label: 'A&', query: '*:*' },
      { label: 'ALPHA', query: 'H5' },
    ];
    await managingNotes(send, scenario, async () => {
      for (const body of bodies) {
        for (const id of unseen(scenario)) await send(as(reader).patch(storage(id, 'labels'), body));
        await send(as(reader).patch(storage(datasets.notes, 'labels'), body));
        await send(as(admin).patch(storage(datasets.notes, 'labels'), body));
        await look(send, scenario);
      }
      await withoutNewAttributes(send, scenario, async () => {
        for (const label of foreignLabels)
          await send(as(reader).patch(storage(datasets.notes, 'labels'), { label, recordIds: ['none'] }));
      });
    });
    await send(as(reader).patch(storage(datasets.notes, 'labels'), bodies[0]));
  },
  clearDataset: async (send, scenario) => {
    const { people, datasets } = scenario;
    for (const id of unseen(scenario)) await send(as(people.reader).post(storage(id, 'clear'), {}));
    await send(as(people.admin).post(storage(datasets.shared, 'clear'), {}));
    await send(as(people.admin).post(storage(datasets.notes, 'clear'), {}));
    await fresh(send, scenario, [{ note: 'after it was cleared' }]);
    await look(send, scenario);
    await send(sequence(people.reader, datasets.shared, { includeInternalFields: true }));
  },
};

/** Runs a job of the reader on the notes to its end. */
const ended = async (
  send: SendToBoth,
  { people: { reader }, datasets }: Scenario,
  body: object,
): Promise<Job> => {
  const response = await send(as(reader).post(storage(datasets.notes, 'deleteRecords'), body));
  return bodyOf(response) as Job;
};

/** Requesters who do not manage the datasets of hidden jobs. */
const strangers = ({ people: { reader, writer, outsider } }: Scenario): Person[] => [
  reader,
  writer,
  outsider,
];

export const jobCases: Record<keyof typeof jobRoutes, Case> = {
  createJob: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const jobs: object[] = [
      { type: 'delete-record', config: { recordIds: [hidden.note, 'none'] } },
      { type: 'delete-record', config: { query: 'secret:*' } },
      { type: 'delete-document', config: { query: 'secret:*' } },
      { type: 'clear-dataset' },
      { type: 'ingest', config: { any: 1 } },
      { type: 'reindex' },
      { type: 'delete-record', config: { any: 1 } },
    ];
    for (const job of jobs) {
      for (const datasetId of [...unseen(scenario), datasets.notes]) {
        await send(as(people.reader).post('/jobs', { ...job, datasetId }));
      }
    }
    await look(send, scenario);
  },
  listJobs: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    await ended(send, scenario, { recordIds: [hidden.note] });
    const aims = {
      id: [hidden.job, 'none'],
      status: ['completed', 'failed'],
      userId: [people.insider.id, people.reader.id],
      recordCount: [0, 1, 3],
      error: ['any'],
    };
    for (const datasetId of [datasets.notes, datasets.shared]) {
      for (const request of listRequests(routes.listJobs, people.reader, aims, { datasetId }))
        await send(request);
    }
    const ofIndexes = { id: [hidden.indexJob], type: ['reindex'] };
    for (const request of listBriefRequests(routes.listJobs, people.admin, ofIndexes, {
      datasetId: datasets.notes,
    }))
      await send(request);
    for (const person of strangers(scenario)) {
      for (const datasetId of [...unseen(scenario), datasets.notes]) {
        await send(as(person).get(`/jobs?datasetId=${datasetId}&$limit=-1&recordCount[$gte]=0`));
      }
      await send(as(person).get('/jobs'));
      for (const { id } of [person, people.reader, people.insider])
        await send(as(person).get(`/jobs?userId=${id}&$limit=-1&$sort[createdAt]=1`));
    }
  },
  getJob: async (send, scenario) => {
    const { hidden, records } = scenario;
    const job = await ended(send, scenario, { recordIds: [hidden.note, records.notes[5]] });
    for (const person of strangers(scenario)) {
      for (const id of [job.id, hidden.job, 'none']) await send(as(person).get(`/jobs/${id}`));
    }
    for (const id of [job.id, hidden.indexJob]) await send(as(scenario.people.admin).get(`/jobs/${id}`));
  },
  patchJob: async (send, scenario) => {
    const { hidden } = scenario;
    const job = await ended(send, scenario, { recordIds: [hidden.note] });
    for (const person of strangers(scenario)) {
      for (const id of [job.id, hidden.job, 'none']) {
        for (const status of ['canceled', 'queued']) await send(as(person).patch(`/jobs/${id}`, { status }));
      }
    }
    for (const status of ['canceled', 'queued'])
      await send(as(scenario.people.admin).patch(`/jobs/${hidden.indexJob}`, { status }));
    const [failed] = await failedJobs(send, scenario);
    for (const status of ['canceled', 'queued', 'canceled']) {
      await send(as(scenario.people.reader).patch(`/jobs/${failed ?? 'none'}`, { status }));
    }
  },
  listSegments: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const job = await ended(send, scenario, { recordIds: [hidden.note] });
    const aims = {
      id: [hidden.segment, 'none'],
      jobId: [hidden.job, job.id],
      status: ['completed'],
      stage: [0, 2],
    };
    const flags = { datasetId: datasets.notes };
    for (const request of listRequests(routes.listSegments, people.reader, aims, flags)) await send(request);
    for (const request of listBriefRequests(
      routes.listSegments,
      people.admin,
      { jobId: [hidden.indexJob] },
      flags,
    ))
      await send(request);
    for (const request of listBriefRequests(routes.listSegments, people.outsider, {})) await send(request);
    for (const person of strangers(scenario)) {
      for (const datasetId of unseen(scenario))
        await send(as(person).get(`/segments?datasetId=${datasetId}`));
    }
  },
  getSegment: async (send, scenario) => {
    const { hidden, datasets, people } = scenario;
    const job = await ended(send, scenario, { recordIds: [hidden.note] });
    const path = `/segments?datasetId=${datasets.notes}&jobId=${job.id}`;
    const { data } = bodyOf(await send(as(people.reader).get(path))) as { data: Segment[] };
    for (const person of [...strangers(scenario), people.admin]) {
      for (const id of [data[0]?.id ?? 'none', hidden.indexSegment, 'none']) {
        await send(as(person).get(`/segments/${id}`));
      }
    }
    for (const person of strangers(scenario)) await send(as(person).get(`/segments/${hidden.segment}`));
  },
};

/** Jobs of the reader that were canceled or have failed, if there are any. */
const failedJobs = async (send: SendToBoth, { people, datasets }: Scenario): Promise<string[]> => {
  const path = `/jobs?datasetId=${datasets.notes}&status[$in][]=failed&status[$in][]=canceled`;
  const { data } = bodyOf(await send(as(people.reader).get(path))) as { data: Job[] };
  return data.map(({ id }) => id);
};
