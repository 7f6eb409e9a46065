import { firstId } from '../data/records.ts';
import { bulkLoad } from '../ours/bulk-load.ts';
import type { HttpClient } from '../ours/http.ts';
import { waitForJob } from '../ours/jobs.ts';
import { formatMilliseconds, median } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';

const fullRuns = 15;
/** Number of records written into a dataset with automatic indexes, and into one without. */
const written = 200_000;

interface Query {
  readonly what: string;
  readonly path: string;
  readonly body: string;
}

/**
 * Measures the benefit and the cost of automatic field indexes: the same queries with and without them, and a bulk
 * write of the same records into a dataset with and one without them. Restores the setting of the dataset.
 */
export async function measureIndexes(fixture: BenchFixture): Promise<void> {
  const { dataset, server, name, records, report } = fixture;
  const admin = server.writer(1);
  const reader = server.reader(dataset.all);
  const queries = queriesOf(dataset.id, records.count);
  const set = async (id: string, autoCreateIndexes: boolean): Promise<void> => {
    const wanted = { action: 'modifyIndexes', datasetId: id, autoCreateIndexes };
    await waitForJob(admin, await admin.post('/index-management', JSON.stringify(wanted)));
    await server.waitUntilIdle();
  };

  await set(dataset.id, false);
  const without = await timesOf(reader, queries, server.pace.times(fullRuns));
  await set(dataset.id, true);
  const reindex = JSON.stringify({ type: 'reindex', datasetId: dataset.id });
  const start = performance.now();
  await waitForJob(admin, await admin.post('/jobs', reindex));
  report.note(
    `${name}: filling all indexes of fields took ${formatMilliseconds(performance.now() - start)}.`,
  );
  await server.waitUntilIdle();
  const having = await timesOf(reader, queries, server.pace.times(fullRuns));
  for (const [index, { what }] of queries.entries()) {
    const [slow = NaN, fast = NaN] = [without[index], having[index]];
    report.add({
      what: `index of a field: ${what}, ${name}`,
      ours: `${formatMilliseconds(fast)}, and ${formatMilliseconds(slow)} without it`,
      ratio: `${(slow / fast).toFixed(1)} times faster`,
    });
  }

  const batches = records.batches.slice(0, Math.ceil(written / fixture.batchSize));
  const seconds: number[] = [];
  for (const indexed of [true, false]) {
    const other = await server.createAnother(`Indexes ${String(indexed)}, ${name}`, dataset);
    await set(other.id, indexed);
    const { cpuSeconds } = await bulkLoad(server, other, { batches });
    seconds.push(cpuSeconds);
    await server.deleteDataset(other.id);
  }
  const [costly = NaN, cheap = NaN] = seconds;
  report.add({
    what: `bulk write with automatic indexes, ${name}`,
    ours: `${costly.toFixed(1)} s of one core, and ${cheap.toFixed(1)} s without them`,
    ratio: `${(costly / cheap).toFixed(2)} ×`,
  });
  reader.close();
  admin.close();
}

/** Queries on an ascending number, like a time of arrival, on an unordered number, and on a text. */
function queriesOf(datasetId: string, count: number): Query[] {
  const id = firstId + Math.floor(count / 2);
  const lucene = (expression: string): Query => ({
    what: expression,
    path: '/query/lucene',
    body: JSON.stringify({ datasetId, expression, limit: 10 }),
  });
  const sql = (expression: string): Query => ({
    what: expression,
    path: '/query',
    body: JSON.stringify({ expression: expression.replace('records', `"${datasetId}"`), limit: 100 }),
  });
  return [
    lucene(`id:${String(id)}`),
    lucene(`id:[${String(id)} TO ${String(id + 99)}]`),
    lucene('amount:[5000 TO 5001]'),
    sql(`SELECT id, name FROM records WHERE id = ${String(id)}`),
    sql(
      `SELECT count(*) AS n, avg(amount) AS mean FROM records WHERE id BETWEEN ${String(id)} AND ${String(id + 9999)}`,
    ),
    sql(`SELECT id, city FROM records WHERE name = 'Nobody At All'`),
    sql(`SELECT count(*) AS n FROM records WHERE amount > 9999`),
  ];
}

/** The median of each query in milliseconds; the queries alternate. */
async function timesOf(http: HttpClient, queries: readonly Query[], runs: number): Promise<number[]> {
  const times = queries.map((): number[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, { path, body }] of queries.entries()) {
      const start = performance.now();
      await http.post(path, body);
      times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}
