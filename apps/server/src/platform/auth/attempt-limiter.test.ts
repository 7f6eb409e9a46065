import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAttemptLimiter } from './attempt-limiter.ts';

describe('the limit on attempts with a password', () => {
  const limits = { perAddress: 2, whole: 3 };
  const refused = { name: 'ForbiddenError', code: 429, retrySeconds: 1 };

  test('an attempt beyond the limit of its address does not begin, and other addresses are not affected', async () => {
    const limiter = createAttemptLimiter(limits);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const begun: string[] = [];
    const attempt = (source: string) =>
      limiter.run(source, async () => {
        begun.push(source);
        await ended;
        return source;
      });
    const running = [attempt('a'), attempt('a')];
    await rejects(attempt('a'), refused);
    running.push(attempt('b'));
    await rejects(attempt('c'), refused);
    deepEqual(begun, ['a', 'a', 'b']);
    end();
    deepEqual(await Promise.all(running), ['a', 'a', 'b']);
    deepEqual(await Promise.all([attempt('a'), attempt('a'), attempt('c')]), ['a', 'a', 'c']);
  });

  test('an attempt that fails no longer counts', async () => {
    const limiter = createAttemptLimiter(limits);
    for (let count = 0; count < 5; count += 1)
      await rejects(
        limiter.run('a', () => Promise.reject(new Error('wrong'))),
        /wrong/,
      );
    equal(await limiter.run('a', () => Promise.resolve('right')), 'right');
  });
});
