import { writeBody } from '../bodies.ts';
import { generateRecords } from '../data/records.ts';
import { formatMilliseconds, median } from '../report/statistics.ts';
import { searchesOf } from '../searches.ts';
import type { Stage } from '../stage.ts';

const usualDatasets = 500;
/** So many that the store answers out of copies. */
const fewestDatasets = 20;
const recordsOfEach = 100;
const runs = 15;
const wantedMilliseconds = 300;

/** Searching every dataset that a person may read, 500 small ones, at once. */
export async function measureSummaries({ dataset, house, labelSet, name, report }: Stage): Promise<void> {
  const { pace } = house;
  const datasets = pace.times(usualDatasets, fewestDatasets);
  const made: string[] = [];
  const all = await generateRecords({
    count: datasets * recordsOfEach,
    batchSize: recordsOfEach,
    labelSet,
    toBatch: (records) => Buffer.from(writeBody(records)),
  });
  const admin = house.writer(4);
  for (const batch of all.batches) {
    const another = await house.createAnother(`Summary ${String(made.length)}`, dataset);
    await admin.post(`/v2/write/${another.id}?isAsync=false`, batch);
    made.push(another.id);
  }
  admin.close();
  await house.waitUntilIdle();
  const http = house.reader(dataset.all);
  const first = await summarise('*:*');
  report.add({
    what: `the first summary over ${String(datasets)} datasets: everything, in ${String(first.found)} of them, ${name}`,
    ours: formatMilliseconds(first.milliseconds),
  });
  // Copies of the datasets are made beside the answers, for the next ones.
  await summarise('*:*');
  await house.waitUntilIdle();
  for (const { name: search, expression } of searchesOf(all)) {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < pace.times(runs); run++) {
      const answer = await summarise(expression);
      times.push(answer.milliseconds);
      found = answer.found;
    }
    report.add({
      what: `summary over ${String(datasets)} datasets: ${search}, in ${String(found)} of them, ${name}`,
      ours: formatMilliseconds(median(times)),
      target: `≤ ${String(wantedMilliseconds)} ms`,
      reached: median(times) <= wantedMilliseconds,
    });
  }
  http.close();
  for (const id of made) await house.deleteDataset(id);

  async function summarise(expression: string): Promise<{ milliseconds: number; found: number }> {
    const began = performance.now();
    const body = await http.post(
      '/query/lucene/datasets/summary',
      JSON.stringify({ expression, limit: 5, datasetIds: made }),
    );
    const milliseconds = performance.now() - began;
    return { milliseconds, found: (JSON.parse(body.toString()) as unknown[]).length };
  }
}
