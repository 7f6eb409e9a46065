import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from '../ours/bench-server.ts';
import { startChdb } from './chdb.ts';

/**
 * Copies the server's records once they are merged, so that the engine alone has the very same parts. Gives their number.
 */
export async function copyRecords(house: BenchServer, datasetId: string, copy: string): Promise<number> {
  await house.stop();
  const records = join(house.dataDir, 'records');
  const chdb = startChdb(house.pace);
  await chdb.open(records);
  const parts = await chdb.settle(datasetId);
  await chdb.stop();
  await cp(records, copy, { recursive: true });
  await house.start();
  return parts;
}
