import { writeReferenceStatement, labelPredicate } from '../chdb/statements.ts';
import { formatMilliseconds, median, quantile } from '../report/statistics.ts';
import { waitForJob } from '../ours/jobs.ts';
import { searchesOf } from '../searches.ts';
import type { Stage } from '../stage.ts';

const runs = 40;
const runsWithout = 5;
const wantedMilliseconds = 100;
const wantedTimes = 3;

/**
 * What indexes of words bring: the first page of word searches over HTTP, of any field and of one that was given an index, against
 * the engine alone asked for the same without any index.
 */
export async function measureWordIndex({
  chdb,
  dataset,
  house,
  name,
  records,
  report,
  visible,
}: Stage): Promise<void> {
  const admin = house.writer(1);
  const wanted = { action: 'modifyIndexes', datasetId: dataset.id, create: ['text'] };
  const began = performance.now();
  await waitForJob(admin, await admin.post('/index-management', JSON.stringify(wanted)));
  report.note(`${name}: filling all indexes took ${formatMilliseconds(performance.now() - began)}.`);
  admin.close();
  await house.waitUntilIdle();
  const http = house.reader(dataset.half);
  const context = { datasetId: dataset.id, labels: labelPredicate(visible) };
  for (const search of searchesOf(records).filter(({ wanted }) => wanted.kind !== 'amount')) {
    const body = JSON.stringify({ datasetId: dataset.id, expression: search.expression, limit: 10 });
    const times: number[] = [];
    for (let run = 0; run < house.pace.times(runs); run++) {
      const began = performance.now();
      await http.post('/query/lucene', body);
      times.push(performance.now() - began);
    }
    const { rows, count } = writeReferenceStatement(search, context);
    const without: number[] = [];
    for (let run = 0; run < house.pace.times(runsWithout); run++) {
      const found = await chdb.search(
        `${rows}, use_skip_indexes = 0`,
        `${count}, use_skip_indexes = 0`,
        true,
      );
      without.push(found.milliseconds);
    }
    const p95 = quantile(times, 0.95);
    const ratio = median(without) / median(times);
    report.add({
      what: `first page with the index of words: ${search.name}, ${name}`,
      ours: `${formatMilliseconds(p95)} (95 of 100)`,
      chdb: `${formatMilliseconds(median(without))} without it`,
      ratio: `${ratio.toFixed(1)} times faster`,
      target: `≤ ${String(wantedMilliseconds)} ms, ≥ ${String(wantedTimes)} times faster`,
      reached: p95 <= wantedMilliseconds && ratio >= wantedTimes,
    });
  }
  http.close();
}
