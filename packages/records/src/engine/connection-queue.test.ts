/* Shows: A-fairness */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLane } from './connection-queue.ts';

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one person holds half of the connections at most, and the rest are for others', async () => {
  const lane = createLane([1, 2, 3, 4]);
  const heavy = Array.from({ length: 5 }, async () => lane.take(undefined, 'heavy'));
  await settled();
  const light = await Promise.all([lane.take(undefined, 'light'), lane.take(undefined, 'light')]);
  assert.deepEqual(new Set(light), new Set([1, 2]));
  const [first, second, ...late] = heavy;
  let isServed = false;
  void late[0]?.then(() => (isServed = true));
  lane.giveBack(light[0], 'light');
  await settled();
  assert.equal(isServed, false);
  lane.giveBack(await first!, 'heavy');
  await late[0];
  lane.giveBack(await second!, 'heavy');
  await late[1];
});

test('waiting users get connections in turn, however many one of them waits for', async () => {
  const lane = createLane([1, 2]);
  const order: string[] = [];
  const held = [await lane.take(), await lane.take()];
  const work = async (person: string): Promise<void> => {
    const connection = await lane.take(undefined, person);
    order.push(person);
    await settled();
    lane.giveBack(connection, person);
  };
  for (const person of ['a', 'a', 'a', 'b', 'c', 'b']) {
    void work(person);
  }
  lane.giveBack(held[0]!);
  while (order.length < 6) await settled();
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('an aborted wait uses no turn, and the last connection of a lane is open to every user', async () => {
  const lane = createLane([1]);
  const connection = await lane.take(undefined, 'a');
  const controller = new AbortController();
  const stopped = lane.take(controller.signal, 'b');
  const next = lane.take(undefined, 'c');
  controller.abort(new Error('enough'));
  await assert.rejects(stopped, /enough/);
  lane.giveBack(connection, 'a');
  assert.equal(await next, 1);
  lane.giveBack(1, 'c');
  assert.equal(await lane.take(undefined, 'a'), 1);
});
