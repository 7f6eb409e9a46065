import { writeBody } from '../bodies.ts';
import { generateRecords } from '../data/records.ts';
import { formatMilliseconds, median } from '../report/statistics.ts';
import { searchesOf } from '../searches.ts';
import type { BenchFixture } from '../fixture.ts';

const fullDatasets = 500;
/** Enough datasets that the store uses copies of small datasets. */
const minDatasets = 20;
const recordsOfEach = 100;
const runs = 15;
const wantedMilliseconds = 300;

/** Measures one request that searches all datasets that a person may read: 500 small ones. */
export async function measureSummaries({
  dataset,
  server,
  labelSet,
  name,
  report,
}: BenchFixture): Promise<void> {
  const { pace } = server;
  const datasets = pace.times(fullDatasets, minDatasets);
  const made: string[] = [];
  const all = await generateRecords({
    count: datasets * recordsOfEach,
    batchSize: recordsOfEach,
    labelSet,
    toBatch: (records) => Buffer.from(writeBody(records)),
  });
  const admin = server.writer(4);
  for (const batch of all.batches) {
    const another = await server.createAnother(`Summary ${String(made.length)}`, dataset);
    await admin.post(`/v2/write/${another.id}?isAsync=false`, batch);
    made.push(another.id);
  }
  admin.close();
  await server.waitUntilIdle();
  const http = server.reader(dataset.all);
  const first = await summarise('*:*');
  report.add({
    what: `the first summary over ${String(datasets)} datasets: everything, in ${String(first.found)} of them, ${name}`,
    ours: formatMilliseconds(first.milliseconds),
  });
  // The first summary also creates copies of the datasets, for later ones.
  await summarise('*:*');
  await server.waitUntilIdle();
  for (const { name: search, expression } of searchesOf(all)) {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < pace.times(runs); run++) {
      const summary = await summarise(expression);
      times.push(summary.milliseconds);
      found = summary.found;
    }
    report.add({
      what: `summary over ${String(datasets)} datasets: ${search}, in ${String(found)} of them, ${name}`,
      ours: formatMilliseconds(median(times)),
      target: `≤ ${String(wantedMilliseconds)} ms`,
      reached: median(times) <= wantedMilliseconds,
    });
  }
  http.close();
  for (const id of made) await server.deleteDataset(id);

  async function summarise(expression: string): Promise<{ milliseconds: number; found: number }> {
    const start = performance.now();
    const body = await http.post(
      '/query/lucene/datasets/summary',
      JSON.stringify({ expression, limit: 5, datasetIds: made }),
    );
    const milliseconds = performance.now() - start;
    return { milliseconds, found: (JSON.parse(body.toString()) as unknown[]).length };
  }
}
