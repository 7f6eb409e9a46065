import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createHashQueue } from './hash-queue.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of hashes', () => {
  test('no more hashes are computed at once than its limit', async () => {
    const queue = createHashQueue(2);
    let running = 0;
    let most = 0;
    const hash = async () => {
      most = Math.max(most, (running += 1));
      await nextTurn();
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => queue.run('a', hash)));
    equal(most, 2);
  });

  test('addresses take turns, however many hashes of one wait', async () => {
    const queue = createHashQueue(1);
    const order: string[] = [];
    const hash = (source: string) =>
      queue.run(source, async () => {
        order.push(source);
        await nextTurn();
      });
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(hash));
    deepEqual(order, ['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('a hash that fails lets the next one begin', async () => {
    const queue = createHashQueue(1);
    const failing = queue.run('a', () => Promise.reject(new Error('no memory')));
    const next = queue.run('a', () => Promise.resolve('hash'));
    await rejects(failing, /no memory/);
    equal(await next, 'hash');
  });
});
