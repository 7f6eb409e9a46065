import type { GeneratedRecords } from '../data/records.ts';
import type { Dataset, House } from './house.ts';

export const bulkClients = 2;

/** Writes all batches over a few connections at once. Gives the milliseconds until the last is acknowledged. */
export async function bulkLoad(
  house: House,
  { id }: Dataset,
  { batches }: GeneratedRecords<Buffer>,
): Promise<number> {
  const http = house.writer(bulkClients);
  const waiting = batches.values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: bulkClients }, async () => {
      for (const body of waiting) await http.post(`/v2/write/${id}?isAsync=false`, body);
    }),
  );
  const milliseconds = performance.now() - start;
  http.close();
  return milliseconds;
}
