import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRecordFixture } from '@redoubt/testkit';
import { memoryOf, type MemorySample } from '@redoubt/testkit';
import { startServerProcess } from '@redoubt/server/testing';
import { prepareSoak, type SoakSize } from './soak-work.ts';

/** The server's memory in one time span: medians, in megabytes. */
export interface SoakSpan extends MemorySample {
  /** How often each kind of work has run since the start. */
  done: Readonly<Record<string, number>>;
}

export interface SoakOptions {
  size: SoakSize;
  /** The duration of the load, from the time when all data is stored. Each kind of work runs at least once. */
  seconds: number;
  spanSeconds: number;
  /** Milliseconds between two rounds of each kind of work. */
  restMs: number;
  signal: AbortSignal;
  /** Called at the end of each span. */
  report?: (span: SoakSpan) => void;
}

const sampleMs = 1000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const medians = (samples: readonly MemorySample[]): MemorySample => ({
  resident: median(samples.map(({ resident }) => resident)),
  anonymous: median(samples.map(({ anonymous }) => anonymous)),
});

/** The maximum growth of memory from the second quarter of a soak to the last. The amount of data stays the same. */
const allowedGrowth = 1.1;

/** Describes which kind of memory grew too much; undefined if none did. */
export const growthOf = (spans: readonly MemorySample[]): string | undefined => {
  const quarter = spans.length / 4;
  const second = medians(spans.slice(Math.floor(quarter), Math.floor(2 * quarter)));
  const last = medians(spans.slice(Math.floor(3 * quarter)));
  const grown = (['resident', 'anonymous'] as const).filter(
    (kind) => !(last[kind] <= second[kind] * allowedGrowth),
  );
  if (grown.length === 0) return undefined;
  return grown
    .map((kind) => `${kind} memory grew from ${second[kind].toFixed(0)} to ${last[kind].toFixed(0)} MB`)
    .join(', and ');
};

/**
 * Starts a server, puts a mixed load on it while the amount of data stays the same, and samples its memory.
 * @throws Error if a request gets an unexpected response
 */
export const runSoak = async (options: SoakOptions): Promise<SoakSpan[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'redoubt-soak-'));
  const server = await startServerProcess({
    dataDir,
    environment: { LOG_LEVEL: 'error', DOCS_DIR: 'none', RATE_LIMIT_PER_CREDENTIAL: '0' },
  });
  const ended = new AbortController();
  const stopped = AbortSignal.any([options.signal, ended.signal]);
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopped }).catch(() => undefined);
  try {
    const work = await prepareSoak(await createRecordFixture(server), options.size);
    const done = Object.fromEntries(Object.keys(work).map((name) => [name, 0]));
    const workers = Object.entries(work).map(async ([name, doOnce]) => {
      do {
        await doOnce();
        done[name] = (done[name] ?? 0) + 1;
        await pause(options.restMs);
      } while (!stopped.aborted);
    });
    const watch = async (): Promise<SoakSpan[]> => {
      const spans: SoakSpan[] = [];
      const end = performance.now() + options.seconds * 1000;
      while (!stopped.aborted && performance.now() < end) {
        const samples: MemorySample[] = [];
        const spanEnd = Math.min(end, performance.now() + options.spanSeconds * 1000);
        while (!stopped.aborted && performance.now() < spanEnd) {
          samples.push(memoryOf(server.pid));
          await pause(sampleMs);
        }
        const span = { ...medians(samples), done: { ...done } };
        spans.push(span);
        options.report?.(span);
      }
      return spans;
    };
    const watching = watch().finally(() => ended.abort());
    // If a worker fails, the soak ends at once; otherwise all workers end after their last round.
    const [spans] = await Promise.all([watching, ...workers]).finally(() => ended.abort());
    return spans;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};
