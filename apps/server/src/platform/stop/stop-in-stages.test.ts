import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { stopInStages, type Part } from './stop-in-stages.ts';

const never = new Promise<void>(() => undefined);
const how = { graceMs: 60_000, cutOff: () => undefined, failed: () => undefined };

test('parts are closed stage by stage, those of one stage side by side', async () => {
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
  deepEqual(await stopInStages(parts, how).unfinished, []);
  deepEqual(closed, ['a begins', 'b begins', 'b ends', 'a ends', 'engine begins', 'engine ends']);
});

test('what does not end is cut off when the grace has ended, and then left behind by its name', async () => {
  let cuts = 0;
  let isClosed = false;
  const parts: Part[] = [
    { name: 'hung', stage: 'work', close: () => never },
    { name: 'engine', stage: 'engines', close: () => void (isClosed = true) },
  ];
  const stopping = stopInStages(parts, { ...how, cutOff: () => (cuts += 1) });
  stopping.hurry();
  stopping.hurry();
  deepEqual(
    (await stopping.unfinished).map(({ name }) => name),
    ['hung'],
  );
  deepEqual([cuts, isClosed], [1, true]);
});

test('a part that fails to close counts as left behind, and the others are closed', async () => {
  const faults: unknown[] = [];
  const fault = new Error('not closed');
  let isClosed = false;
  const parts: Part[] = [
    { name: 'bad', stage: 'notes', close: () => Promise.reject(fault) },
    { name: 'engine', stage: 'engines', close: () => void (isClosed = true) },
  ];
  const { unfinished } = stopInStages(parts, { ...how, failed: (_part, why) => faults.push(why) });
  deepEqual(
    (await unfinished).map(({ name }) => name),
    ['bad'],
  );
  deepEqual(faults, [fault]);
  equal(isClosed, true);
});

test('however many stages hang, a stop ends within 5 seconds after the grace', async () => {
  const hung = (['work', 'notes', 'engines'] as const).map((stage) => ({
    name: stage,
    stage,
    close: () => never,
  }));
  const stopping = stopInStages(hung, how);
  const begun = performance.now();
  stopping.hurry();
  deepEqual(
    (await stopping.unfinished).map(({ name }) => name),
    ['work', 'notes', 'engines'],
  );
  // Stages that each took their time from their own begin would need 9.4 seconds.
  ok(performance.now() - begun < 9000);
});
