import type { Member } from '../../platform/auth/actor.ts';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createRunRecorder, type RecordedRuns } from './run-recorder.ts';

const request = { headers: { 'x-redoubt-session': 'a session' } } as unknown as FastifyRequest;
const clock = { now: () => new Date(0) };

const recorded = (body: Readable, add: RecordedRuns['add']): Promise<unknown> =>
  createRunRecorder({ runs: { add }, clock }).whileRecorded(
    {} as Member,
    request,
    'SELECT 1',
    (onComplete) => {
      body.once('end', () => onComplete(3));
      return Promise.resolve(body);
    },
  );

test('a response ends only when its run is stored, so that the next request finds it in the history', async () => {
  const stored: unknown[] = [];
  const { promise: isStored, resolve: store } = Promise.withResolvers<void>();
  const body = (await recorded(Readable.from([Buffer.from('a'), Buffer.from('b')]), async (_, run) => {
    stored.push([run.status, run.rows]);
    await isStored;
  })) as Readable;
  let hasEnded = false;
  const whole = text(body).finally(() => (hasEnded = true));
  while (stored.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 20));
  equal(hasEnded, false);
  store();
  equal(await whole, 'ab');
  deepEqual(stored, [['completed', 3]]);
});

test('a response that is cut off is stored once as canceled, and its source is destroyed', async () => {
  const stored: unknown[] = [];
  const source = new Readable({ read: () => undefined });
  const body = (await recorded(source, (_, run) => {
    stored.push([run.status, run.rows]);
    return Promise.resolve();
  })) as Readable;
  const whole = text(body);
  body.destroy(new Error('the client has gone'));
  await rejects(whole, /the client has gone/);
  while (stored.length === 0) await new Promise((resolve) => setImmediate(resolve));
  equal(source.destroyed, true);
  deepEqual(stored, [['canceled', null]]);
});
