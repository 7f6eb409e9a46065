/* Shows: D-stream-failure, D-error-log-id, X-InternalServerError, L19, R-output-schema, A-logs, A-fault-id,
   A-no-store */
import { defineRoute, strictObject, type RouteDescriptor } from '@redoubt/contract';
import { createTestRuntime } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Type } from 'typebox';
import { createLogger } from '../log/logger.ts';
import { bindPublic, type RouteBinding } from './binding.ts';
import { noProtection } from './protection/protection.ts';
import { createHttpServer } from './server.ts';

const routeBase = {
  tag: 'System',
  summary: 'S',
  description: 'D.',
  caller: 'anyone',
  method: 'GET',
  operationId: 'getThing',
  path: '/thing',
  errors: [],
} as const;
const thing = defineRoute({
  ...routeBase,
  success: {
    status: 200,
    description: 'It.',
    schema: strictObject({ shown: Type.String(), inside: strictObject({ shown: Type.String() }) }),
  },
});

const serverOf = (handle: Parameters<typeof bindPublic<typeof thing>>[1], route: RouteDescriptor = thing) => {
  const log: string[] = [];
  const bindings: RouteBinding[] = [bindPublic(route, handle as RouteBinding['handle'] as never)];
  const app = createHttpServer({
    bindings,
    audit: { log: () => Promise.resolve() },
    authenticate: () => Promise.reject(new Error('this test needs no credential')),
    logger: createLogger('info', { write: (line) => void log.push(line) }),
    runtime: createTestRuntime(),
    bodyLimit: 1000,
    protection: noProtection,
  });
  return { app, log };
};

test('fields that the response schema does not name never leave the server', async () => {
  const inside = { shown: 'b', passwordHash: 'hidden' };
  const { app } = serverOf(() => ({ shown: 'a', inside, secret: 'hidden' }) as never);
  const { statusCode, body } = await app.inject('/thing');
  equal(statusCode, 200);
  deepEqual(JSON.parse(body), { shown: 'a', inside: { shown: 'b' } });
});

test('an unexpected error is a 500 that discloses only the request id under which the log has the cause', async () => {
  const { app, log } = serverOf(() => {
    throw new TypeError('the password is plugh', { cause: new Error('label SECRET') });
  });
  const response = await app.inject('/thing?');
  equal(response.statusCode, 500);
  const { name, message, code, ...rest } = response.json<{ name: string; message: string; code: number }>();
  deepEqual([name, code, rest], ['InternalServerError', 500, {}]);
  const [, id] =
    /^Something went wrong in the server\. Its log has the cause under the id (\S+)\.$/.exec(message) ?? [];
  ok(id !== undefined);
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const problem = lines.find((line) => line['reqId'] === id && line['err'] !== undefined);
  deepEqual(Object.keys(problem?.['err'] ?? {}), ['type', 'stack', 'cause']);
  match(JSON.stringify(problem), /answers\.test\.ts/);
  ok(!log.join('').includes('plugh') && !log.join('').includes('SECRET'));
});

test('every response forbids caching it, errors included', async () => {
  let fails = false;
  const { app } = serverOf(() => {
    if (fails) throw new Error('wrong');
    return { shown: 'a', inside: { shown: 'b' } };
  });
  const responses = [
    await app.inject('/thing'),
    await app.inject('/nowhere'),
    await app.inject('/thing?x=1'),
  ];
  fails = true;
  responses.push(await app.inject('/thing'));
  deepEqual(
    responses.map(({ statusCode, headers }) => [statusCode, headers['cache-control']]),
    [200, 404, 400, 500].map((status) => [status, 'no-store']),
  );
});

const streamed = defineRoute({
  ...routeBase,
  success: { status: 200, description: 'Rows.', schema: Type.Array(Type.Number()), streamed: true },
});

async function* brokenRows() {
  yield '[1';
  yield ',2'.repeat(100_000);
  throw new Error('the engine has stopped');
}

test('an error in the middle of a stream closes the connection, so that clients notice the incomplete response', async () => {
  const { app } = serverOf(() => Readable.from(brokenRows()), streamed);
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const response = await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/thing`);
    equal(response.status, 200);
    await rejects(response.text(), TypeError);
  } finally {
    await app.close();
  }
});
