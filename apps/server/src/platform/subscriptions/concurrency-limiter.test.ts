import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;
const turn = (person: string, bound: number, workspaceUid = 'w', signal = never) => ({
  person,
  bound,
  workspaceUid,
  signal,
});

test('turns that wait come person by person, however many one of them waits for', async () => {
  const turns = createConcurrencyLimiter(60);
  const order: string[] = [];
  const first = await turns.take(turn('a', 1));
  const work = async (person: string): Promise<void> => {
    const giveBack = await turns.take(turn(person, 1));
    order.push(person);
    await settled();
    giveBack();
  };
  const all = ['a', 'a', 'a', 'b', 'c', 'b'].map(work);
  await settled();
  deepEqual(order, []);
  first();
  await Promise.all(all);
  deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('workspaces do not wait for each other, and a turn that is given back twice counts once', async () => {
  const turns = createConcurrencyLimiter(60);
  const first = await turns.take(turn('a', 2));
  const second = await turns.take(turn('a', 2));
  await turns.take(turn('a', 2, 'another'));
  first();
  first();
  await turns.take(turn('b', 2));
  let isServed = false;
  const waiting = turns.take(turn('c', 2)).then(() => (isServed = true));
  await settled();
  equal(isServed, false);
  second();
  await waiting;
});

test('who goes away while waiting for a turn leaves it to others', async () => {
  const turns = createConcurrencyLimiter(60);
  const first = await turns.take(turn('a', 1));
  const gone = new AbortController();
  const stopped = turns.take(turn('b', 1, 'w', gone.signal));
  const next = turns.take(turn('c', 1));
  gone.abort();
  await rejects(stopped, /stopped while it waited/);
  first();
  (await next)();
});
