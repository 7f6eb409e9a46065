/** How waiting grows with failures. All times are in milliseconds. */
export interface FailureRule {
  /** Failures that cost nothing. */
  free: number;
  /** What the first after them costs; each further one costs twice as much. */
  firstMs: number;
  mostMs: number;
  /** In this time one failure is forgotten. */
  forgetOneMs: number;
}

export interface FailureCounts {
  /** How long `key` has to wait from now on. */
  waitMs(key: string, now: number): number;
  add(key: string, now: number): void;
  forget(key: string): void;
}

interface Failures {
  count: number;
  /** When the last one was. */
  at: number;
  /** From when on one after another is forgotten. */
  since: number;
}

/** Whoever fills this up with names has to fail for each of them. */
const rememberedKeys = 100_000;

export const createFailureCounts = (
  { free, firstMs, mostMs, forgetOneMs }: FailureRule,
  size = rememberedKeys,
): FailureCounts => {
  const counts = new Map<string, Failures>();
  /** With one more, and without those that are forgotten by now. */
  const oneMore = ({ count, since }: Failures, now: number): Failures => {
    const forgotten = Math.max(0, Math.floor((now - since) / forgetOneMs));
    return forgotten >= count
      ? { count: 1, at: now, since: now }
      : { count: count - forgotten + 1, at: now, since: since + forgotten * forgetOneMs };
  };
  return {
    waitMs: (key, now) => {
      const failures = counts.get(key);
      if (failures === undefined || failures.count < free) return 0;
      const cost = Math.min(mostMs, firstMs * 2 ** Math.min(40, failures.count - free));
      return Math.max(0, cost - Math.max(0, now - failures.at));
    },
    add: (key, now) => {
      const known = counts.get(key);
      counts.delete(key);
      counts.set(key, oneMore(known ?? { count: 0, at: now, since: now }, now));
      const [oldest] = counts.keys();
      if (counts.size > size && oldest !== undefined) counts.delete(oldest);
    },
    forget: (key) => void counts.delete(key),
  };
};
