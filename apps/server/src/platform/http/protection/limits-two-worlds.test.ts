/* Shows: L12 */
import { startTwoWorlds } from '@redoubt/server/testing';
import type { Send } from '@redoubt/testkit';
import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';

const tokenOf = async (send: Send, email: string): Promise<string> => {
  const names = { firstName: 'A', lastName: 'B', email, password: 'long enough' };
  await send({ method: 'POST', path: '/users', body: names });
  const body = { strategy: 'local', email, password: names.password };
  const response = await send({ method: 'POST', path: '/authentication', body });
  return (JSON.parse(response.body) as { accessToken: string }).accessToken;
};

test('L12: the remaining requests of a limit disclose nothing about other requesters, even at the same address', async () => {
  const worlds = await startTwoWorlds({ protection: { rateLimits: { perCredential: 20, perAddress: 40 } } });
  try {
    const token = await worlds.both('a person', (send) => tokenOf(send, 'ada@example.org'));
    await worlds.hidden('others', async (send) => {
      const other = await tokenOf(send, 'ben@example.org');
      for (let count = 0; count < 15; count += 1) {
        await send({ method: 'GET', path: '/me', token: other });
        await send({ method: 'GET', path: '/me' });
      }
    });
    const own = await worlds.same('my own', { method: 'GET', path: '/me', token });
    equal(own.status, 200);
    match(JSON.stringify(own.headers), /"ratelimit-remaining","19"/);
    equal((await worlds.same('nobody', { method: 'GET', path: '/me' })).status, 401);
  } finally {
    await worlds.close();
  }
});
