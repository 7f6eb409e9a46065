import type { RecordStore } from '@redoubt/records';
import type { Db } from '../db/database.ts';
import type { Logger } from '../log/logger.ts';
import type { Clock } from '../runtime.ts';
import type { Meter } from './meter.ts';
import { createUsageRepository } from './usage.repository.ts';

export interface Metering {
  /** Stores the collected usage. What cannot be stored now is stored by the next call. */
  flush(): Promise<void>;
  /** Measures the storage of every workspace, once a day. */
  measure(): Promise<void>;
  /** Calls `flush` and `measure` periodically. */
  start(): void;
  /** Stores the remaining usage. */
  stop(): Promise<void>;
}

export interface MeteringDeps {
  db: Db;
  meter: Meter;
  store: Pick<RecordStore, 'storedBytes'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}

/** A kill loses at most the usage of this time. */
const flushEveryMs = 5000;
const measureEveryMs = 15 * 60_000;

/** The day of a time, in UTC, as `2026-01-31`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export const createMetering = ({ db, meter, store, clock, logger }: MeteringDeps): Metering => {
  const usage = createUsageRepository(db);
  const timers: NodeJS.Timeout[] = [];
  let flushing: Promise<void> = Promise.resolve();

  const flushNow = async (): Promise<void> => {
    const amounts = meter.take().map((entry) => ({ ...entry, amount: Math.round(entry.amount) }));
    const used = amounts.filter(({ amount }) => amount > 0);
    if (used.length === 0) return;
    try {
      await usage.add(dayOf(clock.now()), used);
    } catch (error) {
      for (const { workspaceUid, meter: name, amount } of used) meter.add(workspaceUid, name, amount);
      throw error;
    }
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(flushNow);
    return flushing;
  };

  const measure = async (): Promise<void> => {
    const day = dayOf(clock.now());
    if (await usage.isMeasured(day)) return;
    const datasets = await usage.datasets();
    const bytes = await store.storedBytes(datasets.map(({ id }) => id));
    const stored = new Map<string, number>();
    for (const { id, workspaceUid } of datasets) {
      stored.set(workspaceUid, (stored.get(workspaceUid) ?? 0) + (bytes.get(id) ?? 0));
    }
    for (const { workspaceUid, bytes: ofFiles } of await usage.files()) {
      stored.set(workspaceUid, (stored.get(workspaceUid) ?? 0) + ofFiles);
    }
    const storage = [...stored].map(([workspaceUid, amount]) => ({
      workspaceUid,
      meter: 'storage' as const,
      amount,
    }));
    await usage.raise(day, storage);
    // Last, since it marks the day as measured.
    const base = (await usage.workspaces()).map((workspaceUid) => ({
      workspaceUid,
      meter: 'base' as const,
      amount: 1,
    }));
    await usage.raise(day, base);
  };

  const every = (milliseconds: number, failure: string, work: () => Promise<void>): void => {
    const run = (): void => {
      work().catch((error: unknown) => logger.error({ err: error }, failure));
    };
    timers.push(setInterval(run, milliseconds).unref());
  };

  return {
    flush,
    measure,
    start: () => {
      every(flushEveryMs, 'could not store the usage of workspaces; trying again later', flush);
      every(measureEveryMs, 'could not measure the storage of workspaces', measure);
      measure().catch((error: unknown) =>
        logger.error({ err: error }, 'could not measure the storage of workspaces'),
      );
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await flush();
    },
  };
};
