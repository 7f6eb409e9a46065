import type { Clock } from '../../runtime.ts';

/** What is left after a request was counted. */
export interface RateLimitResult {
  allowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Seconds until the whole limit is there again. */
  resetSeconds: number;
  /** Seconds until one request is allowed again; 0 where one is. */
  retrySeconds: number;
}

export interface RateLimiter {
  /** Requests a minute. */
  readonly limit: number;
  /** Counts a request of `key`; one that is refused is not counted. */
  take(key: string): RateLimitResult;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds. */
  at: number;
}

/** Whom nothing is known of has a full bucket, so forgetting somebody only ever allows more. */
const rememberedKeys = 100_000;

/**
 * A bucket of `perMinute` requests for each key, which fills again evenly within a minute. It counts requests alone,
 * whatever they cost, so that nothing can be learnt from it but how often one has called.
 * @param size keys to remember; whoever has not called for longest is forgotten first
 */
export const createRateLimiter = ({
  perMinute,
  clock,
  size = rememberedKeys,
}: {
  perMinute: number;
  clock: Clock;
  size?: number;
}): RateLimiter => {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;
  const secondsFor = (tokens: number): number => Math.ceil(tokens / perMillisecond / 1000);
  return {
    limit: perMinute,
    take: (key) => {
      const now = clock.now().getTime();
      const bucket = buckets.get(key) ?? { tokens: perMinute, at: now };
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > size)
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      const filled = bucket.tokens + Math.max(0, now - bucket.at) * perMillisecond;
      bucket.tokens = Math.min(perMinute, filled);
      bucket.at = now;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: secondsFor(perMinute - bucket.tokens),
        retrySeconds: allowed ? 0 : Math.max(1, secondsFor(1 - bucket.tokens)),
      };
    },
  };
};
