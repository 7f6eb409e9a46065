import { generateRecords } from '../data/records.ts';
import { cpuSeconds } from '../process-metrics.ts';
import { formatCount, formatMilliseconds, quantile } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';
import { writeBody } from '../ours/bulk-load.ts';

const writers = 64;
const warmUpMilliseconds = 2000;
const spanMilliseconds = 10_000;
const wantedPerSecond = 2000;

/** Measures many writers, each of which sends one record and waits until it is durable before sending the next. */
export async function measureSingleWrites(fixture: BenchFixture): Promise<void> {
  const { server, labelSet, report, name } = fixture;
  const { pace } = server;
  const dataset = await server.createDataset(`Single writes, ${name}`, labelSet);
  const { batches: bodies } = await generateRecords({
    count: 10_000,
    batchSize: 1,
    labelSet,
    toBatch: (records) => Buffer.from(writeBody(records)),
  });
  const times: number[] = [];
  let written = 0;
  const phase = { isRunning: true, isCounting: false };

  async function writeRepeatedly(): Promise<void> {
    const writer = server.writer(1);
    while (phase.isRunning) {
      const body = bodies[written++ % bodies.length];
      if (body === undefined) break;
      const start = performance.now();
      await writer.post(`/v2/write/${dataset.id}?isAsync=false`, body);
      if (phase.isCounting) times.push(performance.now() - start);
    }
    writer.close();
  }
  const work = Promise.all(Array.from({ length: writers }, writeRepeatedly));
  await Promise.race([delay(pace.span(warmUpMilliseconds)), work]);
  phase.isCounting = true;
  const cpuBefore = cpuSeconds(server.pid());
  const start = performance.now();
  do {
    await Promise.race([delay(pace.span(spanMilliseconds)), work]);
  } while (times.length === 0);
  phase.isCounting = false;
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(server.pid()) - cpuBefore;
  phase.isRunning = false;
  await work;

  await expectAll(fixture, dataset.id, dataset.all, written);
  const perSecond = times.length / seconds;
  report.add({
    what: `${writers} writers of single records, ${name}`,
    ours: `${formatCount(perSecond)} durable records/s`,
    target: `≥ ${formatCount(wantedPerSecond)}`,
    reached: perSecond >= wantedPerSecond,
  });
  report.note(
    `${writers} writers of single records, ${name}: acknowledged after ${formatMilliseconds(quantile(times, 0.5))} (median), ${formatMilliseconds(quantile(times, 0.99))} (99 of 100); all ${formatCount(written)} are stored; the server needed ${formatMilliseconds((cpu * 1000) / times.length)} of CPU time for each.`,
  );
  await server.deleteDataset(dataset.id);
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

async function expectAll(
  fixture: BenchFixture,
  datasetId: string,
  token: string,
  written: number,
): Promise<void> {
  const http = fixture.server.reader(token);
  const response = await http.post('/readInSequence', JSON.stringify({ datasetId, batchSize: 1 }));
  http.close();
  const { total } = JSON.parse(response.toString()) as { total: number };
  if (total !== written) throw new Error(`Expected ${written} acknowledged records, got ${total}.`);
}
