/* Shows: A-clean-stop */
import { createApiClient } from '@redoubt/api-client';
import {
  createRecordFixture,
  multipartBody,
  readTestEffort,
  type RawResponse,
  type RecordFixture,
  type TestClickhouse,
} from '@redoubt/testkit';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { startTestClickhouse } from '@redoubt/records/testing';
import type { Job } from '@redoubt/contract';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sendCommand } from '../platform/control/index.ts';

/**
 * Rounds for each kind of work alone and for all together, with each signal; with 0, all run together and are stopped
 * once.
 */
const rounds = readTestEffort('REDOUBT_STOP_ROUNDS', 0);
const graceSeconds = 1;
/** The limit that the server guarantees, plus 5 seconds for a machine so busy that its timers are late. */
const boundSeconds = graceSeconds + 5 + 5;
/** After this time the process counts as hanging, however busy the machine is. */
const hopelessMs = 90_000;
const people = 60;
const bulk = 20_000;
const jobRecords = 400;
/** Rows of an uploaded file, stored in many small blocks. */
const fileRows = 2000;

interface World {
  fixture: RecordFixture;
  server: ServerProcess;
  dataDir: string;
  /** Tokens of readers, each with engine connections of its own. */
  readers: string[];
  bulkId: string;
  writtenId: string;
  /** A port that accepts connections and never responds. */
  silentPort: number;
  /** Ids of the acknowledged writes. */
  written: Set<string>;
  jobs: { id: string; kind: (typeof jobKinds)[number]; datasetId: string }[];
  /** Jobs that store an uploaded file. */
  ingests: { id: string; datasetId: string }[];
  /** Jobs that read from a server that does not respond. */
  fetches: string[];
  backups: { place: string; isDone: boolean }[];
  sockets: Socket[];
}

/** The response that a client got; `undefined` if its connection was closed. */
type Outcome = RawResponse | undefined;

const outcomeOf = (response: Promise<RawResponse>): Promise<Outcome> => response.catch(() => undefined);

/** Checks that a stop responded with 503 or closed the connection. */
const isCutOff = (seen: Outcome): void => {
  if (seen === undefined) return;
  equal(seen.status, 503, seen.text);
  const { name, code, message } = JSON.parse(seen.text) as { name: string; code: number; message: string };
  deepEqual([name, code], ['AccumuloError', 503]);
  match(message, /Try again|again in a moment/);
};

const tables = (count: number): string =>
  Array.from({ length: count }, (_, i) => `people AS j${i}`).join(', ');
/** A join with too many rows for any engine to finish. */
const endless = `SELECT count(*) FROM ${tables(12)} WHERE j1.id + j2.id + j3.id + j11.id <> 7`;
/** A streamed response of megabytes; with a subquery as `value`, another thread of the engine produces it. */
const rowsOf = (persons: number, value = 'p.id'): string =>
  `SELECT b.n, b.text, ${value} AS v FROM bulk AS b, people AS p WHERE p.id < ${persons}`;
const fromThread = '(SELECT count(*) FROM people)';
const sorted = `SELECT j0.name, j1.id AS b, j2.id AS c FROM ${tables(4)} ORDER BY j3.name, j1.id, j0.name, j2.id`;

const query = ({ fixture, readers }: World, reader: number, expression: string, path = '/query', more = {}) =>
  outcomeOf(fixture.post(path, JSON.stringify({ expression, ...more }), { token: readers[reader] ?? '' }));

/** Sends requests that need another host, which may time out before the stop. */
const untilStopped = async (send: () => Promise<Outcome>): Promise<void> => {
  let seen = await send();
  while (seen?.status === 502) seen = await send();
  isCutOff(seen);
};

/** Repeats a request until the server rejects it or has stopped. */
const repeatUntilStopped = async (
  send: () => Promise<Outcome>,
  whole: (response: RawResponse) => void,
): Promise<void> => {
  for (;;) {
    const seen = await send();
    if (seen?.status !== 200) return isCutOff(seen);
    whole(seen);
  }
};

const open = async ({ server, sockets }: World): Promise<Socket> => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

const never = (): Promise<never> =>
  Promise.reject(new Error('an endless response ended as if it were complete'));
const endlessly = async (pending: Promise<Outcome>): Promise<void> => {
  const seen = await pending;
  if (seen?.status === 200) return never();
  isCutOff(seen);
};

