/* Shows: A-guess-in-flight */
import { createWorkspace, sendRequest, signUp, type SendOptions } from '@redoubt/testkit';
import { acquireTestDatabase, startServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';

const trustsLoopback = { trustedProxies: ['127.0.0.1'] };
const from = (address: string) => ({ 'x-forwarded-for': address });
const wrongSignIn = (email: string) => ({ strategy: 'local', email, password: 'a wrong password' });

test('of 600 sign-ins at once from one address, only the free failures and those in flight are checked', async () => {
  const server = await startServer();
  try {
    const statuses = await Promise.all(
      Array.from({ length: 600 }, async (_, count) => {
        const body = wrongSignIn(`person${count}@example.org`);
        return (await sendRequest(server, 'POST', '/authentication', { body })).status;
      }),
    );
    const checked = statuses.filter((status) => status === 401).length;
    equal(statuses.filter((status) => status === 429).length, 600 - checked);
    // When the hundredth failure is counted, at most nineteen other attempts have read the counts.
    ok(checked >= 20 && checked <= 119, `${checked} were checked`);
  } finally {
    await server.close();
  }
});

test('while attempts of an address are in flight, it gets 429 for every request with a password, other addresses and signed-in people are not affected', async () => {
  const database = await acquireTestDatabase();
  // Holds the sign-ins of an address where they read the counts of failures.
  let held = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: allHeld, resolve: lastHeld } = Promise.withResolvers<void>();
  const isHolding = { value: false };
  const counts = new WeakSet<object>();
  const reads: string[] = [];
  const db = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      reads.push(text);
      if (isHolding.value && node.kind === 'SelectQueryNode' && text.includes('sign_in_failures'))
        counts.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (!counts.has(queryId)) return result;
      if ((held += 1) === 2) lastHeld();
      await released;
      return result;
    },
  });
  const server = await startServer({
    db,
    protection: trustsLoopback,
    attemptLimits: { perAddress: 2, whole: 8 },
  });
  try {
    const { admin } = await createWorkspace(server);
    const person = await signUp(server);
    const send = (
      method: 'GET' | 'PATCH' | 'POST',
      path: string,
      address: string,
      options: SendOptions = {},
    ) =>
      sendRequest<{ name: string; message: string }>(server, method, path, {
        ...options,
        headers: from(address),
      });
    isHolding.value = true;
    const inFlight = ['one', 'two'].map((name) =>
      send('POST', '/authentication', '2001:db8::1', { body: wrongSignIn(`${name}@example.org`) }),
    );
    await allHeld;
    isHolding.value = false;

    const names = { firstName: 'New', lastName: 'Person', password: 'a good password' };
    const newPerson = { ...names, email: 'new@example.org' };
    const right = { strategy: 'local', email: person.email, password: person.password };
    const newPassword = { currentPassword: person.password, password: 'another good password' };
    const token = 'x'.repeat(43);
    // All of 2001:db8::/64 is one address.
    const strangers = (address: string) => [
      () => send('POST', '/authentication', address, { body: right }),
      () => send('POST', '/authentication', address, { body: wrongSignIn(person.email) }),
      () => send('POST', '/users', address, { body: newPerson }),
      () => send('POST', '/password-resets/confirm', address, { body: { token, password: names.password } }),
      () => send('POST', '/invitations/join', address, { body: { ...names, token } }),
    ];
    const added = { ...newPerson, email: 'added@example.org' };
    const signedIn = (address: string) => [
      () => send('POST', '/users', address, { body: added, token: admin.token }),
      () => send('PATCH', `/users/${person.id}`, address, { body: newPassword, token: person.token }),
    ];
    const requireRefused = async (attempt: () => ReturnType<typeof send>) => {
      const { status, headers, body } = await attempt();
      deepEqual([status, body.name, headers.get('retry-after')], [429, 'ForbiddenError', '1']);
      match(body.message, /At most 2 requests with a password are checked at once for an address, and 8/);
    };
    reads.length = 0;
    for (const attempt of strangers('2001:db8::2')) await requireRefused(attempt);
    deepEqual(
      reads.filter((text) => /"(accounts|account_links|invitations|sign_in_failures)"/.test(text)),
      [],
    );
    for (const attempt of signedIn('2001:db8::2')) await requireRefused(attempt);
    const statuses = [];
    for (const attempt of [...strangers('2001:db8:0:1::2'), ...signedIn('2001:db8:0:1::2')])
      statuses.push((await attempt()).status);
    deepEqual(statuses, [201, 401, 201, 404, 404, 201, 200]);
    equal((await send('GET', '/me', '2001:db8::1', { token: person.token })).status, 200);
    equal((await send('GET', '/health', '2001:db8::1')).status, 200);

    release();
    deepEqual(
      (await Promise.all(inFlight)).map(({ status }) => status),
      [401, 401],
    );
    equal(
      (await send('POST', '/authentication', '2001:db8::1', { body: wrongSignIn('x@y.org') })).status,
      401,
    );
  } finally {
    release();
    await server.close();
    await database.giveBack();
  }
});
