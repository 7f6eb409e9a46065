import type { Dataset, Job, JobReceipt, UploadResult } from '@redoubt/contract';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import {
  createRecordFixture,
  memoryOf,
  readTestEffort,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const megabytes = readTestEffort('REDOUBT_LARGE_FILE_MEGABYTES', 20);
/** The size of a first file: the memory of what it loads and caches does not count as growth. */
const firstMegabytes = Math.min(100, megabytes);
const maxGrowthMegabytes = 300;
const rowsAtOnce = 2000;
const queriedRecords = 20_000;

let dataDir: string;
let server: ServerProcess;
let fixture: RecordFixture;
let reader: TestPerson;
let queried: string;

before(async () => {
  dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-large-file-')));
  server = await startServerProcess({ dataDir, environment: { LOG_LEVEL: 'error' } });
  fixture = await createRecordFixture(server);
  reader = await fixture.newReader('A');
  queried = await fixture.dataset();
  const records = Array.from({ length: queriedRecords }, (_, n) => ({ n, city: `city ${n % 50}` }));
  equal((await fixture.write(queried, records)).status, 200);
});
after(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const words = ['harbour', 'castle', 'river', 'signal', 'record', 'forest', 'engine', 'paper'];
const rowOf = (n: number): string => {
  const text = Array.from({ length: 40 }, (_, at) => words[(n * 7 + at * at) % words.length]).join(' ');
  return `${n},name ${n},${(n * 31) % 1000},2026-01-${String((n % 28) + 1).padStart(2, '0')},"${text}",${n % 3 === 0 ? 'A' : ''}\n`;
};

interface SentFile {
  body: ReadableStream<Uint8Array>;
  rows(): number;
}

const part = (name: string, content: string): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

/** A multipart body with a CSV file, whose rows are made while it is sent. */
const uploadOf = (datasetId: string, size: number): SentFile => {
  const label = {
    securityLabeled: true,
    securityLabelInfo: {
      parserClassName: 'identity-parser',
      fields: ['label'],
      labelHandlingPolicy: 'ignore',
    },
  };
  let sent = 0;
  let rows = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(
        Buffer.from(
          `${part('datasetId', datasetId)}${part('accessControlLabel', JSON.stringify(label))}--b\r\ncontent-disposition: form-data; name="files"; filename="rows.csv"\r\n\r\nn,name,amount,day,text,label\n`,
        ),
      );
    },
    pull: (controller) => {
      if (sent >= size) {
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
        return;
      }
      const chunk = Buffer.from(Array.from({ length: rowsAtOnce }, () => rowOf(rows++)).join(''));
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, rows: () => rows };
};

/** Milliseconds of a query of another person. */
const timeQuery = async (): Promise<number> => {
  const started = performance.now();
  const expression = `SELECT city, count(*) AS c, avg(n) FROM "${queried}" GROUP BY city ORDER BY city`;
  const body = JSON.stringify({ datasetId: queried, expression });
  const { status, text } = await fixture.post('/query', body, { token: reader.token });
  equal(status, 200, text);
  return performance.now() - started;
};
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

interface Figures {
  peak: number;
  queries: number[];
  seconds: number;
}

/** Sends a file and waits until all of its rows are stored. */
const store = async (datasetId: string, size: number): Promise<Figures> => {
  const started = performance.now();
  const figures: Figures = { peak: 0, queries: [], seconds: 0 };
  const watch = setInterval(() => {
    figures.peak = Math.max(figures.peak, memoryOf(server.pid).anonymous);
  }, 50);
  try {
    const sent = uploadOf(datasetId, size);
    const answer = await fetch(`${server.url}/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.token}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: sent.body,
      duplex: 'half',
    });
    const text = await answer.text();
    equal(answer.status, 201, text);
    const { jobId } = JSON.parse(text) as UploadResult;
    for (;;) {
      const job = await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`, { token: reader.token });
      if (job.endedAt !== null) {
        deepEqual([job.status, job.error], ['completed', null]);
        break;
      }
      figures.queries.push(await timeQuery());
      await delay(200);
    }
    const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`, {
      token: reader.token,
    });
    deepEqual([receipt.received, receipt.written], [sent.rows(), sent.rows()]);
    const { recordCount } = await fixture.call<Dataset>(200, 'GET', `/datasets/${datasetId}`, {
      token: reader.token,
    });
    equal(recordCount, sent.rows());
  } finally {
    clearInterval(watch);
  }
  figures.seconds = (performance.now() - started) / 1000;
  return figures;
};

test('a large file is stored without more memory than a small one', async () => {
  const first = await store(await fixture.dataset(), firstMegabytes * 1_000_000);
  const idle: number[] = [];
  for (let count = 0; count < 20; count++) idle.push(await timeQuery());
  const { peak, queries, seconds } = await store(await fixture.dataset(), megabytes * 1_000_000);
  const growth = peak - first.peak;
  process.stderr.write(
    `${JSON.stringify({
      megabytes,
      seconds: Math.round(seconds),
      firstPeakMegabytes: Math.round(first.peak),
      peakMegabytes: Math.round(peak),
      queryMs: Math.round(median(idle)),
      queryMsMeanwhile: Math.round(median(queries)),
      queriesMeanwhile: queries.length,
    })}\n`,
  );
  ok(growth < maxGrowthMegabytes, `${first.peak} MB with the first file, ${peak} MB with the large one`);
});
