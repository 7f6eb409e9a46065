import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSpec } from './spec-table.ts';

const table = (...rows: string[]): string =>
  ['| Id | What is asked | State | Shown by |', '| --- | --- | --- | --- |', ...rows].join('\n');

describe('the reader of SPEC.md', () => {
  test('a row of SPEC.md is read with its id, state and tests', () => {
    const { rows } = parseSpec(table('| `K-a` | Ten a page. | done | `one` ; `two, three` |'), 'SPEC.md');
    assert.deepEqual(rows, [
      {
        id: 'K-a',
        asked: 'Ten a page.',
        state: 'done',
        shownBy: ['one', 'two, three'],
        file: 'SPEC.md',
        line: 3,
      },
    ]);
  });

  test('an escaped pipe is part of its cell in SPEC.md', () => {
    const { rows } = parseSpec(table('| `W-or` | Takes `A\\|B`. | done | `A\\|B is read` |'), 'SPEC.md');
    assert.equal(rows[0]?.asked, 'Takes `A|B`.');
    assert.deepEqual(rows[0]?.shownBy, ['A|B is read']);
  });

  test('a title with backticks stands in SPEC.md in double ones', () => {
    const { rows } = parseSpec(table('| `K-b` | Ten. | done | `` `$limit` is read `` |'), 'SPEC.md');
    assert.deepEqual(rows[0]?.shownBy, ['`$limit` is read']);
  });

  test('the later parts are read from their table, and other tables of SPEC.md are no rows', () => {
    const markdown = `| Part | What it brings |\n| - | - |\n| SQL | queries |\n\n| State | Meaning |\n| - | - |\n| done | yes |`;
    assert.deepEqual(parseSpec(markdown, 'SPEC.md'), { rows: [], parts: ['SQL'] });
  });

  test('a row of SPEC.md that has not the form of its table is named by its line', () => {
    for (const [row, fault] of [
      ['| `K-a` | Ten | of these. | done | – |', /docs\/spec\/limits\.md:3 has 5 cells/],
      ['| K-a | Ten. | done | – |', /docs\/spec\/limits\.md:3: the id K-a/],
      ['| `K-a` |  | done | – |', /docs\/spec\/limits\.md:3: K-a does not say/],
      ['| `K-a` | Ten. | done | one |', /docs\/spec\/limits\.md:3: K-a is shown by one/],
      ['| `K-a` | Ten. | done | `one`, `two` |', /write titles as/],
    ] as const) {
      assert.throws(() => parseSpec(table(row), 'docs/spec/limits.md'), fault);
    }
  });
});
