/* Shows: A-jobs-whole */
import { createApiClient, type ApiClient } from '@redoubt/api-client';
import type { Job } from '@redoubt/contract';
import { readTestEffort } from '@redoubt/testkit';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const rounds = readTestEffort('REDOUBT_JOB_CRASH_ROUNDS', 2);
/** The kill comes at a random time within this span after the jobs were requested. */
const maxRoundMilliseconds = 200;
const records = 400;
const password = 'correct horse battery';
const securityLabelInfo = {
  fields: 'label',
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

/**
 * The effect of each job on the records 0 to 399 of its dataset: the label that a record has afterwards, or undefined
 * if it is deleted.
 */
const kinds = {
  'delete by ids': (n: number) => (n % 4 === 0 && n < 100 ? undefined : 'A'),
  'delete by query': (n: number) => (n >= 100 && n < 300 ? undefined : 'A'),
  'delete documents': (n: number) => (Math.floor(n / 10) % 20 === 3 ? undefined : 'A'),
  relabel: (n: number) => (n < 150 ? 'A&B' : 'A'),
  clear: () => undefined,
  reindex: () => 'A',
} as const satisfies Record<string, (n: number) => string | undefined>;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const read = async (client: ApiClient, datasetId: string): Promise<Record<string, unknown>[]> => {
  const { records: found } = await client.readInSequence({
    body: { datasetId, startingRecordId: '', batchSize: -1, includeInternalFields: true },
  });
  return found;
};
const endOf = async (client: ApiClient, id: string): Promise<Job> => {
  for (;;) {
    const job = await client.getJob({ params: { id } });
    if (!['queued', 'running'].includes(job.status)) return job;
    await delay(20);
  }
};
const labelsOf = (rows: readonly Record<string, unknown>[]): Map<number, string> =>
  new Map(rows.map((row) => [Number(row['n']), String(row['_koverse_security_label'])]));
const sorted = (labels: Map<number, string>) => [...labels].toSorted(([a], [b]) => a - b);

const requestJob = async (client: ApiClient, kind: Kind, datasetId: string): Promise<Job> => {
  const params = { datasetId };
  switch (kind) {
    case 'delete by ids': {
      const rows = (await read(client, datasetId)).filter(({ n }) => Number(n) % 4 === 0 && Number(n) < 100);
      const recordIds = rows.map((row) => String(row['_koverse_record_id']));
      return client.deleteRecords({ params, body: { recordIds } });
    }
    case 'delete by query':
      return client.deleteRecordsByQuery({ params, body: { query: 'n:[100 TO 299]' } });
    case 'delete documents':
      return client.deleteDocumentsByQuery({ params, body: { query: 'part:3 AND page:7' } });
    case 'relabel':
      return client.relabelRecords({ params, body: { label: 'B&A', query: 'n:[0 TO 149]' } });
    case 'clear':
      return client.clearDataset({ params });
    case 'reindex': {
      const create = ['n', ['part', 'page'], { fields: ['document_id', 'label'] }];
      return client.manageIndexes({ body: { action: 'modifyIndexes', datasetId, create } });
    }
  }
};

describe('a server that is killed while jobs run', () => {
  let dataDir: string;
  let server: ServerProcess;

  const signIn = async (): Promise<ApiClient> => {
    const { accessToken } = await createApiClient({ baseUrl: server.url }).authenticate({
      body: { strategy: 'local', email: 'reader@jobs.example', password },
    });
    return createApiClient({ baseUrl: server.url, token: accessToken });
  };
  const start = async (): Promise<ServerProcess> =>
    startServerProcess({ dataDir, environment: { LOG_LEVEL: 'error' } });

  before(async () => {
    dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-jobs-crash-')));
    server = await start();
    const anybody = createApiClient({ baseUrl: server.url });
    const person = { firstName: 'Kim', lastName: 'Test', password };
    await anybody.createUser({ body: { ...person, email: 'admin@jobs.example' } });
    const { accessToken } = await anybody.authenticate({
      body: { strategy: 'local', email: 'admin@jobs.example', password },
    });
    const visitor = createApiClient({ baseUrl: server.url, token: accessToken });
    await visitor.createWorkspace({ body: { name: 'Jobs' } });
    const reader = await visitor.createUser({
      body: { ...person, email: 'reader@jobs.example', workspaceId: 'jobs' },
    });
    for (const token of ['A', 'B']) {
      const attribute = await visitor.createAttribute({ body: { name: token, token } });
      await visitor.createAttributeAssignment({ body: { attributeId: attribute.id, userId: reader.id } });
    }
  });
  after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });

  const fill = async (client: ApiClient, name: string): Promise<string> => {
    const { id } = await client.createDataset({ body: { name, workspaceId: 'jobs' } });
    const rows = Array.from({ length: records }, (_, n) => ({
      n,
      label: 'A',
      document_id: `d${Math.floor(n / 10)}`,
      page: n % 10,
      part: Math.floor(n / 10) % 20,
    }));
    await client.writeRecordsV2({ params: { datasetId: id }, body: { records: rows, securityLabelInfo } });
    return id;
  };

  const asFilled = new Map(Array.from({ length: records }, (_, n) => [n, 'A']));
  const expectedOf = (kind: Kind): Map<number, string> =>
    new Map(
      Array.from({ length: records }, (_, n) => [n, kinds[kind](n)] as const).flatMap(([n, label]) =>
        label === undefined ? [] : [[n, label] as const],
      ),
    );

  test('after kills at random times, every acknowledged job is done completely, and no reader sees a part of it', async () => {
    let interrupted = 0;
    for (let round = 0; round < rounds; round++) {
      let client = await signIn();
      const datasets: [Kind, string][] = [];
      for (const kind of names) datasets.push([kind, await fill(client, `${kind} ${round}`)]);
      const jobs = await Promise.all(
        datasets.map(async ([kind, datasetId]) => ({
          kind,
          datasetId,
          job: await requestJob(client, kind, datasetId),
        })),
      );
      // The first kill comes at once, when some jobs cannot have ended.
      if (round > 0) await delay(Math.random() * maxRoundMilliseconds);
      const killedAt = Date.now();
      await server.kill();
      server = await start();
      client = await signIn();
      for (const { kind, datasetId, job } of jobs) {
        const seen = labelsOf(await read(client, datasetId));
        const whole = [asFilled, expectedOf(kind)].some((state) => {
          const [a, b] = [JSON.stringify(sorted(state)), JSON.stringify(sorted(seen))];
          return a === b;
        });
        ok(whole, `${kind} was partly visible: ${seen.size} records`);
        const ended = await endOf(client, job.id);
        deepEqual([ended.status, ended.error], ['completed', null], kind);
        if (Date.parse(String(ended.endedAt)) > killedAt) interrupted += 1;
        deepEqual(sorted(labelsOf(await read(client, datasetId))), sorted(expectedOf(kind)), kind);
        const { recordCount } = await client.getDataset({ params: { id: datasetId } });
        equal(recordCount, expectedOf(kind).size, kind);
        await client.deleteDataset({ params: { id: datasetId } });
      }
    }
    ok(interrupted > 0, 'no kill interrupted a job');
  });
});
