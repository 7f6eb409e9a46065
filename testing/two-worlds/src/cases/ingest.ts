import type {
  ingestRoutes,
  recordSourceRoutes,
  uploadFileRoutes,
  uploadPreviewRoutes,
  uploadRoutes,
} from '@redoubt/contract';
import { routes } from '@redoubt/contract';
import { multipartBody } from '@redoubt/testkit';
import { batchOf, byField } from '../records.ts';
import { listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, done, uploadRequest, type SendToBoth, type Person } from '@redoubt/testkit/requests';
import { foreignLabels, withoutNewAttributes } from './foreign-tokens.ts';
import { schema, search, sequence } from './reading.ts';
import { closedBucket, closedDatabase, closedTopics } from './closed-sources.ts';

export const unseen = ({ hidden, datasets }: Scenario): string[] => [
  hidden.dataset,
  hidden.foreignDataset,
  'nowhere-at-all',
  datasets.shared,
];

const rows = 'note,label\nof all,\nof alpha,ALPHA\nof beta,BETA\nup,SECRET\nwrong,A&\nhidden,H5\n';

/** Reads the notes and their jobs as the reader and as others. */
export const look = async (send: SendToBoth, { people, datasets }: Scenario): Promise<void> => {
  const { reader, writer, admin } = people;
  await send(sequence(reader, datasets.notes, { includeInternalFields: true }));
  await send(search(reader, datasets.notes, '*:*', { limit: -1 }));
  await send(schema(reader, datasets.notes, { includeNestedFields: true }));
  for (const person of [reader, writer, admin]) {
    await send(as(person).get(`/jobs?datasetId=${datasets.notes}&$limit=-1&$sort[createdAt]=1`));
    await send(as(person).get(`/segments?datasetId=${datasets.notes}&$limit=-1`));
  }
};

/** Uploads a file as the reader. Returns the id of the job. */
const uploaded = async (
  send: SendToBoth,
  { people, datasets }: Scenario,
  content = rows,
): Promise<string> => {
  const files = { 'notes.csv': content };
  return (await done<{ jobId: string }>(send, uploadRequest(people.reader, datasets.notes, files))).jobId;
};

const allRecords = (label: string): object => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

/** Uploads documents under labels that the reader holds and does not hold, and searches them. */
const uploadDocuments = async (send: SendToBoth, { people, datasets }: Scenario): Promise<void> => {
  const processAsDocument = 'true';
  const files = { 'notice.md': '# Runway', 'wrong.pdf': '%PDF-1.4' };
  for (const label of ['ALPHA', 'SECRET', 'H5']) {
    const parts = { processAsDocument, customMetadata: { tower: 'north' } };
    await send(uploadRequest(people.reader, datasets.notes, files, allRecords(label), parts));
  }
  await send(uploadRequest(people.reader, datasets.notes, files, undefined, { processAsDocument }));
  const expression = 'text:runway';
  for (const person of [people.reader, people.writer, people.admin])
    await send(
      as(person).post('/query/document/lucene', { datasetId: datasets.notes, expression, limit: -1 }),
    );
};

export const source = (url: string): object => ({ type: 'URL', connectionInfo: { urls: [{ url }] } });

export const uploadCases: Record<keyof typeof uploadRoutes, Case> = {
  createUpload: async (send, scenario) => {
    const { people, datasets } = scenario;
    for (const id of unseen(scenario)) await send(uploadRequest(people.reader, id, { 'a.csv': rows }));
    await send(uploadRequest(people.writer, datasets.dropBox, { 'a.csv': rows }));
    await send(
      uploadRequest(people.reader, datasets.notes, { 'a.csv': rows, 'b.csv': 'secret,label\n1,ALPHA\n' }),
    );
    await look(send, scenario);
    await send(uploadRequest(people.reader, datasets.notes, { 'c.csv': 'note\nno label at all\n' }));
    await send(uploadRequest(people.reader, datasets.notes, { 'd.csv': 'note\nfor everybody\n' }, null));
    await uploadDocuments(send, scenario);
    await withoutNewAttributes(send, scenario, async () => {
      for (const label of foreignLabels) {
        const text = `note,label\n"x","${label.replaceAll('"', '""')}"\n`;
        await send(uploadRequest(people.reader, datasets.notes, { 'e.csv': text }));
      }
    });
    await look(send, scenario);
  },
  getJobReceipt: async (send, scenario) => {
    const { people, hidden, mixedUpload } = scenario;
    const job = await uploaded(send, scenario);
    for (const person of [people.reader, people.writer, people.admin, people.outsider]) {
      for (const id of [job, mixedUpload.jobId, hidden.job, hidden.ingestJob, 'none'])
        await send(as(person).get(`/jobs/${id}/receipt`));
    }
  },
  listRejectedRows: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const job = await uploaded(send, scenario, `${rows}wrong again,"(A"\n`);
    const aims = {
      id: [`${hidden.uploadFile}/2`, 'none'],
      jobId: [hidden.ingestJob, job],
      fileId: [hidden.uploadFile, 'none'],
      row: [0, 4],
    };
    for (const datasetId of [datasets.notes, datasets.shared]) {
      for (const request of listRequests(routes.listRejectedRows, people.reader, aims, { datasetId }))
        await send(request);
    }
    for (const person of [people.reader, people.writer, people.admin, people.outsider]) {
      for (const datasetId of [datasets.notes, ...unseen(scenario)])
        await send(as(person).get(`/rejected-rows?datasetId=${datasetId}&$limit=-1`));
      await send(as(person).get('/rejected-rows'));
    }
  },
};

