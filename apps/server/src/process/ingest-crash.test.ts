/* Shows: A-ingest-once */
import type { Dataset, Job, JobReceipt, UploadResult } from '@redoubt/contract';
import {
  multipartBody,
  readTestEffort,
  sendRequest,
  startMariadb,
  startTestS3,
  type TestS3,
} from '@redoubt/testkit';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const rounds = readTestEffort('REDOUBT_INGEST_ROUNDS', 5, 1);
const password = 'correct horse battery';
/** Rows of the file of each round. Some of them are deleted while the file is being stored. */
const rows = 600;
const blockRows = 40;
const deletedRows = 40;
type Change = 'clear' | 'delete';

/** Each kill comes at a random time within this span. */
const spanMs = 2500;

/** A CSV file in which each row names the row before it. */
const linkedRows = `n,previous\n${Array.from({ length: rows }, (_, n) => `${n},${n - 1}`).join('\n')}\n`;

/** A step that takes longer is reported; the test continues to wait. */
const reportAfterMs = 60_000;

/** Prints to standard error what a test waits for when that takes long, so that a run that hangs can be explained. */
const createWaitReport = () => {
  const waits = new Map<string, { since: number; state: unknown }>();
  const timer = setInterval(() => {
    for (const [what, { since, state }] of waits) {
      const waited = performance.now() - since;
      if (waited < reportAfterMs) continue;
      process.stderr.write(
        `Waiting for ${what} for ${Math.round(waited / 1000)} s: ${JSON.stringify(state)}\n`,
      );
    }
  }, reportAfterMs);
  timer.unref();
  return {
    /** Runs a step. The step calls `note` with its state, which the report prints. */
    during: async <Result>(what: string, work: (note: (state: unknown) => void) => Promise<Result>) => {
      const wait: { since: number; state: unknown } = { since: performance.now(), state: 'begun' };
      waits.set(what, wait);
      try {
        return await work((state) => void (wait.state = state));
      } finally {
        waits.delete(what);
      }
    },
    end: () => clearInterval(timer),
  };
};

const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => n + from);

