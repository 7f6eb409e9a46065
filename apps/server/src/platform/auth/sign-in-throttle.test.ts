/* Shows: A-guess-delay, A-guess-shared, A-guess-no-lockout */
import { unauthenticated } from '@redoubt/errors';
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { acquireTestDatabase, createTestRuntime, type TestDatabase } from '@redoubt/server/testing';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createPasswords } from './passwords.ts';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts';

const wrong = () => Promise.reject(unauthenticated('wrong'));
const right = () => Promise.resolve('in');
const broken = () => Promise.reject(new Error('the database is unavailable'));

describe('the delay on wrong passwords', () => {
  let now: number;
  let held: number[];
  let delays: SignInThrottle;
  let database: TestDatabase;
  before(async () => {
    database = await acquireTestDatabase();
  });
  after(() => database.giveBack());

  /** The throttle of a process that has just started. */
  const start = (db = database.db): SignInThrottle =>
    createSignInThrottle({
      db,
      passwords: createPasswords(createTestRuntime()),
      secret: Buffer.from('a secret that processes share'),
      clock: { now: () => new Date(now) },
      hold: (milliseconds) => Promise.resolve(held.push(milliseconds)),
    });

  /** Gives `in`, `wrong`, or the seconds to wait. */
  const attempt = async (account: string, source: string, check: () => Promise<string>) => {
    try {
      return await delays.attempt({ account, ip: source }, check);
    } catch (error) {
      const { name, retrySeconds } = error as { name: string; retrySeconds?: number };
      return name === 'AuthError' ? 'wrong' : retrySeconds;
    }
  };
  const fail = async (times: number, account: string, source: string) => {
    const responses = [];
    for (let count = 0; count < times; count += 1) responses.push(await attempt(account, source, wrong));
    return responses;
  };

  beforeEach(async () => {
    await database.db.deleteFrom('sign_in_failures').execute();
    now = 1_000_000;
    held = [];
    delays = start();
  });

  test('five wrong passwords are free, then each doubles the waiting time, up to 15 minutes', async () => {
    deepEqual(await fail(5, 'ada', 'here'), Array(5).fill('wrong'));
    const waits: unknown[] = [];
    for (let round = 0; round < 12; round += 1) {
      const wait = await attempt('ada', 'here', right);
      waits.push(wait);
      now += Number(wait) * 1000;
      equal(await attempt('ada', 'here', wrong), 'wrong');
    }
    deepEqual(waits.slice(0, 6), [1, 2, 4, 8, 16, 32]);
    equal(waits.at(-1), 900);
  });

  test('during the waiting time even the right password is rejected, and a rejected attempt does not prolong it', async () => {
    await fail(6, 'ada', 'here');
    deepEqual([await attempt('ada', 'here', right), await attempt('ada', 'here', right)], [1, 1]);
    now += 1000;
    equal(await attempt('ada', 'here', right), 'in');
    deepEqual(await fail(5, 'ada', 'here'), Array(5).fill('wrong'));
  });

  test('guesses of a stranger lock nobody out: from another address the right password is accepted', async () => {
    await fail(8, 'ada', 'stranger');
    equal(await attempt('ada', 'stranger', right), 1);
    equal(await attempt('ada', 'home', right), 'in');
    equal(await attempt('ben', 'stranger', right), 'in');
  });

  test('guesses at one account from many addresses reject nobody, and make its responses slower', async () => {
    for (let place = 0; place < 25; place += 1) equal(await attempt('ada', `place ${place}`, wrong), 'wrong');
    held = [];
    equal(await attempt('ada', 'home', right), 'in');
    equal(held.length, 1);
    equal(await attempt('ben', 'home', right), 'in');
    equal(held.length, 1);
  });

  test('guesses at many accounts from one address are slowed down as well', async () => {
    for (let account = 0; account < 100; account += 1)
      equal(await attempt(`account ${account}`, 'here', wrong), 'wrong');
    equal(await attempt('another', 'here', right), 1);
    equal(await attempt('another', 'elsewhere', right), 'in');
    now += 1000;
    equal(await attempt('another', 'here', right), 'in');
  });

  test('guesses that are sent at the same time count as well', async () => {
    const results = await Promise.all(Array.from({ length: 60 }, () => attempt('ada', 'here', wrong)));
    const tried = results.filter((result) => result === 'wrong').length;
    // Attempts that read the counts after others have failed are rejected.
    ok(tried >= 5 && tried <= 20, `${tried} were tried`);
    equal(typeof (await attempt('ada', 'here', right)), 'number');
  });

  test('failures are forgotten with time, and other errors do not count as failures', async () => {
    await fail(5, 'ada', 'here');
    now += 3 * 15 * 60_000;
    deepEqual(await fail(3, 'ada', 'here'), Array(3).fill('wrong'));
    for (let count = 0; count < 10; count += 1)
      await rejects(delays.attempt({ account: 'ben', ip: 'here' }, broken), /unavailable/);
    equal(await attempt('ben', 'here', right), 'in');
  });

  test('other processes and restarted ones continue the count', async () => {
    await fail(3, 'ada', 'here');
    delays = start();
    await fail(3, 'ada', 'here');
    delays = start();
    equal(await attempt('ada', 'here', right), 1);
    now += 1000;
    equal(await attempt('ada', 'here', right), 'in');
    delays = start();
    deepEqual(await fail(5, 'ada', 'here'), Array(5).fill('wrong'));
  });

  const kept = () => database.db.selectFrom('sign_in_failures').selectAll().execute();

  test('stored failures contain no name or address, and are deleted when they are forgotten', async () => {
    await fail(2, 'ludmila', 'here');
    equal((await kept()).length, 3);
    ok(!/ludmila|here/.test(JSON.stringify(await kept())));
    now += 31 * 60_000;
    await fail(1, 'ben', 'there');
    equal((await kept()).length, 3);
  });

  test('no attempt uses counts that were read before other attempts failed', async () => {
    const { promise: othersFailed, resolve } = Promise.withResolvers<void>();
    let reads = 0;
    const late = new WeakSet<object>();
    const slow = database.db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'SelectQueryNode' && (reads += 1) > 20) late.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        if (late.has(queryId)) await othersFailed;
        return result;
      },
    });
    delays = start(slow);
    // No attempt fails before all twenty have read the counts: on a busy machine, late ones would see others' failures.
    const { promise: allTried, resolve: lastTried } = Promise.withResolvers<void>();
    let tried = 0;
    const wrongTogether = async () => {
      if ((tried += 1) === 20) lastTried();
      await allTried;
      return wrong();
    };
    const attempts = Array.from({ length: 25 }, () => attempt('ada', 'here', wrongTogether));
    deepEqual(await Promise.all(attempts.slice(0, 20)), Array(20).fill('wrong'));
    resolve();
    deepEqual(await Promise.all(attempts.slice(20)), Array(5).fill(1));
  });

  test('concurrent failures are all counted', async () => {
    const others = Array.from({ length: 4 }, () => start());
    await Promise.all(
      others.map((other) => rejects(other.attempt({ account: 'ada', ip: 'here' }, wrong), /wrong/)),
    );
    deepEqual(await fail(2, 'ada', 'here'), ['wrong', 1]);
  });
});
