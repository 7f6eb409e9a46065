import { cpuSeconds } from '../process-metrics.ts';
import type { Dataset, BenchServer } from './bench-server.ts';

/** The label info of a write body: each record has its label in the field `label`. */
const labelled =
  '"securityLabelInfo":{"fields":["label"],"parserClassName":"identity-parser","labelHandlingPolicy":"ignore"}';

/** The body of a write of these records, which are JSON texts. */
export const writeBody = (records: readonly string[]): string =>
  `{"records":[${records.join(',')}],${labelled}}`;

export const bulkClients = 2;

export interface LoadRun {
  /** Time until the last batch was acknowledged. */
  milliseconds: number;
  /** CPU time of the server, in seconds. */
  cpuSeconds: number;
}

/** Writes all batches over a few connections in parallel. */
export async function bulkLoad(
  server: BenchServer,
  { id }: Dataset,
  { batches }: { readonly batches: Iterable<Buffer> },
): Promise<LoadRun> {
  const http = server.writer(bulkClients);
  const waiting = batches[Symbol.iterator]();
  const cpuBefore = cpuSeconds(server.pid());
  const start = performance.now();
  await Promise.all(
    Array.from({ length: bulkClients }, async () => {
      for (let next = waiting.next(); next.done !== true; next = waiting.next())
        await http.post(`/v2/write/${id}?isAsync=false`, next.value);
    }),
  );
  const milliseconds = performance.now() - start;
  http.close();
  return { milliseconds, cpuSeconds: cpuSeconds(server.pid()) - cpuBefore };
}
