import { bulkClients, bulkLoad } from '../ours/bulk-load.ts';
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
  const ours = [stage.loadMilliseconds];
  const alone: number[] = [];
  const bytes = await chdb.prepareInserts(stage.dataset.id, stage.batchSize);
  for (let round = 1; round <= rounds; round++) {
    await house.waitUntilIdle();
    for (const connections of [1, bulkClients]) {
      await chdb.waitUntilIdle();
      const { milliseconds, rows } = await chdb.insertPrepared(connections);
      if (rows !== records.count)
        throw new Error(`The engine alone stored ${rows} of ${records.count} records.`);
      alone.push(milliseconds);
    }
    await chdb.waitUntilIdle();
    if (round === rounds) break;
    const again = await house.createDataset(`Bulk write again, ${name}`, labelSet);
    ours.push(await bulkLoad(house, again, records));
    await house.deleteDataset(again.id);
  }
  await chdb.dropPrepared();

  const perSecond = (times: readonly number[]): number => (records.count / Math.min(...times)) * 1000;
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
    `bulk write, ${name}: ours ${seconds(ours)} s; chdb alone, with 1 and ${bulkClients} connections in turn, ${seconds(alone)} s for ${formatCount(bytes / 1e6)} MB of JSONEachRow.`,
  );
}

const seconds = (times: readonly number[]): string =>
  times.map((time) => (time / 1000).toFixed(1)).join(', ');
