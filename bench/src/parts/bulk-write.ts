import { bulkClients, bulkLoad, type LoadRun } from '../ours/bulk-load.ts';
import { cpuSeconds } from '../process-metrics.ts';
import { formatCount } from '../report/statistics.ts';
import type { Stage } from '../stage.ts';

const wanted = 0.4;
const rounds = 2;

/**
 * A bulk write over HTTP against the engine's own insert of the same rows, all columns ready made, into the same table. They
 * take turns, so that a machine whose speed drifts is slow for both; the best round of each counts.
 */
export async function measureBulkWrite(stage: Stage): Promise<void> {
  const { chdb, house, records, report, labelSet, name } = stage;
  const ours = [stage.load];
  const alone: LoadRun[] = [];
  const bytes = await chdb.prepareInserts(stage.dataset.id, stage.batchSize);
  for (let round = 1; round <= rounds; round++) {
    await house.waitUntilIdle();
    for (const connections of [1, bulkClients]) {
      await chdb.waitUntilIdle();
      const worked = cpuSeconds(chdb.pid());
      const { milliseconds, rows } = await chdb.insertPrepared(connections);
      if (rows !== records.count)
        throw new Error(`The engine alone stored ${rows} of ${records.count} records.`);
      alone.push({ milliseconds, cpuSeconds: cpuSeconds(chdb.pid()) - worked });
    }
    await chdb.waitUntilIdle();
    if (round === rounds) break;
    const again = await house.createDataset(`Bulk write again, ${name}`, labelSet);
    ours.push(await bulkLoad(house, again, records));
    await house.deleteDataset(again.id);
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

const inWords = ({ milliseconds, cpuSeconds }: LoadRun): string =>
  `${(milliseconds / 1000).toFixed(1)} s (${cpuSeconds.toFixed(1)} s of one core)`;

const listed = (runs: readonly LoadRun[]): string => runs.map(inWords).join(', ');

const fastest = (runs: readonly LoadRun[]): number => Math.min(...runs.map((run) => run.milliseconds));
