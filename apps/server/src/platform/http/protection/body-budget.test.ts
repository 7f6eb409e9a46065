import { defineRoute, strictObject } from '@redoubt/contract';
import { createTestRuntime } from '@redoubt/server/testing';
import { deepEqual, equal, match, throws } from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Person } from '../../auth/actor.ts';
import { createLogger } from '../../log/logger.ts';
import { bindPerson } from '../binding.ts';
import { createHttpServer } from '../server.ts';
import { bodyLimitsFor, createBodyBudget } from './body-budget.ts';
import { noProtection } from './protection.ts';

const limits = { perPerson: 100_000, people: 150_000, perAddress: 10_000, addresses: 15_000 };

test('the bodies of one sender, and of all of them, are bounded, and people and addresses do not compete', () => {
  const { ofPerson, ofAddress } = createBodyBudget(limits);
  const [first, second, other] = [ofPerson('a'), ofPerson('a'), ofPerson('b')];
  first.keep(60_000);
  second.keep(40_000);
  throws(() => second.keep(1), /^ForbiddenError: You send too many large requests at once/);
  other.keep(50_000);
  throws(() => other.keep(1), /^ForbiddenError: The server receives too many large requests/);
  ofAddress('10.0.0.1').keep(10_000);
  throws(() => ofAddress('10.0.0.1').keep(1), /You send too many/);
  first.free();
  first.free();
  other.keep(50_000);
  second.keep(10_000);
});

test('the shares are fractions of the heap, and never smaller than one body', () => {
  const gigabyte = 2 ** 30;
  deepEqual(bodyLimitsFor(64 * 2 ** 20, 4 * gigabyte), {
    perPerson: gigabyte / 2,
    people: gigabyte,
    perAddress: gigabyte / 16,
    addresses: gigabyte / 4,
  });
  const { perPerson, people } = bodyLimitsFor(gigabyte, gigabyte / 2);
  deepEqual([perPerson, people], [gigabyte, 2 * gigabyte]);
});

/** A server whose handler waits until the gate opens. The header Authorization is the id of the person. */
const listen = async () => {
  const gate = Promise.withResolvers<void>();
  const entered: string[] = [];
  const route = defineRoute({
    method: 'POST',
    path: '/thing',
    operationId: 'sendThing',
    tag: 'System',
    summary: 'S',
    description: 'D.',
    caller: 'person',
    body: Type.Unknown(),
    rawBody: true,
    success: { status: 200, description: 'It.', schema: strictObject({ size: Type.Integer() }) },
    errors: [],
  });
  const app = createHttpServer({
    bindings: [
      bindPerson(route, async ({ actor, bytes }) => {
        entered.push(actor.accountId);
        await gate.promise;
        return { size: bytes.length };
      }),
    ],
    audit: { log: () => Promise.resolve() },
    authenticate: ({ authorization }) =>
      Promise.resolve({
        accountId: authorization,
        sessionId: '',
        credential: { kind: 'session' },
        workspace: undefined,
      } as unknown as Person),
    logger: createLogger('silent'),
    runtime: createTestRuntime(),
    bodyLimit: 90_000,
    bodyLimits: limits,
    protection: noProtection,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/thing`;
  return {
    entered,
    open: gate.resolve,
    send: (person: string, bytes: number, signal: AbortSignal | null = null) =>
      fetch(url, { method: 'POST', headers: { authorization: person }, body: 'x'.repeat(bytes), signal }),
    close: async () => {
      gate.resolve();
      await app.close();
    },
  };
};

test('a body counts until the work on it has ended, also when its client has disconnected', async () => {
  const { entered, open, send, close } = await listen();
  try {
    const disconnect = new AbortController();
    const gone = send('a', 70_000, disconnect.signal).catch(() => undefined);
    while (entered.length < 1) await delay(5);
    disconnect.abort();
    await gone;
    const waiting = send('b', 70_000);
    while (entered.length < 2) await delay(5);
    const own = await send('a', 70_000);
    equal(own.status, 429);
    match(await own.text(), /You send too many large requests at once/);
    equal(own.headers.get('retry-after'), '2');
    const other = await send('c', 70_000);
    equal(other.status, 429);
    match(await other.text(), /The server receives too many large requests/);
    open();
    equal((await waiting).status, 200);
    let status = 0;
    for (const person of ['a', 'b', 'c']) {
      do status = (await send(person, 70_000)).status;
      while (status === 429);
      equal(status, 200);
    }
  } finally {
    await close();
  }
});

test('small bodies of people count for their address only until the people are known', async () => {
  const { entered, open, send, close } = await listen();
  try {
    const waiting: Promise<Response>[] = [];
    for (const person of ['a', 'b', 'c', 'a', 'a']) {
      waiting.push(send(person, 9000));
      while (entered.length < waiting.length) await delay(5);
    }
    const more = await send('a', 80_000);
    equal(more.status, 429);
    open();
    for (const { status } of await Promise.all(waiting)) equal(status, 200);
  } finally {
    await close();
  }
});
