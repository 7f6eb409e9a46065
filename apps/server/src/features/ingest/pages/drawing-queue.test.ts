import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { createDrawingQueue } from './drawing-queue.ts';

/** Draws that end when a test says so. */
const createDraws = () => {
  const queue = createDrawingQueue<string>();
  const started: string[] = [];
  const stopped: string[] = [];
  const ends = new Map<string, () => void>();
  const request = (accountId: string, key: string) => {
    const client = new AbortController();
    const result = queue.run(key, { accountId, signal: client.signal }, (signal) => {
      started.push(key);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      ends.set(key, () => resolve(key));
      signal.addEventListener('abort', () => {
        stopped.push(key);
        reject(signal.reason as Error);
      });
      return promise;
    });
    result.catch(() => undefined);
    return { result, disconnect: () => client.abort() };
  };
  return { request, started, stopped, end: (key: string) => ends.get(key)?.() };
};

test('a person who requests many pages leaves a slot for others', async () => {
  const { request, started, end } = createDraws();
  const first = request('one', 'a');
  request('one', 'b');
  request('two', 'c');
  await setImmediate();
  assert.deepEqual(started, ['a', 'c']);
  end('a');
  assert.equal(await first.result, 'a');
  await setImmediate();
  assert.deepEqual(started, ['a', 'c', 'b']);
});

test('a draw stops when all of its clients have disconnected, and a later request starts anew', async () => {
  const { request, started, stopped, end } = createDraws();
  const clients = [request('one', 'a'), request('two', 'a')];
  const waits = request('one', 'b');
  await setImmediate();
  clients[0]?.disconnect();
  waits.disconnect();
  await assert.rejects(waits.result);
  assert.deepEqual([started, stopped], [['a'], []]);
  clients[1]?.disconnect();
  await setImmediate();
  assert.deepEqual(stopped, ['a']);
  const again = request('one', 'a');
  await setImmediate();
  end('a');
  assert.equal(await again.result, 'a');
  assert.deepEqual(started, ['a', 'a']);
});

test('a person can have only some draws waiting', async () => {
  const { request } = createDraws();
  const results = Array.from({ length: 31 }, (_, n) => request('one', String(n)).result);
  await assert.rejects(results.at(-1) ?? Promise.resolve(), { code: 429 });
  request('two', 'other');
});
