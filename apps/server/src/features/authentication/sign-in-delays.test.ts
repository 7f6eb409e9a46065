/* Shows: X-ForbiddenError-429, A-guess-delay */
import { sendRequest, signUp } from '@redoubt/testkit';
import { startServer } from '@redoubt/server/testing';
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';

test('wrong passwords delay further sign-ins, equally for existing and absent accounts, and not from other addresses', async () => {
  const server = await startServer({ protection: { trustedProxies: ['127.0.0.1'] } });
  try {
    const person = await signUp(server);
    const signIn = (email: string, password: string, address: string) =>
      sendRequest<{ name: string; message: string; code: number }>(server, 'POST', '/authentication', {
        headers: { 'x-forwarded-for': address },
        body: { strategy: 'local', email, password },
      });
    const guess = async (email: string) => {
      const responses = [];
      for (let count = 0; count < 7; count += 1) {
        const { status, headers, body } = await signIn(email, 'a wrong password', '198.51.100.1');
        responses.push({ status, retry: headers.get('retry-after'), ...body });
      }
      return responses;
    };
    const known = await guess(person.email);
    deepEqual(
      known.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429, 429],
    );
    equal(known.at(-1)?.name, 'ForbiddenError');
    equal(known.at(-1)?.retry, '1');
    match(known.at(-1)?.message ?? '', /Too many sign-ins from your address have failed\. Try again in 1 s/);
    deepEqual(await guess('nobody@example.org'), known);
    equal((await signIn(person.email, person.password, '198.51.100.1')).status, 429);
    equal((await signIn(person.email.toUpperCase(), person.password, '198.51.100.1')).status, 429);
    equal((await signIn(person.email, person.password, '198.51.100.2')).status, 201);
    server.runtime.clock.advance(1000);
    equal((await signIn(person.email, person.password, '198.51.100.1')).status, 201);
  } finally {
    await server.close();
  }
});