const jobKinds = ['delete', 'relabel', 'clear', 'reindex'] as const;

const fillForJob = async ({ fixture }: World): Promise<string> => {
  const datasetId = await fixture.dataset(['read', 'write', 'manage']);
  const rows = Array.from({ length: jobRecords }, (_, n) => ({ n }));
  equal((await fixture.write(datasetId, rows)).status, 200);
  return datasetId;
};

const requestJob = (
  { readers, server }: World,
  kind: (typeof jobKinds)[number],
  datasetId: string,
): Promise<Job> => {
  const client = createApiClient({ baseUrl: server.url, token: readers[0] ?? '' });
  const params = { datasetId };
  switch (kind) {
    case 'delete':
      return client.deleteRecordsByQuery({ params, body: { query: 'n:[0 TO 99]' } });
    case 'relabel':
      return client.relabelRecords({ params, body: { label: 'A', query: 'n:[0 TO 99]' } });
    case 'clear':
      return client.clearDataset({ params });
    case 'reindex':
      return client.manageIndexes({ body: { action: 'modifyIndexes', datasetId, create: ['n'] } });
  }
};

const uploadFile = async ({ fixture }: World, datasetId: string): Promise<RawResponse> => {
  const content = `n\n${Array.from({ length: fileRows }, (_, n) => n).join('\n')}\n`;
  const { body, headers } = multipartBody([
    { name: 'datasetId', content: datasetId },
    { name: 'files', fileName: 'numbers.csv', content },
  ]);
  return fixture.post('/uploads', body, { headers });
};

interface Kind {
  environment?: (port: number) => Record<string, string>;
  /** Runs before any work starts, which slows down everything else. */
  prepare?: (world: World) => Promise<void>;
  /** Starts the work; resolves, once it runs, to the checks of its clients. */
  begin: (world: World) => Promise<Promise<void>[]>;
}

const reads = (begin: (world: World) => Promise<void>): Kind => ({ begin: async (world) => [begin(world)] });

