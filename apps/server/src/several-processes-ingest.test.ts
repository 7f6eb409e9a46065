/* Shows: A-ingest-taken-up */
import type { Job, JobReceipt, Schedule, ScheduleRun, Segment, UploadResult } from '@redoubt/contract';
import {
  createRecordFixture,
  multipartBody,
  sendRequest,
  startTestS3,
  type RecordFixture,
  type TestClickhouse,
} from '@redoubt/testkit';
import {
  createPostgresDatabase,
  metadataEngine,
  openDatabase,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/server/testing';
import { startTestClickhouse } from '@redoubt/records/testing';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const skip = metadataEngine() === 'postgres' ? false : 'several processes need a PostgreSQL server';
const rows = 4000;
const blockRows = 40;
/** A CSV file in which each row names the row before it. */
const linkedRows = `n,previous\n${Array.from({ length: rows }, (_, n) => `${n},${n - 1}`).join('\n')}\n`;

describe('ingest jobs of several processes on the same engines and the same bucket', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-several-ingest-'));
  let clickhouse: TestClickhouse;
  let s3: Awaited<ReturnType<typeof startTestS3>>;
  let environment: Record<string, string>;
  let a: ServerProcess;
  let fixture: RecordFixture;

  const start = (name: string): Promise<ServerProcess> =>
    startServerProcess({ dataDir: join(folder, name), environment });

  before(async () => {
    clickhouse = await startTestClickhouse();
    s3 = await startTestS3();
    environment = {
      DATABASE_URL: await createPostgresDatabase(),
      CLICKHOUSE_URL: clickhouse.url,
      CLICKHOUSE_USER: clickhouse.username,
      CLICKHOUSE_PASSWORD: clickhouse.password,
      CLICKHOUSE_DATABASE: 'test_several_ingest',
      JWT_SECRET: 'the same secret for both of the processes',
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      INGEST_BLOCK_ROWS: String(blockRows),
      ALLOW_PRIVATE_ADDRESSES: 'yes',
    };
    a = await start('a');
    fixture = await createRecordFixture(a);
  });
  after(async () => {
    await a.stop();
    await clickhouse.stop();
    await s3.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const stored = async (datasetId: string): Promise<{ n: number; previous: number }[]> => {
    const { text } = await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }));
    return (JSON.parse(text) as { records: { n: number; previous: number }[] }).records;
  };
  const get = async <Result>(path: string): Promise<Result> => {
    const { status, body } = await sendRequest<Result>(a, 'GET', path, { token: fixture.admin });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const workerOf = async (datasetId: string, jobId: string): Promise<string | null | undefined> =>
    (await get<{ data: Segment[] }>(`/segments?datasetId=${datasetId}&jobId=${jobId}`)).data[0]?.processedBy;

  test('a job whose process is killed while it stores a file is taken up by another, and each row is stored once', async () => {
    const id = await fixture.dataset();
    const dying = await start('dying');
    const { body, headers } = multipartBody([
      { name: 'datasetId', content: id },
      { name: 'files', fileName: 'linked.csv', content: linkedRows },
    ]);
    const response = await fetch(`${dying.url}/uploads`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${fixture.admin}` },
      body: Uint8Array.from(body),
    });
    assert.equal(response.status, 201);
    const { jobId } = (await response.json()) as UploadResult;
    while ((await stored(id)).length < blockRows) await delay(20);
    await dying.kill();
    const before = (await stored(id)).length;
    const firstWorker = await workerOf(id, jobId);
    assert.ok(before < rows, 'the file was stored before the process was killed');
    for (;;) {
      const { endedAt, status } = await get<Job>(`/jobs/${jobId}`);
      if (endedAt === null) await delay(100);
      else {
        assert.equal(status, 'completed');
        break;
      }
    }
    assert.notEqual(await workerOf(id, jobId), firstWorker);
    const found = (await stored(id)).toSorted((first, second) => first.n - second.n);
    assert.deepEqual(
      found.map(({ n }) => n),
      Array.from({ length: rows }, (_, n) => n),
    );
    assert.ok(found.every(({ n, previous }) => previous === n - 1));
    const receipt = await get<JobReceipt>(`/jobs/${jobId}/receipt`);
    assert.deepEqual([receipt.received, receipt.written], [rows, rows]);
  });

  test('a schedule that is due starts one job, whichever of the processes sees it first', async () => {
    const beside = await start('beside');
    const host = createServer((_request, response) => response.end('n\n1\n')).listen(0, '127.0.0.1');
    const db = await openDatabase({ url: environment['DATABASE_URL'] ?? '' });
    try {
      const url = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/rows.csv`;
      const datasetId = await fixture.dataset();
      const schedules = await Promise.all(
        Array.from({ length: 12 }, (_, number) =>
          fixture.call<Schedule>(201, 'POST', '/schedules', {
            body: {
              datasetId,
              name: `Rows ${String(number)}`,
              cron: '0 0 1 1 *',
              request: { dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url }] } } },
            },
          }),
        ),
      );
      await db
        .updateTable('schedules')
        .set({ next_run_at: new Date(Date.now() - 1000) })
        .execute();
      const runsOf = async ({ id }: Schedule): Promise<ScheduleRun[]> =>
        (await get<{ data: ScheduleRun[] }>(`/schedules/${id}/runs`)).data;
      for (const schedule of schedules) {
        let runs = await runsOf(schedule);
        while (runs.length === 0 || runs.some(({ endedAt }) => endedAt === null)) {
          await delay(100);
          runs = await runsOf(schedule);
        }
        assert.deepEqual(
          runs.map(({ status }) => status),
          ['completed'],
        );
      }
      assert.equal((await stored(datasetId)).length, schedules.length);
    } finally {
      await db.destroy();
      host.close();
      await beside.stop();
    }
  });
});
