import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { stopInStages, type Part } from './stop-in-stages.ts';

const never = new Promise<void>(() => undefined);
const options = { graceMs: 60_000, cutOff: () => undefined, failed: () => undefined };

test('parts are closed stage by stage, and those of one stage in parallel', async () => {
  const closed: string[] = [];
  const letGo = Promise.withResolvers<void>();
  const part = (name: string, stage: Part['stage'], after?: Promise<void>): Part => ({
    name,
    stage,
    close: async () => {
      closed.push(`${name} begins`);
      await after;
      closed.push(`${name} ends`);
      if (name === 'b') letGo.resolve();
    },
  });
  const parts = [part('engine', 'engines'), part('a', 'work', letGo.promise), part('b', 'work')];
  deepEqual(await stopInStages(parts, options).unfinished, []);
  deepEqual(closed, ['a begins', 'b begins', 'b ends', 'a ends', 'engine begins', 'engine ends']);
});

test('parts that do not close are cut off after the grace period, and then reported by name', async () => {
  let cuts = 0;
  let isClosed = false;
  const parts: Part[] = [
    { name: 'hung', stage: 'work', close: () => never },
    { name: 'engine', stage: 'engines', close: () => void (isClosed = true) },
  ];
  const stopping = stopInStages(parts, { ...options, cutOff: () => (cuts += 1) });
  stopping.hurry();
  stopping.hurry();
  deepEqual(
    (await stopping.unfinished).map(({ name }) => name),
    ['hung'],
  );
  deepEqual([cuts, isClosed], [1, true]);
});

test('a part that fails to close is reported, and the others are closed', async () => {
  const errors: unknown[] = [];
  const error = new Error('not closed');
  let isClosed = false;
  const parts: Part[] = [
    { name: 'bad', stage: 'notes', close: () => Promise.reject(error) },
    { name: 'engine', stage: 'engines', close: () => void (isClosed = true) },
  ];
  const { unfinished } = stopInStages(parts, { ...options, failed: (_part, why) => errors.push(why) });
  deepEqual(
    (await unfinished).map(({ name }) => name),
    ['bad'],
  );
  deepEqual(errors, [error]);
  equal(isClosed, true);
});

test('however many stages hang, a stop ends within 5 seconds after the grace period', async () => {
  const hung = (['work', 'notes', 'engines'] as const).map((stage) => ({
    name: stage,
    stage,
    close: () => never,
  }));
  const stopping = stopInStages(hung, options);
  const begun = performance.now();
  stopping.hurry();
  deepEqual(
    (await stopping.unfinished).map(({ name }) => name),
    ['work', 'notes', 'engines'],
  );
  // If each stage's time started with the stage, this would take 9.4 seconds.
  ok(performance.now() - begun < 9000);
});
