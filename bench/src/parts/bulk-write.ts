import { bulkClients, bulkLoad, type LoadRun } from '../ours/bulk-load.ts';
import { cpuSeconds } from '../process-metrics.ts';
import { formatCount } from '../report/statistics.ts';
import type { BenchFixture } from '../fixture.ts';

const wanted = 0.4;
const rounds = 2;

/**
 * Measures a bulk write over HTTP against the bare engine's insert of the same rows, with all columns, into the same
 * table. The contenders alternate, because the speed of a machine may change over time. The best round of each counts.
 */
export async function measureBulkWrite(fixture: BenchFixture): Promise<void> {
  const { chdb, server, records, report, labelSet, name } = fixture;
  const ours = [fixture.load];
  const alone: LoadRun[] = [];
  const bytes = await chdb.prepareInserts(fixture.dataset.id, fixture.batchSize);
  for (let round = 1; round <= rounds; round++) {
    await server.waitUntilIdle();
    for (const connections of [1, bulkClients]) {
      await chdb.waitUntilIdle();
      const cpuBefore = cpuSeconds(chdb.pid());
      const { milliseconds, rows } = await chdb.insertPrepared(connections);
      if (rows !== records.count)
        throw new Error(`The engine alone stored ${rows} of ${records.count} records.`);
      alone.push({ milliseconds, cpuSeconds: cpuSeconds(chdb.pid()) - cpuBefore });
    }
    await chdb.waitUntilIdle();
    if (round === rounds) break;
    const again = await server.createDataset(`Bulk write again, ${name}`, labelSet);
    ours.push(await bulkLoad(server, again, records));
    await server.deleteDataset(again.id);
  }
  await chdb.dropPrepared();

  const perSecond = (runs: readonly LoadRun[]): number => (records.count / fastest(runs)) * 1000;
  const ratio = perSecond(ours) / perSecond(alone);
  report.add({
    what: `bulk write, ${name}`,
    ours: `${formatCount(perSecond(ours))} records/s`,
    chdb: `${formatCount(perSecond(alone))} records/s`,
    ratio: `${ratio.toFixed(2)} of chdb`,
    target: `≥ ${wanted}`,
    reached: ratio >= wanted,
  });
  report.note(
    `bulk write, ${name}: ours ${listed(ours)}; chdb alone, with 1 and ${bulkClients} connections in turn, ${listed(alone)}, for ${formatCount(bytes / 1e6)} MB of JSONEachRow.`,
  );
}

const describe = ({ milliseconds, cpuSeconds }: LoadRun): string =>
  `${(milliseconds / 1000).toFixed(1)} s (${cpuSeconds.toFixed(1)} s of CPU time)`;

const listed = (runs: readonly LoadRun[]): string => runs.map(describe).join(', ');

const fastest = (runs: readonly LoadRun[]): number => Math.min(...runs.map((run) => run.milliseconds));
