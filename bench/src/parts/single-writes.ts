import { writeBody } from '../bodies.ts';
import { generateRecords } from '../data/records.ts';
import { cpuSeconds } from '../process-metrics.ts';
import { formatCount, formatMilliseconds, quantile } from '../report/statistics.ts';
import type { Stage } from '../stage.ts';

const writers = 64;
const warmUpMilliseconds = 2000;
const spanMilliseconds = 10_000;
const wantedPerSecond = 2000;

/** Many writers, each of which sends one record and waits until it is durable before it sends the next. */
export async function measureSingleWrites(stage: Stage): Promise<void> {
  const { house, labelSet, report, name } = stage;
  const { pace } = house;
  const dataset = await house.createDataset(`Single writes, ${name}`, labelSet);
  const { batches: bodies } = await generateRecords({
    count: 10_000,
    batchSize: 1,
    labelSet,
    toBatch: (records) => Buffer.from(writeBody(records)),
  });
  const times: number[] = [];
  let written = 0;
  const phase = { going: true, counting: false };

  async function writeOnAndOn(): Promise<void> {
    const writer = house.writer(1);
    while (phase.going) {
      const body = bodies[written++ % bodies.length];
      if (body === undefined) break;
      const start = performance.now();
      await writer.post(`/v2/write/${dataset.id}?isAsync=false`, body);
      if (phase.counting) times.push(performance.now() - start);
    }
    writer.close();
  }
  const work = Promise.all(Array.from({ length: writers }, writeOnAndOn));
  await Promise.race([delay(pace.span(warmUpMilliseconds)), work]);
  phase.counting = true;
  const worked = cpuSeconds(house.pid());
  const start = performance.now();
  do {
    await Promise.race([delay(pace.span(spanMilliseconds)), work]);
  } while (times.length === 0);
  phase.counting = false;
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(house.pid()) - worked;
  phase.going = false;
  await work;

  await expectAll(stage, dataset.id, dataset.all, written);
  const perSecond = times.length / seconds;
  report.add({
    what: `${writers} writers of single records, ${name}`,
    ours: `${formatCount(perSecond)} durable records/s`,
    target: `≥ ${formatCount(wantedPerSecond)}`,
    reached: perSecond >= wantedPerSecond,
  });
  report.note(
    `${writers} writers of single records, ${name}: acknowledged after ${formatMilliseconds(quantile(times, 0.5))} (median), ${formatMilliseconds(quantile(times, 0.99))} (99 of 100); all ${formatCount(written)} are there; the server worked ${formatMilliseconds((cpu * 1000) / times.length)} of one core for each.`,
  );
  await house.deleteDataset(dataset.id);
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

async function expectAll(stage: Stage, datasetId: string, token: string, written: number): Promise<void> {
  const http = stage.house.reader(token);
  const answer = await http.post('/readInSequence', JSON.stringify({ datasetId, batchSize: 1 }));
  http.close();
  const { total } = JSON.parse(answer.toString()) as { total: number };
  if (total !== written) throw new Error(`Of ${written} acknowledged records ${total} are there.`);
}
