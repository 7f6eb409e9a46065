import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from './fair-queue.ts';

const never = (): Error => new Error('nothing aborts this entry');

test('keys are served in turn, however many entries one of them has', async () => {
  const queue = createFairQueue<string, number>();
  const served: string[] = [];
  const waits = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (key) => {
    const turn = await queue.wait(key, undefined, never);
    served.push(`${key}${String(turn)}`);
  });
  for (let turn = 0; turn < waits.length; turn++) queue.next()?.resolve(turn);
  assert.equal(queue.next(), undefined);
  await Promise.all(waits);
  assert.deepEqual(served, ['a0', 'b1', 'c2', 'a3', 'b4', 'a5']);
});

test('a key that may not run is passed over and keeps its place', async () => {
  const queue = createFairQueue<string, string>();
  const waits = ['a', 'b'].map((key) => queue.wait(key, undefined, never));
  const second = queue.next((key) => key !== 'a');
  assert.equal(second?.key, 'b');
  second.resolve('first turn');
  assert.equal(
    queue.next(() => false),
    undefined,
  );
  queue.next()?.resolve('second turn');
  assert.deepEqual(await Promise.all(waits), ['second turn', 'first turn']);
});

test('an entry that is aborted rejects and leaves its place to others', async () => {
  const queue = createFairQueue<string, number>();
  const controller = new AbortController();
  const aborted = queue.wait('a', controller.signal, ({ reason }) => new Error(`left: ${String(reason)}`));
  const other = queue.wait('b', undefined, never);
  controller.abort('no longer needed');
  await assert.rejects(aborted, { message: 'left: no longer needed' });
  queue.next()?.resolve(1);
  assert.equal(await other, 1);
  assert.equal(queue.next(), undefined);
});

test('an entry of a signal that has aborted before rejects and does not join', async () => {
  const queue = createFairQueue<string, number>();
  const aborted = queue.wait('a', AbortSignal.abort(), () => new Error('too late'));
  await assert.rejects(aborted, { message: 'too late' });
  assert.equal(queue.next(), undefined);
});

test('an entry that was served is not rejected by a later abort', async () => {
  const queue = createFairQueue<string, number>();
  const controller = new AbortController();
  const waiting = queue.wait('a', controller.signal, never);
  queue.next()?.resolve(1);
  controller.abort();
  assert.equal(await waiting, 1);
});

test('rejecting all entries empties the queue', async () => {
  const queue = createFairQueue<string, number>();
  const waits = ['a', 'a', 'b'].map((key) => queue.wait(key, undefined, never));
  queue.rejectAll(() => new Error('closed'));
  for (const wait of waits) await assert.rejects(wait, { message: 'closed' });
  assert.equal(queue.next(), undefined);
});