const kinds: Readonly<Record<string, Kind>> = {
  'readers that do not read': {
    begin: async ({ server, readers, sockets }) => {
      for (const rows of [rowsOf(people), rowsOf(people, fromThread)]) {
        const pending = request(`${server.url}/query`, {
          method: 'POST',
          headers: { authorization: `Bearer ${readers[3]}`, 'content-type': 'application/json' },
          agent: false,
        });
        pending.on('error', () => undefined).on('socket', (socket) => sockets.push(socket));
        pending.end(JSON.stringify({ expression: rows, limit: -1 }));
        const [response] = (await once(pending, 'response')) as [IncomingMessage];
        equal(response.statusCode, 200);
        response.on('error', () => undefined);
      }
      return [];
    },
  },
  writes: {
    begin: async ({ fixture, writtenId, written, readers }) =>
      Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; ; n++) {
          const mark = `${String(Date.now())}.${writer}.${n}`;
          const rows = Array.from({ length: 20 }, (_, index) => ({ mark, index }));
          const seen = await outcomeOf(fixture.write(writtenId, rows, { token: readers[writer] ?? '' }));
          if (seen?.status !== 200) return isCutOff(seen);
          written.add(mark);
        }
      }),
  },
  backups: reads(async ({ dataDir, backups }) => {
    for (;;) {
      const backup = { place: `${dataDir}-backup-${backups.length}`, isDone: false };
      backups.push(backup);
      const made = await sendCommand(dataDir, ['backup', backup.place]).catch(() => undefined);
      if (made === undefined) return;
      backup.isDone = true;
    }
  }),
  'a slow upload': {
    begin: async (world) => {
      const socket = await open(world);
      const { fixture, writtenId } = world;
      let heard = '';
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.write(
        `POST /write/${writtenId} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${fixture.admin}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n[`,
      );
      const timer = setInterval(() => socket.write('      '), 50);
      const ended = async (): Promise<void> => {
        // `once` would reject if the connection is closed.
        await new Promise((resolve) => socket.once('close', resolve));
        clearInterval(timer);
        if (heard !== '') match(heard, /^HTTP\/1\.1 503 [^]*AccumuloError/);
      };
      return [ended()];
    },
  },
  'a slow upload of a file': {
    begin: async (world) => {
      const socket = await open(world);
      const head = `POST /uploads HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${world.fixture.admin}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n`;
      const datasetId = await world.fixture.dataset(['read', 'write', 'manage']);
      const named = `--b\r\ncontent-disposition: form-data; name="datasetId"\r\n\r\n${datasetId}\r\n`;
      const part = `--b\r\ncontent-disposition: form-data; name="files"; filename="a.csv"\r\n\r\nn\r\n`;
      socket.write(head + named + part);
      const timer = setInterval(() => socket.write('1\r\n'), 50);
      const ended = async (): Promise<void> => {
        await new Promise((resolve) => socket.once('close', resolve));
        clearInterval(timer);
      };
      return [ended()];
    },
  },
  ingest: {
    begin: async (world) => {
      const { fixture, ingests, silentPort } = world;
      const datasetId = await fixture.dataset(['read', 'write', 'manage']);
      const { status, text } = await uploadFile(world, datasetId);
      equal(status, 201, text);
      ingests.push({ id: (JSON.parse(text) as { jobId: string }).jobId, datasetId });
      const body = {
        workspaceId: fixture.workspace.id,
        datasetId,
        securityLabeled: false,
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [{ url: `http://127.0.0.1:${silentPort}/a.csv` }] },
        },
      };
      world.fetches.push((await fixture.call<Job>(202, 'POST', '/ingest?isAsync=true', { body })).id);
      return [];
    },
  },
  previews: reads(({ fixture }) => {
    const content = `n\n${'1\n'.repeat(20_000)}`;
    const { body, headers } = multipartBody([{ name: 'files', fileName: 'a.csv', content }]);
    return repeatUntilStopped(
      () => outcomeOf(fixture.post('/uploads/preview', body, { headers })),
      ({ text }) => match(text, /"rows"/),
    );
  }),
  'idle connections': {
    begin: async (world) => {
      await open(world);
      const pending = await open(world);
      pending.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
      await once(pending, 'data');
      const half = await open(world);
      half.write('GET /health HTTP/1.1\r\nhost:');
      return [];
    },
  },
  'a mail server that does not respond': {
    environment: (port) => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@example.org' }),
    begin: async ({ fixture }) => {
      const body = { email: fixture.workspace.admin.email };
      await fixture.call(201, 'POST', '/password-resets', { body });
      return [];
    },
  },
  'an identity provider that does not respond': {
    environment: (port) => ({
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
    }),
    begin: async ({ fixture }) => {
      const body = JSON.stringify({ strategy: 'github', access_token: 'a' });
      return [untilStopped(() => outcomeOf(fixture.post('/authentication', body)))];
    },
  },
  'a payment provider that does not respond': {
    environment: (port) => ({
      STRIPE_SECRET_KEY: 'sk_test_a',
      STRIPE_WEBHOOK_SECRET: 'whsec_a',
      STRIPE_PRICE_BASE: 'price_a',
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
    }),
    begin: async ({ fixture }) => [untilStopped(() => outcomeOf(fixture.post('/billing/checkout', '')))],
  },
  jobs: {
    prepare: async (world) => {
      for (const kind of jobKinds) world.jobs.push({ id: '', kind, datasetId: await fillForJob(world) });
    },
    begin: async (world) => {
      for (const job of world.jobs) job.id = (await requestJob(world, job.kind, job.datasetId)).id;
      return [];
    },
  },
  'an aggregate': reads((world) => endlessly(query(world, 0, endless))),
  'a scalar subquery': reads((world) =>
    endlessly(query(world, 0, `SELECT id, (${endless}) AS v FROM people`, '/query', { limit: -1 })),
  ),
  'streams of rows': {
    begin: async (world) =>
      [rowsOf(3), rowsOf(3, fromThread)].map((rows, reader) =>
        repeatUntilStopped(
          () => query(world, reader, rows, '/query', { limit: -1 }),
          ({ text }) => equal((JSON.parse(text) as { records: [] }).records.length, 3 * bulk),
        ),
      ),
  },
  'a sort': reads((world) =>
    repeatUntilStopped(() => query(world, 1, sorted, '/query', { limit: -1 }), noCheck),
  ),
  'a summary': reads((world) =>
    endlessly(
      query(
        world,
        2,
        endless.replaceAll('people', 'dataset').replaceAll('.id', '.n'),
        '/query/datasets/summary',
        {
          datasetIds: [world.bulkId],
        },
      ),
    ),
  ),
  searches: reads((world) =>
    repeatUntilStopped(
      () => query(world, 2, 'text:*ab*', '/query/lucene', { datasetId: world.bulkId, limit: 1000 }),
      ({ text }) => equal((JSON.parse(text) as { records: [] }).records.length, 1000),
    ),
  ),
  'bulk reads': reads(({ fixture, bulkId }) => {
    const body = JSON.stringify({ datasetId: bulkId, startingRecordId: '', batchSize: -1 });
    return repeatUntilStopped(
      () => outcomeOf(fixture.post('/readInSequence', body)),
      ({ text }) => equal((JSON.parse(text) as { records: [] }).records.length, bulk),
    );
  }),
};

