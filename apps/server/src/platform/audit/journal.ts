import { appendFileSync, createReadStream, existsSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from '../files/lines.ts';
import type { OutboxRow } from './outbox.repository.ts';

export type PendingEvent = Omit<OutboxRow, 'position'>;

/**
 * A file of events that belong to no change of the metadata, one per line, until `take` moves them to the outbox.
 * Appending to the file costs some microseconds, whereas a statement of the embedded database would delay each search
 * by two milliseconds. Both are equally durable, since neither syncs its files: a kill loses nothing, a power cut may.
 */
export interface Journal {
  /** Adds an event. It is in the file when this returns. */
  add(event: PendingEvent): void;
  /**
   * Moves the events that were added before the call to `store`, in order, and removes them from the file. After a
   * kill, the next call may pass the same events again.
   * @param store called with a batch of events; must ignore those that it stored before
   */
  take(store: (events: PendingEvent[]) => Promise<void>): Promise<void>;
}

const eventsAtOnce = 1000;

const isEvent = (value: unknown): value is PendingEvent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'workspaceUid', 'event'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');

/** Undefined for a line that a kill or a full disk cut short: its event was never acknowledged. */
const eventOf = (line: string): PendingEvent | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Opens the journal of a folder; only one may be open at a time.
 * @param folder that of the embedded database, so that a copy of it contains the pending events as well
 * @param brokenLine called for each line that is not a complete event
 */
export const createJournal = (folder: string, brokenLine: () => void): Journal => {
  const added = join(folder, 'told-events.jsonl');
  const taken = join(folder, 'told-events-taken.jsonl');

  /** Stores the events of the file that was set aside, and removes it. */
  const storeTaken = async (store: (events: PendingEvent[]) => Promise<void>): Promise<void> => {
    let events: PendingEvent[] = [];
    const flush = async (): Promise<void> => {
      if (events.length > 0) await store(events);
      events = [];
    };
    if (!existsSync(taken)) return;
    for await (const line of linesOf(createReadStream(taken))) {
      const event = eventOf(line);
      if (event === undefined) brokenLine();
      else events.push(event);
      if (events.length === eventsAtOnce) await flush();
    }
    await flush();
    await unlink(taken);
  };

  return {
    // Starts a new line even if the one before was cut short.
    add: (event) => appendFileSync(added, `\n${JSON.stringify(event)}`, { mode: 0o600 }),
    take: async (store) => {
      await storeTaken(store);
      if (!existsSync(added)) return;
      await rename(added, taken);
      await storeTaken(store);
    },
  };
};
