/* Shows: A-limit-bucket */
import { deepEqual, equal } from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

describe('the token bucket of requests', () => {
  let now: number;
  let limiter: RateLimiter;
  const allowed = (key: string, times: number): number =>
    Array.from({ length: times }, () => limiter.take(key)).filter((one) => one.allowed).length;

  beforeEach(() => {
    now = 1_000_000;
    limiter = createRateLimiter({ perMinute: 60, clock: { now: () => new Date(now) }, size: 3 });
  });

  test('the whole limit is available at once, and refills evenly within a minute', () => {
    equal(allowed('a', 100), 60);
    now += 999;
    equal(allowed('a', 5), 0);
    now += 1;
    equal(allowed('a', 5), 1);
    now += 30_000;
    equal(allowed('a', 100), 30);
    now += 600_000;
    equal(allowed('a', 100), 60);
  });

  test('the result has the remaining requests, the time until the limit is full again, and the time until the next request', () => {
    deepEqual(limiter.take('a'), { allowed: true, remaining: 59, resetSeconds: 1, retrySeconds: 0 });
    allowed('a', 59);
    now += 400;
    deepEqual(limiter.take('a'), { allowed: false, remaining: 0, resetSeconds: 60, retrySeconds: 1 });
  });

  test('keys do not share a limit', () => {
    equal(allowed('a', 100), 60);
    equal(allowed('b', 100), 60);
  });

  test('a clock that is set back neither adds nor removes requests', () => {
    equal(allowed('a', 60), 60);
    now -= 3_600_000;
    equal(allowed('a', 5), 0);
    now += 1000;
    equal(allowed('a', 5), 1);
  });

  test('with more keys than the limiter holds, the least recently used one is dropped', () => {
    for (const key of ['a', 'b', 'c']) equal(allowed(key, 60), 60);
    equal(allowed('a', 1), 0);
    equal(allowed('d', 1), 1);
    equal(allowed('a', 1), 0);
    equal(allowed('b', 1), 1);
  });
});