function noCheck(): void {
  // A response that was complete before the stop.
}

for (const engine of ['embedded', 'ClickHouse'] as const)
  describe(`a server that is stopped during work, engine ${engine}`, () => {
    let world: World;
    let clickhouse: TestClickhouse | undefined;
    let silent: Server;

    const start = (environment: Record<string, string> = {}): Promise<ServerProcess> =>
      startServerProcess({
        dataDir: world.dataDir,
        environment: {
          LOG_LEVEL: 'error',
          QUERY_TIMEOUT_SECONDS: '600',
          STOP_GRACE_SECONDS: String(graceSeconds),
          INGEST_BLOCK_ROWS: '100',
          ALLOW_PRIVATE_ADDRESSES: 'yes',
          ...(clickhouse === undefined
            ? {}
            : {
                CLICKHOUSE_URL: clickhouse.url,
                CLICKHOUSE_USER: clickhouse.username,
                CLICKHOUSE_PASSWORD: clickhouse.password,
              }),
          ...environment,
        },
      });

    /** The fixture sends requests to the process that is currently running. */
    const address = { url: '' };
    const restart = async (environment?: Record<string, string>): Promise<void> => {
      world.server = await start(environment);
      address.url = world.server.url;
    };

    before(async () => {
      if (engine === 'ClickHouse') clickhouse = await startTestClickhouse();
      silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const folder = await mkdtemp(join(tmpdir(), 'redoubt-stop-'));
      const silentPort = (silent.address() as AddressInfo).port;
      world = {
        ...({} as Pick<World, 'fixture' | 'server' | 'bulkId' | 'writtenId'>),
        dataDir: await migrateDataFolder(join(folder, 'data')),
        readers: [],
        silentPort,
        written: new Set(),
        jobs: [],
        ingests: [],
        fetches: [],
        backups: [],
        sockets: [],
      };
      await restart();
      world.fixture = await createRecordFixture(address);
      const { fixture } = world;
      const peopleId = await fixture.dataset(['read'], { name: 'people' });
      const names = Array.from({ length: people }, (_, id) => ({ id, name: 'a'.repeat(id % 30) }));
      equal((await fixture.write(peopleId, names)).status, 200);
      world.bulkId = await fixture.dataset(['read'], { name: 'bulk' });
      const texts = Array.from({ length: bulk }, (_, n) => ({ n, text: `${n}ab${'c'.repeat(200)}` }));
      equal((await fixture.write(world.bulkId, texts)).status, 200);
      world.writtenId = await fixture.dataset(['read', 'write'], { name: 'written' });
      for (let n = 0; n < 4; n++) world.readers.push((await fixture.newReader('A')).token);
      equal(await world.server.stop(), 0);
    });
    after(async () => {
      await world.server.kill();
      for (const socket of world.sockets) socket.destroy();
      silent.close();
      await clickhouse?.stop();
      await rm(join(world.dataDir, '..'), { recursive: true, force: true });
    });

    const endedJob = async (id: string): Promise<Job> => {
      for (;;) {
        const job = await world.fixture.call<Job>(200, 'GET', `/jobs/${id}`);
        if (!['queued', 'running'].includes(job.status)) return job;
        await delay(20);
      }
    };

    const checkData = async (): Promise<void> => {
      const { fixture, readers, writtenId, written, jobs, ingests, fetches, backups } = world;
      const body = JSON.stringify({ datasetId: writtenId, startingRecordId: '', batchSize: -1 });
      const { status, text } = await fixture.post('/readInSequence', body);
      equal(status, 200, text);
      const { records } = JSON.parse(text) as { records: { mark: string; index: number }[] };
      const stored = Map.groupBy(records, ({ mark }) => mark);
      for (const [mark, rows] of stored) equal(rows.length, 20, `the write ${mark} is incomplete`);
      for (const mark of written) ok(stored.has(mark), `the acknowledged write ${mark} is lost`);
      for (const { id, kind, datasetId } of jobs.splice(0)) {
        const job = await endedJob(id);
        deepEqual([job.status, job.error], ['completed', null], kind);
        const token = readers[0] ?? '';
        const path = `/datasets/${datasetId}`;
        const { recordCount } = await fixture.call<{ recordCount: number }>(200, 'GET', path, { token });
        const left = { delete: jobRecords - 100, clear: 0, relabel: jobRecords, reindex: jobRecords };
        equal(recordCount, left[kind], kind);
      }
      for (const { id, datasetId } of ingests.splice(0)) {
        const job = await endedJob(id);
        deepEqual([job.status, job.error], ['completed', null]);
        const all = JSON.stringify({ datasetId, startingRecordId: '', batchSize: -1 });
        const numbers = (
          JSON.parse((await fixture.post('/readInSequence', all)).text) as { records: { n: number }[] }
        ).records.map(({ n }) => n);
        const stored = numbers.toSorted((a, b) => a - b);
        deepEqual(
          stored,
          Array.from({ length: fileRows }, (_, n) => n),
        );
      }
      for (const id of fetches.splice(0)) {
        const job = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
        // On a busy machine the silent server may have run into its timeout.
        if (job.status === 'failed') equal(job.error?.name, 'HttpClientError');
        else await fixture.call(200, 'PATCH', `/jobs/${id}`, { body: { status: 'canceled' } });
      }
      for (const { place, isDone } of backups.splice(0)) {
        equal(existsSync(place), isDone, `the backup ${place}`);
        await rm(place, { recursive: true, force: true });
        await rm(`${place}.part`, { recursive: true, force: true });
      }
    };

    const stopOnce = async (names: readonly string[], signal: 'SIGINT' | 'SIGTERM'): Promise<void> => {
      const chosen = names.map((name) => kinds[name]).filter((kind) => kind !== undefined);
      await restart(Object.assign({}, ...chosen.map(({ environment }) => environment?.(world.silentPort))));
      for (const { prepare } of chosen) await prepare?.(world);
      const seen: Promise<void>[] = [];
      for (const { begin } of chosen) {
        const begun = await begin(world);
        // Failures while other work starts are checked below.
        for (const each of begun) each.catch(() => undefined);
        seen.push(...begun);
      }
      // Half of the stops come early, before short work has ended.
      await delay(Math.random() < 0.5 ? 100 : Math.random() * 1000);
      const hopeless = new AbortController();
      const code = await Promise.race([
        world.server.stop(signal),
        delay(hopelessMs, 'never', { signal: hopeless.signal }).catch(() => 'never'),
      ]);
      hopeless.abort();
      const output = world.server.output();
      ok(code !== 'never', `the process did not end: ${output}`);
      ok(!output.includes('FATAL'), output);
      // On a very busy machine the watchdog may kill the process before it can print this line.
      const said = /Stopped after ([\d.]+) s(.*)/.exec(output);
      const seconds = Number(said?.[1] ?? 0);
      ok(seconds <= boundSeconds, output);
      if (rounds > 0 || code !== 0) {
        const work = names.length === 1 ? String(names[0]) : 'everything';
        process.stdout.write(
          `${engine}, ${signal}, ${work}: ${seconds} s, code ${String(code)}${said?.[2]}\n`,
        );
      }
      await Promise.all(seen);
      for (const socket of world.sockets.splice(0)) socket.destroy();
      // The next start works without manual steps.
      await restart();
      await checkData();
      equal(await world.server.stop(signal), 0, world.server.output());
    };

    const stopDuringAll = async (signal: 'SIGINT' | 'SIGTERM'): Promise<void> => {
      const all = Object.keys(kinds);
      const alone = all.map((name) => [name]);
      const turns = rounds === 0 ? [all] : Array.from({ length: rounds }, () => [...alone, all]).flat();
      for (const names of turns) await stopOnce(names, signal);
    };

    test('on SIGTERM it ends in time whatever runs, loses nothing that was acknowledged, and can start again', () =>
      stopDuringAll('SIGTERM'));

    test('on SIGINT it ends in time whatever runs, loses nothing that was acknowledged, and can start again', () =>
      stopDuringAll('SIGINT'));
  });
