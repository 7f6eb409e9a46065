import { writeReferenceStatement, labelPredicate } from '../chdb/statements.ts';
import { formatMilliseconds, median, quantile } from '../report/statistics.ts';
import { waitForJob } from '../ours/jobs.ts';
import { searchesOf } from '../searches.ts';
import type { BenchFixture } from '../fixture.ts';

const runs = 40;
const runsWithout = 5;
const wantedMilliseconds = 100;
const wantedTimes = 3;

/**
 * Measures the benefit of word indexes: the first page of word searches over HTTP, in any field and in one indexed
 * field, against the bare engine running the same search without any index.
 */
export async function measureWordIndex({
  chdb,
  dataset,
  server,
  name,
  records,
  report,
  visible,
}: BenchFixture): Promise<void> {
  const admin = server.writer(1);
  const wanted = { action: 'modifyIndexes', datasetId: dataset.id, create: ['text'] };
  const start = performance.now();
  await waitForJob(admin, await admin.post('/index-management', JSON.stringify(wanted)));
  report.note(`${name}: filling all indexes took ${formatMilliseconds(performance.now() - start)}.`);
  admin.close();
  await server.waitUntilIdle();
  const http = server.reader(dataset.half);
  const context = { datasetId: dataset.id, labels: labelPredicate(visible) };
  for (const search of searchesOf(records).filter(({ wanted }) => wanted.kind !== 'amount')) {
    const body = JSON.stringify({ datasetId: dataset.id, expression: search.expression, limit: 10 });
    const times: number[] = [];
    for (let run = 0; run < server.pace.times(runs); run++) {
      const start = performance.now();
      await http.post('/query/lucene', body);
      times.push(performance.now() - start);
    }
    const { rows, count } = writeReferenceStatement(search, context);
    const without: number[] = [];
    for (let run = 0; run < server.pace.times(runsWithout); run++) {
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
