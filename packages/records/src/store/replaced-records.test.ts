/* Shows: L14 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Engine } from '../engine/engine.ts';
import { openTestStore } from '../../testing/test-store.ts';

const t = await openTestStore();
after(t.close);

const megabyte = 1_000_000;
const large = (words: string): string => `${words} `.repeat(megabyte / (words.length + 1));

/** Wraps an engine and collects its statements, and the sizes of its buffered results and of its inserts. */
function watched(engine: Engine): { engine: Engine; statements: string[]; sizes: number[] } {
  const statements: string[] = [];
  const sizes: number[] = [];
  const note = (sql: string): void => {
    statements.push(
      sql
        .trim()
        .replaceAll(/'[^']*'|`[^`]*`|\(0[0-9a-f-]{35}.*\)/g, '?')
        // The arriving label ids are random numbers with ten digits.
        .replaceAll(/\d{10}/g, '?')
        .slice(0, 60),
    );
  };
  const observing: Engine = {
    ...engine,
    async command(sql, options) {
      note(sql);
      await engine.command(sql, options);
    },
    async text(sql, options) {
      note(sql);
      return engine.text(sql, options);
    },
    async bytes(sql, options) {
      note(sql);
      const bytes = await engine.bytes(sql, options);
      sizes.push(bytes.length);
      return bytes;
    },
    async insert(request) {
      note('INSERT');
      sizes.push(request.data.length);
      await engine.insert(request);
    },
  };
  return { engine: observing, statements, sizes };
}

/** Replaces large records by small ones, as a writer from whom the column `h` is hidden. */
async function replaceAll(
  before: readonly Record<string, unknown>[],
  labels: Record<string, string>,
): Promise<{ statements: string[]; sizes: number[]; kept: unknown[] }> {
  const id = await t.dataset();
  t.labelColumns(id, labels);
  for (let from = 0; from < before.length; from += 6) await t.write(id, before.slice(from, from + 6));
  const ids = (await t.records(id)).map((record) => record['_koverse_record_id']);
  const { engine, statements, sizes } = watched(t.engine);
  const through = await t.reopen(engine);
  through.labelColumns(id, labels);
  // The first write to a dataset runs extra queries and caches their results. The counts start after them.
  await through.write(id, [{ a: 0 }]);
  statements.length = 0;
  sizes.length = 0;
  await through.write(
    id,
    ids.map((each, n) => ({ _koverse_record_id: each, a: n })),
  );
  const seen = await through.texts(id);
  assert.equal(seen.length, before.length + 1);
  assert.ok(seen.every((text) => /^\{"a":\d+\}$/.test(text)));
  const kept = (await t.records(id, 'S')).flatMap((record) => ('h' in record ? [record['h']] : []));
  return { statements, sizes, kept };
}

const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => large(`word${String(n + 10)}`));

test('replacing large records sends the engine the same statements, whether or not there are values in a hidden column', async () => {
  const visible = texts(12).map((z) => ({ z }));
  const without = await replaceAll(visible, {});
  const labelled = await replaceAll(visible, { h: 'S' });
  const holding = await replaceAll(
    visible.map((record, n) => ({ ...record, h: n })),
    { h: 'S' },
  );
  assert.deepEqual(labelled.statements, without.statements);
  assert.deepEqual(labelled.sizes, without.sizes);
  assert.deepEqual(holding.statements, without.statements);
  assert.equal(holding.kept.length, visible.length);
  for (const [at, size] of holding.sizes.entries())
    assert.ok(Math.abs(size - (without.sizes[at] ?? 0)) < 200 * visible.length);
});

test('hidden parts of replaced records are held in memory one portion at a time, whatever their size', async () => {
  const hidden = texts(20).map((h) => ({ h }));
  const { sizes, kept } = await replaceAll(hidden, { h: 'S' });
  assert.deepEqual(new Set(kept), new Set(hidden.map(({ h }) => h)));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  // Each hidden value is read once and sent twice, as text and for filters. Its words are neither read nor sent.
  assert.ok(all > 50 * megabyte && all < 70 * megabyte, String(all));
  assert.ok(Math.max(...sizes) < 60 * megabyte, String(Math.max(...sizes)));
});
