import { labelPredicate, readStatement } from '../chdb/statements.ts';
import type { HttpClient } from '../ours/http.ts';
import { residentMegabytes } from '../process-metrics.ts';
import { formatCount, median } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';

const wanted = 0.4;
const rounds = 3;
const maxPageSize = 100_000;
const minPages = 3;
/**
 * How many bytes at the end of a page are kept, which include the cursor. The rest is discarded, like the whole result
 * of the bare engine.
 */
const tailBytes = 500;
const sampleMilliseconds = 50;
/**
 * Memory counts as flat if the second half of a response takes at most this multiple of the first; garbage may remain.
 */
const flatShare = 1.15;

interface Read {
  milliseconds: number;
  bytes: number;
}

/** Measures reading everything, by a reader of all labels, against the bare engine streaming the same records. */
export async function measureReadAll(fixture: BenchFixture): Promise<void> {
  const { chdb, dataset, server, name, records, report } = fixture;
  const http = server.reader(dataset.all);
  const pageSize = Math.min(maxPageSize, Math.ceil(records.count / minPages));
  const statement = readStatement(dataset.id, labelPredicate(fixture.everyLabel));
  await server.waitUntilIdle();
  const memory = watchMemory(server.pid());
  const whole: number[] = [];
  const paged: number[] = [];
  const alone: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const stop = memory.start();
    const read = await readWhole(http, dataset.id);
    stop();
    whole.push(read.milliseconds);
    const { milliseconds, bytes } = await chdb.read(statement);
    // The records and their separators; the response of Redoubt also has the enclosing object.
    const expected = records.bytes + records.count;
    if (bytes !== expected) throw new Error(`The engine alone read ${bytes} of ${expected} bytes.`);
    if (read.bytes < expected) throw new Error(`Only ${read.bytes} of ${expected} bytes were received.`);
    alone.push(milliseconds);
    paged.push((await readPages(http, dataset.id, { expected: records.count, pageSize })).milliseconds);
  }
  http.close();

  const perSecond = (times: readonly number[]): number => (records.count / median(times)) * 1000;
  for (const [how, times] of [
    ['in one answer', whole],
    [`in pages of ${formatCount(pageSize)}`, paged],
  ] as const) {
    const ratio = perSecond(times) / perSecond(alone);
    report.add({
      what: `reading everything ${how}, ${name}`,
      ours: `${formatCount(perSecond(times))} records/s`,
      chdb: `${formatCount(perSecond(alone))} records/s`,
      ratio: `${ratio.toFixed(2)} of chdb`,
      target: `≥ ${wanted}`,
      reached: ratio >= wanted,
    });
  }
  const { before, firstHalf, secondHalf, after } = memory.measurements();
  report.add({
    what: `memory while reading everything in one answer, ${name}`,
    ours: `${formatCount(before)} MB before, ${formatCount(Math.max(firstHalf, secondHalf))} MB at most, ${formatCount(after)} MB after`,
    ratio: `second half ${(secondHalf / firstHalf).toFixed(2)} of first`,
    target: `flat (≤ ${flatShare})`,
    reached: secondHalf <= flatShare * firstHalf,
  });
}

async function readWhole(http: HttpClient, datasetId: string): Promise<Read> {
  let bytes = 0;
  const start = performance.now();
  await http.drain('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }), (chunk) => {
    bytes += chunk.length;
  });
  return { milliseconds: performance.now() - start, bytes };
}

/** Reads page after page, as clients do. Parses only the members `more` and `lastRecordId` of a page. */
async function readPages(
  http: HttpClient,
  datasetId: string,
  { expected, pageSize }: { expected: number; pageSize: number },
): Promise<Read> {
  let bytes = 0;
  let startingRecordId = '';
  let pages = 0;
  const start = performance.now();
  for (let more = true; more; pages++) {
    let tail: Buffer = Buffer.alloc(0);
    await http.drain(
      '/readInSequence',
      JSON.stringify({ datasetId, startingRecordId, batchSize: pageSize }),
      (chunk) => {
        bytes += chunk.length;
        tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
      },
    );
    const end = tail.toString();
    startingRecordId = /"lastRecordId":"([^"]+)"/.exec(end)?.[1] ?? '';
    more = /"more":true/.test(end);
    if (startingRecordId === '') throw new Error(`Expected a page that ends with lastRecordId, got: ${end}`);
  }
  if (pages !== Math.ceil(expected / pageSize))
    throw new Error(`${expected} records were received in ${pages} pages.`);
  return { milliseconds: performance.now() - start, bytes };
}

/** Samples the memory of a process while responses are read. */
function watchMemory(pid: number) {
  const before = residentMegabytes(pid);
  let firstHalf = 0;
  let secondHalf = 0;
  return {
    start(): () => void {
      const samples: number[] = [];
      const take = (): void => void samples.push(residentMegabytes(pid));
      take();
      const timer = setInterval(take, sampleMilliseconds);
      return () => {
        clearInterval(timer);
        take();
        const middle = Math.ceil(samples.length / 2);
        firstHalf = Math.max(firstHalf, ...samples.slice(0, middle));
        secondHalf = Math.max(secondHalf, ...samples.slice(middle));
      };
    },
    measurements: () => ({ before, firstHalf, secondHalf, after: residentMegabytes(pid) }),
  };
}
