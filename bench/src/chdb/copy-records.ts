import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from '../ours/bench-server.ts';
import { startChdb } from './chdb.ts';

/**
 * Stops the server, merges its records and copies them, so that the bare engine has exactly the same parts. Then it
 * starts the server again.
 * @returns the number of parts of the dataset
 */
export async function copyRecords(server: BenchServer, datasetId: string, copy: string): Promise<number> {
  await server.stop();
  const records = join(server.dataDir, 'records');
  const chdb = startChdb(server.pace);
  await chdb.open(records);
  const parts = await chdb.settle(datasetId);
  await chdb.stop();
  await cp(records, copy, { recursive: true });
  await server.start();
  return parts;
}
