import { setTimeout as delay } from 'node:timers/promises';

/**
 * The stages of a stop, in order: requests and jobs, then what records their results, then the engines. The parts of
 * one stage are closed in parallel.
 */
const stages = ['work', 'notes', 'engines'] as const;
type Stage = (typeof stages)[number];

/** Something that was opened at the start and must be closed. */
export interface Part {
  name: string;
  stage: Stage;
  close(): Promise<unknown> | void;
}

/** Latest end of each stage, in milliseconds after the grace period; then the next one begins in any case. */
const endsAfterGraceMs: Readonly<Record<Stage, number>> = { work: 2000, notes: 3000, engines: 4400 };

/** A stop in progress. */
export interface Stopping {
  /** Resolves to the parts that were not closed in time, or failed to close. Never rejects. */
  unfinished: Promise<Part[]>;
  /** The parts that are still open. */
  open(): Part[];
  /** Ends the grace period now. */
  hurry(): void;
}

/**
 * Closes all parts within a bounded time.
 * @param cutOff called when the grace period has ended: it must abort everything that is still running
 * @param failed called for each part that fails to close
 */
export const stopInStages = (
  parts: readonly Part[],
  {
    graceMs,
    cutOff,
    failed,
  }: { graceMs: number; cutOff: () => void; failed: (part: Part, error: unknown) => void },
): Stopping => {
  const open = new Set(parts);
  const isDone = new AbortController();
  const grace = Promise.withResolvers<void>();
  const timer = setTimeout(grace.resolve, graceMs);
  const graceEnded = grace.promise.then(() => {
    cutOff();
    return performance.now();
  });

  const closePart = async (part: Part): Promise<void> => {
    try {
      await part.close();
      open.delete(part);
    } catch (error) {
      failed(part, error);
    }
  };
  const untilEndOf = async (stage: Stage): Promise<void> => {
    const left = (await graceEnded) + endsAfterGraceMs[stage] - performance.now();
    await delay(Math.max(0, left), undefined, { signal: isDone.signal }).catch(() => undefined);
  };
  const closeAll = async (): Promise<Part[]> => {
    for (const stage of stages) {
      const closing = parts.filter((part) => part.stage === stage).map(closePart);
      await Promise.race([Promise.all(closing), untilEndOf(stage)]);
    }
    clearTimeout(timer);
    isDone.abort();
    return [...open];
  };
  return { unfinished: closeAll(), open: () => [...open], hurry: () => grace.resolve() };
};
