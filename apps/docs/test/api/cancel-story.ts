import type { TestServer } from '@redoubt/server/testing';
import type { CallDesk } from './call-desk.ts';
import type { Team } from './people-story.ts';

/** A query with so many pairs that it never ends. */
const endless = (): string => {
  const tables = Array.from({ length: 12 }, (_, number) => `"Beacons" AS j${number}`).join(', ');
  return `SELECT count(*) FROM ${tables} WHERE j0.frequency_khz + j11.frequency_khz <> 7`;
};

/** Cancels a running query. */
export const cancelQuery = async (
  desk: CallDesk,
  server: TestServer,
  { ada, ben }: Team,
  { beacons: datasetId }: { beacons: string },
): Promise<void> => {
  const by = { by: { token: ben.token } };
  const many = Array.from({ length: 60 }, (_, number) => ({ frequency_khz: number }));
  await desk.call('writeRecords', {
    by: { token: ada.token },
    params: { datasetId },
    query: { isAsync: 'false' },
    body: many,
  });
  const running = fetch(`${server.url}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ expression: endless(), searchId: 'beacons-1' }),
  });
  // The query can be cancelled once the engine has registered it.
  const count =
    "SELECT count() FROM system.processes WHERE position(query, '+') > 0 AND position(query, 'processes') = 0";
  while (Number(await server.engine.text(count, { lane: 'short' })) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await desk.success('cancelQuery', { ...by, params: { searchId: 'beacons-1' } });
  await (await running).arrayBuffer();
  await desk.error('cancelQuery', { ...by, params: { searchId: 'beacons-1' } });
};