describe('a server, parser or object store that is killed while files are stored', () => {
  let dataDir: string;
  let s3: TestS3;
  let server: ServerProcess;
  let token: string;
  const report = createWaitReport();

  const start = (): Promise<ServerProcess> =>
    startServerProcess({
      dataDir,
      environment: {
        LOG_LEVEL: 'error',
        INGEST_BLOCK_ROWS: String(blockRows),
        JOBS_PER_WORKSPACE: '4',
        ALLOW_PRIVATE_ADDRESSES: 'yes',
        S3_BUCKET: s3.bucket,
        S3_ENDPOINT: s3.endpoint,
        S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      },
    });
  const call = async <T>(method: 'GET' | 'PATCH' | 'POST', path: string, body?: unknown): Promise<T> => {
    const response = await sendRequest<T>(server, method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    ok(
      response.status < 300,
      `${method} ${path} answered ${response.status}: ${JSON.stringify(response.body)}`,
    );
    return response.body;
  };
  const signIn = async (): Promise<string> => {
    const body = { strategy: 'local', email: 'admin@crash.example', password };
    return (await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })).body
      .accessToken;
  };

  before(async () => {
    dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-ingest-')));
    s3 = await startTestS3();
    server = await start();
    const body = { email: 'admin@crash.example', firstName: 'Kim', lastName: 'Test', password };
    await sendRequest(server, 'POST', '/users', { body });
    token = await signIn();
    await call('POST', '/workspaces', { name: 'Crash' });
    token = await signIn();
  });
  after(async () => {
    report.end();
    await server.kill();
    await s3.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const restart = async (): Promise<void> => {
    await server.kill();
    server = await report.during('the start of the server', start);
    token = await signIn();
  };
  const stored = async (datasetId: string): Promise<{ n: number; previous: number }[]> =>
    (
      await call<{ records: { n: number; previous: number }[] }>('POST', '/readInSequence', {
        datasetId,
        batchSize: -1,
      })
    ).records;
  const settled = (id: string): Promise<Job> =>
    report.during(`the end of the job ${id}`, async (note) => {
      for (;;) {
        const job = await call<Job>('GET', `/jobs/${id}`);
        note(job);
        if (job.endedAt !== null) return job;
        await delay(50);
      }
    });
  const upload = async (
    datasetId: string,
    content = linkedRows,
    parts: Readonly<Record<string, string>> = {},
  ): Promise<UploadResult> => {
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: datasetId },
      ...Object.entries(parts).map(([name, part]) => ({ name, content: part })),
      { name: 'files', fileName: 'linked.csv', content },
    ]);
    const response = await fetch(`${server.url}/uploads`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: Uint8Array.from(body),
    });
    const text = await response.text();
    equal(response.status, 201, text);
    return JSON.parse(text) as UploadResult;
  };

  /** Kills the parser processes of the server. @returns how many there were */
  const killParsers = async (): Promise<number> => {
    let killed = 0;
    for (const entry of await readdir('/proc').catch(() => [])) {
      if (!/^\d+$/.test(entry)) continue;
      const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
      const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
      if (!status.includes(`PPid:\t${server.pid}\n`) || !command.includes('parser-worker')) continue;
      try {
        process.kill(Number(entry), 'SIGKILL');
        killed++;
      } catch {
        // It has ended meanwhile.
      }
    }
    return killed;
  };

  /** Waits until the first rows can be seen. */
  const firstRows = (datasetId: string): Promise<void> =>
    report.during(`rows in the dataset ${datasetId}`, async (note) => {
      for (;;) {
        const count = (await stored(datasetId)).length;
        note(count);
        if (count >= deletedRows) return;
        await delay(20);
      }
    });

  /** Changes the dataset once rows can be seen. Ends early when the server is killed. */
  const changeBeside = async (datasetId: string, change: Change): Promise<void> => {
    try {
      await firstRows(datasetId);
      if (change === 'clear') await call('POST', `/storage/datasets/${datasetId}/clear`, {});
      else
        await call('POST', `/storage/datasets/${datasetId}/deleteRecords/query`, {
          query: `n:[0 TO ${deletedRows - 1}]`,
        });
    } catch {
      // The server was killed.
    }
  };

  /** Retries a job until it has completed, or until its files are gone because the dataset was cleared while it had failed. */
  const endedWhole = async (jobId: string): Promise<Job> =>
    report.during(`the completion of the job ${jobId}`, async (note) => {
      for (let retries = 0; ; retries++) {
        const job = await settled(jobId);
        note({ retries, job });
        if (job.status === 'completed') return job;
        // The parser or the object store was killed, not the server.
        equal(job.status, 'failed', JSON.stringify(job));
        if (job.error?.message.startsWith('The files of this job were deleted') === true) return job;
        await call('PATCH', `/jobs/${jobId}`, { status: 'queued' });
      }
    });

  /** The jobs that changed the dataset, at their end. */
  const changesOf = async (datasetId: string, type: string): Promise<Job[]> => {
    const { data } = await call<{ data: Job[] }>('GET', `/jobs?datasetId=${datasetId}&type=${type}`);
    return Promise.all(data.map(({ id }) => settled(id)));
  };
  const hasHappened = async (datasetId: string, type: string): Promise<boolean> =>
    (await changesOf(datasetId, type)).some(({ status }) => status === 'completed');

  const check = async (datasetId: string, { jobId }: UploadResult): Promise<void> => {
    const ended = await endedWhole(jobId);
    const wasCleared = await hasHappened(datasetId, 'clear-dataset');
    const wasDeleted = await hasHappened(datasetId, 'delete-record');
    const found = (await stored(datasetId)).toSorted((a, b) => a.n - b.n);
    // Blocks are stored in the order of the file, so after a clear only its last rows are left.
    const first = wasCleared ? rows - found.length : wasDeleted ? deletedRows : 0;
    deepEqual(
      found.map(({ n }) => n),
      Array.from({ length: rows - first }, (_, n) => n + first),
      'rows are missing, there twice, or brought back',
    );
    ok(
      found.every(({ n, previous }) => previous === n - 1),
      'a row was changed',
    );
    if (ended.status !== 'completed') {
      ok(wasCleared, JSON.stringify(ended));
      return;
    }
    if (wasCleared) ok(first >= deletedRows, `a clear left ${found.length} of ${rows} rows`);
    const receipt = await call<JobReceipt>('GET', `/jobs/${jobId}/receipt`);
    equal(receipt.received, rows, JSON.stringify(receipt));
    equal((receipt.written ?? 0) + (receipt.duplicate ?? 0), rows);
  };

  test('each row of a file is stored exactly once, and none that was deleted comes back, after kills of server and parser at random moments', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await call<Dataset>('POST', '/datasets', {
        name: `Linked ${round}`,
        workspaceId: 'crash',
      });
      const made = await upload(id);
      const changing = changeBeside(id, round % 4 === 3 ? 'clear' : 'delete');
      await delay(Math.random() * spanMs);
      if (round % 3 === 2) await killParsers();
      else if (round % 3 === 1) await s3.restart();
      else await restart();
      if (round % 2 === 1) {
        await delay((Math.random() * spanMs) / 2);
        await restart();
      }
      // A job whose parser was killed stores no further rows until it is retried.
      await Promise.all([changing, endedWhole(made.jobId)]);
      await check(id, made);
    }
  });

  /** Kills the server or its parsers at a random time, twice in every second round. */
  const killInRound = async (round: number): Promise<void> => {
    await delay(Math.random() * spanMs);
    if (round % 3 === 2) await killParsers();
    else await restart();
    if (round % 2 === 0) return;
    await delay((Math.random() * spanMs) / 2);
    await restart();
  };
  const numbersOf = async (datasetId: string): Promise<number[]> =>
    (await stored(datasetId)).map(({ n }) => n).toSorted((a, b) => a - b);

  test('a file replaces all records at once or none, and upserts each key once, after kills of server and parser at random moments', async () => {
    const old = numbers(-50, 50);
    for (let round = 0; round < rounds; round++) {
      const { id } = await call<Dataset>('POST', '/datasets', {
        name: `Replaced ${round}`,
        workspaceId: 'crash',
      });
      await call(
        'POST',
        `/write/${id}`,
        old.map((n) => ({ n })),
      );
      const replaced = await upload(id, linkedRows, { writeMode: 'replace' });
      await killInRound(round);
      const between = await numbersOf(id);
      deepEqual(between, between.length === old.length ? old : numbers(0, rows));
      await endedWhole(replaced.jobId);
      deepEqual(await numbersOf(id), numbers(0, rows));
      const receipt = await call<JobReceipt>('GET', `/jobs/${replaced.jobId}/receipt`);
      deepEqual([receipt.received, receipt.written, receipt.replaced], [rows, rows, old.length]);

      const changed = numbers(rows / 2, rows).map((n) => `${n},${n - 1}`);
      const content = `n,previous\n${changed.join('\n')}\n`;
      const upserted = await upload(id, content, { writeMode: 'upsert', keyColumns: '["n"]' });
      await killInRound(round + 1);
      await endedWhole(upserted.jobId);
      deepEqual(await numbersOf(id), numbers(0, rows * 1.5));
      const both = await call<JobReceipt>('GET', `/jobs/${upserted.jobId}/receipt`);
      deepEqual(
        [both.received, (both.written ?? 0) + (both.duplicate ?? 0), both.replaced],
        [rows, rows, rows / 2],
      );
    }
  });

  const databaseRounds = Math.ceil(rounds / 2);
  test('a table of a database whose copy is cut by a kill is copied again, and each row stored once', async (t) => {
    const mariadb = await startMariadb();
    if ('missing' in mariadb) return t.skip(mariadb.missing);
    const { port, database, username, password: secret } = mariadb;
    // Each row takes its time, so that some kills come while the rows are copied, and some while they are stored.
    const query = `SELECT seq AS n, CAST(seq AS SIGNED) - 1 AS previous FROM seq_0_to_${rows - 1} WHERE sleep(0.002) = 0`;
    const info = { databaseType: 'mysql', host: '127.0.0.1', port, database, username, password: secret };
    try {
      for (let round = 0; round < databaseRounds; round++) {
        const { id } = await call<Dataset>('POST', '/datasets', {
          name: `Copied ${round}`,
          workspaceId: 'crash',
        });
        const job = await call<Job>('POST', '/ingest?isAsync=true', {
          datasetId: id,
          dataSourceParams: { type: 'JDBC', connectionInfo: { ...info, tls: false, query } },
        });
        await delay(Math.random() * 2 * spanMs);
        await restart();
        const { status, error } = await settled(job.id);
        deepEqual([status, error], ['completed', null]);
        deepEqual(await numbersOf(id), numbers(0, rows));
        const receipt = await call<JobReceipt>('GET', `/jobs/${job.id}/receipt`);
        deepEqual([receipt.received, (receipt.written ?? 0) + (receipt.duplicate ?? 0)], [rows, rows]);
      }
    } finally {
      await mariadb.stop();
    }
  });
});
