import { appendFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutboxRow } from './outbox.repository.ts';

export type WaitingEvent = Omit<OutboxRow, 'position'>;

/**
 * A file of events that belong to no change of the metadata, a line each, until they are taken to the outbox. To add one
 * costs some microseconds, where waking the embedded database for it costs each search two milliseconds; and it is as
 * durable as what that database stores, which does not sync its files either: a kill loses nothing, a power cut may.
 */
export interface Journal {
  /** Adds an event. It is in the file when this returns. */
  add(event: WaitingEvent): void;
  /**
   * Takes out what was added before the call, in its order. What a kill broke off is stored again.
   * @param store called with some events at a time; what was stored before must be stored no second time
   */
  take(store: (events: WaitingEvent[]) => Promise<void>): Promise<void>;
}

const eventsAtOnce = 1000;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Undefined for a line that a kill or a full disk broke off: it was acknowledged to nobody. */
const eventOf = (line: string): WaitingEvent | undefined => {
  try {
    return JSON.parse(line) as WaitingEvent;
  } catch {
    return undefined;
  }
};

/** @param folder that of the embedded database, so that a copy of it has what waits as well */
export const createJournal = (folder: string): Journal => {
  const added = join(folder, 'told-events.jsonl');
  const taken = join(folder, 'told-events-taken.jsonl');

  /** Stores what was set aside, and removes it. */
  const storeTaken = async (store: (events: WaitingEvent[]) => Promise<void>): Promise<void> => {
    const file = await open(taken).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (file === undefined) return;
    let events: WaitingEvent[] = [];
    const flush = async (): Promise<void> => {
      if (events.length > 0) await store(events);
      events = [];
    };
    for await (const line of file.readLines()) {
      const event = eventOf(line);
      if (event !== undefined) events.push(event);
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
      try {
        await rename(added, taken);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await storeTaken(store);
    },
  };
};