export const uploadPreviewCases: Record<keyof typeof uploadPreviewRoutes, Case> = {
  previewUpload: async (send, { people }) => {
    for (const person of [people.reader, people.writer, people.outsider]) {
      for (const label of [
        byField,
        { parserClassName: 'apply-label-to-all-records-parser', label: 'H5&SECRET' },
      ]) {
        const fileOptions = { header: true, columns: [{ name: 'note', rename: 'text' }] };
        const parts = [
          { name: 'fileOptions', content: JSON.stringify(fileOptions) },
          { name: 'files', fileName: 'rows.csv', content: rows },
          {
            name: 'accessControlLabel',
            content: JSON.stringify({ securityLabeled: true, securityLabelInfo: label }),
          },
        ];
        await send({
          method: 'POST',
          path: '/uploads/preview',
          token: person.token,
          ...multipartBody(parts),
        });
        const asDocument = { name: 'processAsDocument', content: 'true' };
        await send({
          method: 'POST',
          path: '/uploads/preview',
          token: person.token,
          ...multipartBody([asDocument, ...parts.slice(1)]),
        });
      }
    }
  },
};

export const ingestCases: Record<keyof typeof ingestRoutes, Case> = {
  getIngestOptions: requests(({ people: { admin, reader, outsider } }) =>
    [admin, reader, outsider].map((person) => as(person).get('/ingest/options')),
  ),
  startIngest: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    const bodies = [
      { dataSourceParams: source('http://127.0.0.1:1/a.csv') },
      {
        dataSourceParams: source('http://127.0.0.1:1/a.csv'),
        securityLabeled: true,
        securityLabelInfo: byField,
      },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), writeMode: 'replace' },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), writeMode: 'upsert', keyColumns: ['note'] },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), writeMode: 'upsert' },
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), fileOptions: { encoding: 'none' } },
      { dataSourceParams: source('ftp://127.0.0.1/a.csv') },
      { dataSourceParams: { type: 'S3', connectionInfo: {} } },
      { dataSourceParams: closedBucket },
      {
        dataSourceParams: {
          type: 'S3',
          connectionInfo: { ...closedBucket.connectionInfo, changedSinceJob: hidden.ingestJob },
        },
      },
      { dataSourceParams: closedBucket, writeMode: 'replace' },
      { dataSourceParams: closedDatabase },
      ...[hidden.connection, 'nowhere-at-all'].map((connectionId) => ({
        dataSourceParams: { type: 'S3', connectionId, connectionInfo: { prefix: 'a' } },
      })),
      { dataSourceParams: closedDatabase, securityLabeled: true, securityLabelInfo: byField },
      { dataSourceParams: { type: 'JDBC', connectionInfo: { databaseType: 'mysql' } } },
      { dataSourceParams: { type: 'KAFKA', connectionInfo: {} } },
      { dataSourceParams: closedTopics },
      { dataSourceParams: closedTopics, processAsDocument: true },
      { dataSourceParams: { type: 'OTHER', connectionInfo: { connector: 'none', stream: 'notes' } } },
      ...[hidden.connection, 'nowhere-at-all'].map((connectionId) => ({
        dataSourceParams: {
          type: 'KAFKA',
          connectionId,
          connectionInfo: { topics: ['notes'], format: 'json' },
        },
      })),
      { dataSourceParams: source('http://127.0.0.1:1/a.csv'), workspaceId: hidden.workspace.id },
    ];
    for (const body of bodies) {
      for (const datasetId of [...unseen(scenario), datasets.notes]) {
        // A response that waits five seconds for the job depends on the load of the machine.
        const response = await send(as(people.reader).post('/ingest?isAsync=true', { ...body, datasetId }));
        if (response.status !== 202) continue;
        const { id } = bodyOf(response) as { id: string };
        for (const person of [people.reader, people.writer]) await send(as(person).get(`/jobs/${id}`));
      }
    }
    await look(send, scenario);
  },
};

