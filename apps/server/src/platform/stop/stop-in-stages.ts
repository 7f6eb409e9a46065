import { setTimeout as delay } from 'node:timers/promises';

/**
 * In this order: what people and jobs are in the middle of, then what is noted of it, then the engines below. All of a stage
 * is closed side by side.
 */
const stages = ['work', 'notes', 'engines'] as const;
type Stage = (typeof stages)[number];

/** Something that was opened at the start. */
export interface Part {
  name: string;
  stage: Stage;
  close(): Promise<unknown> | void;
}

/** How long after the grace each stage may last at most, in milliseconds; the next one begins then in any case. */
const endsAfterGraceMs: Readonly<Record<Stage, number>> = { work: 2000, notes: 3000, engines: 4400 };

export interface Stopping {
  /** The parts that were not closed in time, or failed to close. */
  unfinished: Promise<Part[]>;
  /** The parts that are open now. */
  open(): Part[];
  /** Ends the grace now. */
  hurry(): void;
}

/**
 * Closes all parts within a bounded time.
 * @param cutOff called when the grace has ended: it ends what is still in flight
 */
export const stopInStages = (
  parts: readonly Part[],
  {
    graceMs,
    cutOff,
    failed,
  }: { graceMs: number; cutOff: () => void; failed: (part: Part, fault: unknown) => void },
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
    } catch (fault) {
      failed(part, fault);
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
