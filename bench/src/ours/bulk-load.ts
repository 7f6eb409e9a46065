import { cpuSeconds } from '../process-metrics.ts';
import type { Dataset, BenchServer } from './bench-server.ts';

export const bulkClients = 2;

export interface LoadRun {
  /** Until the last batch is acknowledged. */
  milliseconds: number;
  /** What the server worked for it, in seconds of one core. */
  cpuSeconds: number;
}

/** Writes all batches over a few connections at once. */
export async function bulkLoad(
  house: BenchServer,
  { id }: Dataset,
  { batches }: { readonly batches: Iterable<Buffer> },
): Promise<LoadRun> {
  const http = house.writer(bulkClients);
  const waiting = batches[Symbol.iterator]();
  const worked = cpuSeconds(house.pid());
  const start = performance.now();
  await Promise.all(
    Array.from({ length: bulkClients }, async () => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next())
        await http.post(`/v2/write/${id}?isAsync=false`, next.value);
    }),
  );
  const milliseconds = performance.now() - start;
  http.close();
  return { milliseconds, cpuSeconds: cpuSeconds(house.pid()) - worked };
}
