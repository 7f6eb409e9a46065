import { firstId } from '../data/records.ts';
import { waitForJob } from '../ours/jobs.ts';
import { formatCount, median } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';

const rounds = 5;
const shareOfRound = 0.01;

/**
 * Measures deleting and relabelling a hundredth of the records by a query, as a reader of all labels, from the request
 * to the end of its job. Each round uses other records. This part removes records, so it runs last.
 */
export async function measureChanges({
  dataset,
  server,
  name,
  records,
  report,
}: BenchFixture): Promise<void> {
  const admin = server.writer(1);
  const granted = { action: 'manage', datasetId: dataset.id, groupId: dataset.readers };
  await admin.post('/dataset-permissions', JSON.stringify(granted));
  admin.close();
  const http = server.reader(dataset.all);
  const each = Math.floor(records.count * shareOfRound);
  const storage = `/storage/datasets/${dataset.id}`;
  let from = firstId;
  const nextQuery = (): string => {
    const query = `id:[${from} TO ${from + each - 1}]`;
    from += each;
    return query;
  };
  for (const [what, startJob] of [
    ['deleting', (query: string) => http.post(`${storage}/deleteRecords/query`, JSON.stringify({ query }))],
    [
      'relabelling',
      (query: string) => http.patch(`${storage}/labels`, JSON.stringify({ query, label: 'MOVED' })),
    ],
  ] as const) {
    await server.waitUntilIdle();
    const times: number[] = [];
    for (let round = 0; round < server.pace.times(rounds); round++) {
      const start = performance.now();
      const { recordCount } = await waitForJob(http, await startJob(nextQuery()));
      if (recordCount !== each) throw new Error(`${what} changed ${String(recordCount)} records.`);
      times.push(performance.now() - start);
    }
    report.add({
      what: `${what} ${formatCount(each)} of ${formatCount(records.count)} records by a query, ${name}`,
      ours: `${median(times).toFixed(0)} ms`,
    });
    report.note(
      `${what}, ${name}: ${times.map((time) => time.toFixed(0)).join(', ')} ms, one after another.`,
    );
  }
  http.close();
}
