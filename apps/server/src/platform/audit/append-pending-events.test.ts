/* Shows: A-audit-together, A-audit-chain */
import type { ChainedEvent } from '@redoubt/records';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../log/logger.ts';
import { emptyChainEnd, type ChainEnd } from './chain-end.ts';
import { appendPendingEvents } from './append-pending-events.ts';
import { toStoredEvent } from './audit-event.ts';
import type { OutboxRow } from './outbox.repository.ts';
import { verifyChains } from './verify.ts';

class Killed extends Error {}

/**
 * The state that survives a kill. Each change counts down; at zero the process is killed, before the change or right
 * after it.
 */
const createDisk = () => {
  const waiting: OutboxRow[] = [];
  const ends = new Map<string, ChainEnd>();
  let listed: string[] | undefined;
  const chained: ChainedEvent[] = [];
  let left = Number.POSITIVE_INFINITY;
  let isAfter = false;
  const changing = (change: () => void): Promise<void> => {
    left -= 1;
    if (left === 0 && !isAfter) return Promise.reject(new Killed());
    change();
    return left === 0 ? Promise.reject(new Killed()) : Promise.resolve();
  };
  return {
    killAt: (change: number, after: boolean): void => {
      left = change;
      isAfter = after;
    },
    note: (workspace: string, id: string): void => {
      const author = { accountId: 'ada', email: 'ada@example.org', workspace: { uniqueId: workspace } };
      const event = toStoredEvent(author, { type: 'Login', description: 'signed in' }, id, new Date(0));
      waiting.push({ position: waiting.length, id, workspaceUid: workspace, event: JSON.stringify(event) });
    },
    ids: (workspace: string): string[] =>
      chained.filter((event) => event.workspace === workspace).map(({ id }) => id),
    outbox: {
      oldest: () => Promise.resolve([...waiting]),
      remove: (rows: readonly OutboxRow[]) =>
        changing(() => {
          const gone = new Set(rows.map(({ id }) => id));
          waiting.splice(0, waiting.length, ...waiting.filter(({ id }) => !gone.has(id)));
        }),
    },
    ends: {
      find: (workspace: string) => Promise.resolve(ends.get(workspace)),
      put: (workspace: string, end: ChainEnd) => changing(() => void ends.set(workspace, end)),
      workspaces: () => Promise.resolve([...ends.keys()]),
      listed: () => Promise.resolve(listed),
      list: (workspaces: readonly string[]) => changing(() => void (listed = [...workspaces])),
    },
    store: {
      append: (events: readonly ChainedEvent[]) => changing(() => void chained.push(...events)),
      since: (workspace: string, seq: number) =>
        Promise.resolve(chained.filter((event) => event.workspace === workspace && event.seq > seq)),
      removed: () => Promise.resolve([]),
      workspaces: () => Promise.resolve([...new Set(chained.map(({ workspace }) => workspace))]),
      async *events(workspace: string, after: number) {
        yield chained.filter((event) => event.workspace === workspace && event.seq > after);
      },
    },
  };
};

const logger = createLogger('silent');

test('a run appends the events that are pending when it begins; later ones wait for the next run', async () => {
  const disk = createDisk();
  disk.note('a', '1');
  const append = (events: readonly ChainedEvent[]): Promise<void> => {
    disk.note('a', '2');
    return disk.store.append(events);
  };
  await appendPendingEvents({ ...disk, store: { ...disk.store, append }, logger });
  deepEqual(disk.ids('a'), ['1']);
  await appendPendingEvents({ ...disk, logger });
  deepEqual(disk.ids('a'), ['1', '2']);
});

test('whenever appending audit events is killed, each event is in its chain once afterwards, in order', async () => {
  for (let change = 1; change <= 7; change++) {
    for (const after of [false, true]) {
      const disk = createDisk();
      for (const id of ['1', '2', '3']) disk.note('a', id);
      disk.note('b', '4');
      disk.killAt(change, after);
      let kills = 0;
      await appendPendingEvents({ ...disk, logger }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        kills += 1;
      });
      equal(kills, change <= 6 ? 1 : 0, `change ${change}`);
      disk.killAt(Number.POSITIVE_INFINITY, false);
      disk.note('a', '5');
      await appendPendingEvents({ ...disk, logger });
      deepEqual([disk.ids('a'), disk.ids('b')], [['1', '2', '3', '5'], ['4']], `change ${change}`);
      for (const { problem } of await verifyChains(disk)) equal(problem, undefined);
    }
  }
});

test('a chain whose sealed end is lost does not silently start again', async () => {
  const disk = createDisk();
  disk.note('a', '1');
  await appendPendingEvents({ ...disk, logger });
  await disk.ends.put('a', emptyChainEnd);
  disk.note('a', '2');
  await appendPendingEvents({ ...disk, logger });
  const [report] = await verifyChains(disk);
  equal(report?.problem, 'event 1 is not the one that was sealed');
});
