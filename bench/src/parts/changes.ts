import { firstId } from '../data/records.ts';
import { waitForJob } from '../ours/jobs.ts';
import { formatCount, median } from '../report/statistics.ts';
import type { Stage } from '../stage.ts';

const rounds = 5;
const shareOfRound = 0.01;

/**
 * Deleting, and relabelling, a hundredth of the records by a query: from the request to the end of its job, by a reader of all
 * labels. The records of each round are others. It takes records away, so it comes last.
 */
export async function measureChanges({ dataset, house, name, records, report }: Stage): Promise<void> {
  const admin = house.writer(1);
  const granted = { action: 'manage', datasetId: dataset.id, groupId: dataset.readers };
  await admin.post('/dataset-permissions', JSON.stringify(granted));
  admin.close();
  const http = house.reader(dataset.all);
  const each = Math.floor(records.count * shareOfRound);
  const storage = `/storage/datasets/${dataset.id}`;
  let from = firstId;
  const nextQuery = (): string => {
    const query = `id:[${from} TO ${from + each - 1}]`;
    from += each;
    return query;
  };
  for (const [what, start] of [
    ['deleting', (query: string) => http.post(`${storage}/deleteRecords/query`, JSON.stringify({ query }))],
    [
      'relabelling',
      (query: string) => http.patch(`${storage}/labels`, JSON.stringify({ query, label: 'MOVED' })),
    ],
  ] as const) {
    await house.waitUntilIdle();
    const times: number[] = [];
    for (let round = 0; round < house.pace.times(rounds); round++) {
      const began = performance.now();
      const { recordCount } = await waitForJob(http, await start(nextQuery()));
      if (recordCount !== each) throw new Error(`${what} changed ${String(recordCount)} records.`);
      times.push(performance.now() - began);
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
