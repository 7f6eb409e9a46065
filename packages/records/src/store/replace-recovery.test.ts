/* Shows: A-kill */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parseWriteInThread } from '../intake/intake.ts';
import { defaultIntakeLimits } from '../intake/intake-limits.ts';
import type { Engine } from '../engine/engine.ts';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import { createRecordReplacements } from './record-replacements.ts';
import { createTableLayout } from './table-layout.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

class Killed extends Error {}

/**
 * Wraps an engine so that every change from right before or after the n-th on fails, as if the process had been killed.
 */
function killedAt(engine: Engine, point: number, isAfter: boolean): { engine: Engine; steps: string[] } {
  const steps: string[] = [];
  async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    steps.push(what);
    if (steps.length > point || (steps.length === point && !isAfter)) throw new Killed();
    const result = await work();
    if (steps.length === point) throw new Killed();
    return result;
  }
  const killed: Engine = {
    ...engine,
    command: async (sql, options) => step(sql.trim().slice(0, 40), async () => engine.command(sql, options)),
    insert: async (request) => step('stage', async () => engine.insert(request)),
  };
  return { engine: killed, steps };
}

async function replaceWith(engine: Engine, id: string, text: string): Promise<void> {
  const parsed = parseWriteInThread(Buffer.from(text), 'array');
  const knownPaths = new Map(
    (await t.catalog.paths(id, 0)).map(({ path, id: pathId, kinds }) => [path, { pathId, kinds }]),
  );
  const now = Date.now();
  const batch = await parsed.prepare({
    labelInfo: undefined,
    knownPaths,
    now,
    random: Buffer.from(Array.from({ length: 100 }, (_, index) => index)),
    limits: defaultIntakeLimits,
  });
  const [labelId] = (await t.catalog.internLabels(id, [''])).values();
  await createRecordReplacements(engine, t.database, createTableLayout(t.database, undefined)).replace(
    id,
    async () => ({
      datasetId: id,
      inserts: batch.inserts,
      updates: batch.updates,
      rowsOf: parsed.rowsOf,
      labelIds: [labelId ?? 0],
      mark: 2 ** 31 - 1,
      labels: await t.catalog.labels(id, 0),
      relabels: false,
      visible: await t.visible(id),
      mayRelabel: false,
      steps: {
        currentLabelIds: async () => new Map(),
        prepareRows: async (replacements) =>
          parsed.prepareReplacements({ replacements, hidden: [], knownPaths, now }),
        onDecided: async () => undefined,
        onStored: async () => undefined,
      },
    }),
  );
}

test('a write that replaces and adds records is stored completely or not at all, wherever the process is killed', async () => {
  const outcomes = new Set<string>();
  let point = 1;
  for (let isDone = false; !isDone; point++) {
    for (const isAfter of [false, true]) {
      const id = await t.dataset();
      await t.write(id, [{ n: 1 }, { n: 2 }, { n: 3 }]);
      const old = await t.records(id);
      const [first, second] = old.map((record) => String(record['_koverse_record_id']));
      const { engine, steps } = killedAt(t.engine, point, isAfter);
      const body = `[{"_koverse_record_id":"${first}","n":10},{"n":20},{"_koverse_record_id":"${second}","n":11},{"n":21}]`;
      await replaceWith(engine, id, body).catch((error: unknown) =>
        assert.ok(error instanceof Killed, String(error)),
      );
      if (steps.length < point) isDone = true;
      const { store } = await t.reopen();
      await store.close();
      const after = (await t.records(id)).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
      const untouched = old.find((record) => ![first, second].includes(String(record['_koverse_record_id'])))
        ?.n as number;
      const whole = [untouched, 10, 11, 20, 21].toSorted((a, b) => a - b);
      const outcome = after.length === 3 ? 'absent' : 'whole';
      assert.deepEqual(after, outcome === 'absent' ? [1, 2, 3] : whole, `${outcome} at step ${point}`);
      outcomes.add(outcome);
      await t.reopen();
      assert.deepEqual((await t.records(id)).length, after.length);
      const left = await t.engine.text(
        `SELECT count() FROM system.tables WHERE database = '${t.database}' AND name LIKE '%\\_\\_%'`,
        { lane: 'short' },
      );
      assert.equal(left, '0\n');
      await t.store.dropDataset(id);
    }
  }
  assert.deepEqual([...outcomes].toSorted(), ['absent', 'whole']);
  assert.ok(point > 8);
});

test('after a kill the next replacement of the same record wins', async () => {
  const id = await t.dataset();
  await t.write(id, [{ n: 1 }]);
  const [record] = await t.records(id);
  for (const n of [2, 3]) {
    const { engine } = killedAt(t.engine, 6, false);
    await replaceWith(engine, id, JSON.stringify([{ ...record, n }])).catch(() => undefined);
    await t.reopen();
    await t.write(id, [{ ...record, n: n * 10 }]);
    await t.reopen();
    assert.deepEqual(
      (await t.records(id)).map((each) => each.n),
      [n * 10],
    );
  }
});
