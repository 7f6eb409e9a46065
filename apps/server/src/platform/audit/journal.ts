import { appendFileSync, createReadStream, existsSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from '../files/lines.ts';
import type { OutboxRow } from './outbox.repository.ts';

export type PendingEvent = Omit<OutboxRow, 'position'>;

/**
 * A file of events that belong to no change of the metadata, a line each, until they are taken to the outbox. To add one
 * costs some microseconds, where waking the embedded database for it costs each search two milliseconds; and it is as
 * durable as what that database stores, which does not sync its files either: a kill loses nothing, a power cut may.
 */
export interface Journal {
  /** Adds an event. It is in the file when this returns. */
  add(event: PendingEvent): void;
  /**
   * Takes out what was added before the call, in its order. What a kill broke off is stored again.
   * @param store called with some events at a time; what was stored before must be stored no second time
   */
  take(store: (events: PendingEvent[]) => Promise<void>): Promise<void>;
}

const eventsAtOnce = 1000;

const isEvent = (value: unknown): value is PendingEvent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'workspaceUid', 'event'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** Undefined for a line that a kill or a full disk broke off: it was acknowledged to nobody. */
const eventOf = (line: string): PendingEvent | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * At most one of a folder may be in use.
 * @param folder that of the embedded database, so that a copy of it has what waits as well
 * @param brokenOff told of each line that is no event
 */
export const createJournal = (folder: string, brokenOff: () => void): Journal => {
  const added = join(folder, 'told-events.jsonl');
  const taken = join(folder, 'told-events-taken.jsonl');

  /** Stores what was set aside, and removes it. */
  const storeTaken = async (store: (events: PendingEvent[]) => Promise<void>): Promise<void> => {
    let events: PendingEvent[] = [];
    const flush = async (): Promise<void> => {
      if (events.length > 0) await store(events);
      events = [];
    };
    if (!existsSync(taken)) return;
    for await (const line of linesOf(createReadStream(taken))) {
      const event = eventOf(line);
      if (event === undefined) brokenOff();
      else events.push(event);
      if (events.length === eventsAtOnce) await flush();
    }
    await flush();
    await unlink(taken);
  };

  return {
    // A line begins anew, whatever the one before came to.
    add: (event) => appendFileSync(added, `\n${JSON.stringify(event)}`, { mode: 0o600 }),
    take: async (store) => {
      await storeTaken(store);
      if (!existsSync(added)) return;
      await rename(added, taken);
      await storeTaken(store);
    },
  };
};
