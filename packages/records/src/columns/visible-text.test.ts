import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { quoteString, compileVisibleText } from '@redoubt/query';
import * as fc from 'fast-check';
import { openTestStore } from '../../testing/test-store.ts';
import { createColumnStripper } from './strip-columns.ts';

const t = await openTestStore();
after(t.close);

const key = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', '', 'é', 'h"', '\ud83d\ude00');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 1.5, -3, '', '"', '{"a":1}', ',"a":', '\\', '\u0007é'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const record = fc.dictionary(key, value, { maxKeys: 5 });
const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => keys.join('.'));

test('the engine takes hidden columns out of a text as the server does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 60 }),
      fc.array(path, { minLength: 1, maxLength: 3 }),
      async (records, hidden) => {
        const texts = records.map((each) => JSON.stringify(each));
        // `shown` contains a hidden path, so the engine must parse every record that may contain a hidden key.
        const all = [...new Set([...hidden, 'shown.hidden'])].toSorted();
        const text = compileVisibleText(all);
        const name = text.nameFor('shown');
        const clause = text.clauseFor([name]);
        const result = await t.engine.text(
          `${clause}SELECT place, ${name} FROM (SELECT number AS place, [${texts.map(quoteString).join(', ')}][number + 1] AS raw FROM numbers(${String(texts.length)})) ORDER BY place`,
          { lane: 'short' },
        );
        const stripper = createColumnStripper(all);
        assert.equal(
          result,
          texts.map((text, place) => `${String(place)}\t${stripper.record(text)}\n`).join(''),
        );
      },
    ),
    { numRuns: 60 },
  );
});
