/* Shows: A-billing-turns */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const slot = (person: string, limit: number, workspaceUid = 'w', signal = never) => ({
  person,
  limit,
  workspaceUid,
  signal,
});

test('waiting queries start in turn by person, however many each person has', async () => {
  const limiter = createConcurrencyLimiter(60);
  const order: string[] = [];
  const first = await limiter.acquire(slot('a', 1));
  const work = async (person: string): Promise<void> => {
    const release = await limiter.acquire(slot(person, 1));
    order.push(person);
    await settled();
    release();
  };
  const all = ['a', 'a', 'a', 'b', 'c', 'b'].map(work);
  await settled();
  deepEqual(order, []);
  first();
  await Promise.all(all);
  deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('workspaces do not wait for each other, and releasing a slot twice counts once', async () => {
  const limiter = createConcurrencyLimiter(60);
  const first = await limiter.acquire(slot('a', 2));
  const second = await limiter.acquire(slot('a', 2));
  await limiter.acquire(slot('a', 2, 'another'));
  first();
  first();
  await limiter.acquire(slot('b', 2));
  let isServed = false;
  const waiting = limiter.acquire(slot('c', 2)).then(() => (isServed = true));
  await settled();
  equal(isServed, false);
  second();
  await waiting;
});

test('a client that disconnects while it waits leaves its slot to others', async () => {
  const limiter = createConcurrencyLimiter(60);
  const first = await limiter.acquire(slot('a', 1));
  const gone = new AbortController();
  const stopped = limiter.acquire(slot('b', 1, 'w', gone.signal));
  const next = limiter.acquire(slot('c', 1));
  gone.abort();
  await rejects(stopped, /canceled while it waited/);
  first();
  (await next)();
});

test('a query that gets no slot in time is told when to try again', async () => {
  const limiter = createConcurrencyLimiter(0.05);
  const slot = { workspaceUid: 'w', limit: 1, signal: new AbortController().signal };
  const release = await limiter.acquire({ ...slot, person: 'a' });
  await rejects(limiter.acquire({ ...slot, person: 'b' }), { code: 429, retrySeconds: 1 });
  release();
});
