import type { Clock } from '../../runtime.ts';

/** The state of a limit after counting a request. */
export interface RateLimitResult {
  allowed: boolean;
  /** Number of requests that are allowed right now. */
  remaining: number;
  /** Seconds until the whole limit is available again. */
  resetSeconds: number;
  /** Seconds until the next request is allowed; 0 if one is allowed now. */
  retrySeconds: number;
}

export interface RateLimiter {
  /** Requests a minute. */
  readonly limit: number;
  /** Counts a request of `key`, unless it is over the limit. */
  take(key: string): RateLimitResult;
}

interface Bucket {
  tokens: number;
  /** The time for which `tokens` was computed, in milliseconds. */
  at: number;
}

/** An unknown key has a full bucket, so dropping a key can only allow more requests. */
const maxKeys = 100_000;

/**
 * A token bucket of `perMinute` requests for each key, which refills evenly within a minute. Every request counts the
 * same, whatever its cost, so the counts disclose only how often a requester has called.
 * @param size maximum number of keys; the least recently used one is dropped first
 */
export const createRateLimiter = ({
  perMinute,
  clock,
  size = maxKeys,
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