const idsSeenBy = async (send: SendToBoth, person: Person, datasetId: string): Promise<string[]> => {
  const response = await send(sequence(person, datasetId, { includeInternalFields: true, batchSize: -1 }));
  if (response.status !== 200) return [];
  return batchOf(response).records.map((record) => String(record['_koverse_record_id']));
};

export const recordSourceCases: Record<keyof typeof recordSourceRoutes, Case> = {
  getRecordSource: async (send, scenario) => {
    const { people, datasets, hidden } = scenario;
    await uploaded(send, scenario);
    const own = (await idsSeenBy(send, people.reader, datasets.notes)).slice(-8);
    const shared = (await idsSeenBy(send, people.reader, datasets.shared)).slice(-8);
    for (const person of [people.reader, people.writer, people.admin, people.outsider]) {
      for (const datasetId of [datasets.notes, ...unseen(scenario)]) {
        // Some of the other datasets are visible to these two, so the responses may differ between the worlds.
        if ([people.admin, people.outsider].includes(person) && datasetId !== datasets.notes) continue;
        for (const recordId of [...own, ...shared, hidden.record, hidden.note, 'none', "' OR 1"]) {
          const path = `/datasets/${datasetId}/records/${encodeURIComponent(recordId)}/source`;
          await send(as(person).get(path));
        }
      }
    }
  },
};

const everybody = ({ people }: Scenario): Person[] => [
  people.reader,
  people.writer,
  people.admin,
  people.outsider,
];

/** Lists uploads as several people, and reads the records and the jobs of the notes. */
const lookAtUploads = async (send: SendToBoth, scenario: Scenario): Promise<void> => {
  const { datasets } = scenario;
  for (const person of everybody(scenario)) {
    for (const datasetId of [datasets.notes, ...unseen(scenario)])
      await send(as(person).get(`/uploads?datasetId=${datasetId}&$limit=-1`));
  }
  await look(send, scenario);
};

const rejectedIds = async (
  send: SendToBoth,
  person: Person,
  datasetId: string,
  jobId: string,
): Promise<string[]> => {
  const path = `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
  return (await done<{ data: { id: string }[] }>(send, as(person).get(path))).data.map(({ id }) => id);
};

export const uploadFileCases: Record<keyof typeof uploadFileRoutes, Case> = {
  listUploads: async (send, scenario) => {
    const { people, datasets, hidden, mixedUpload } = scenario;
    await uploaded(send, scenario);
    const aims = {
      id: [hidden.upload, mixedUpload.uploadId, 'none'],
      jobId: [hidden.ingestJob, mixedUpload.jobId],
    };
    for (const datasetId of [datasets.notes, datasets.shared]) {
      for (const request of listRequests(routes.listUploads, people.reader, aims, { datasetId }))
        await send(request);
    }
    await send(as(people.reader).get('/uploads'));
    await lookAtUploads(send, scenario);
  },
  deleteUpload: async (send, scenario) => {
    const { people, datasets, hidden, mixedUpload } = scenario;
    const files = { 'notes.csv': rows };
    const { uploadId } = await done<{ uploadId: string }>(
      send,
      uploadRequest(people.reader, datasets.notes, files),
    );
    await lookAtUploads(send, scenario);
    for (const id of [hidden.upload, 'none', mixedUpload.uploadId, uploadId]) {
      for (const person of [people.outsider, people.writer, people.reader])
        await send(as(person).remove(`/uploads/${id}`));
      await lookAtUploads(send, scenario);
    }
    await send(as(people.reader).remove(`/uploads/${uploadId}`));
  },
  replayRejectedRows: async (send, scenario) => {
    const { people, datasets, hidden, mixedUpload } = scenario;
    const job = await uploaded(send, scenario, `${rows}wrong again,"(A"\n`);
    const own = await rejectedIds(send, people.reader, datasets.notes, job);
    const text = JSON.stringify({ note: 'mended', label: 'ALPHA' });
    const bodies = [`${hidden.uploadFile}/2`, 'none', ...own, ...own].map((id) => ({ rows: [{ id, text }] }));
    for (const body of bodies) {
      for (const id of [hidden.ingestJob, mixedUpload.jobId, 'none', job]) {
        for (const person of [people.writer, people.reader])
          await send(as(person).post(`/jobs/${id}/rejected-rows/replay`, body));
      }
    }
    await lookAtUploads(send, scenario);
    await send(as(people.reader).get(`/rejected-rows?datasetId=${datasets.notes}&$limit=-1`));
  },
};
