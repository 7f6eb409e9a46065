import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSpec } from './spec-table.ts';

const table = (...rows: string[]): string =>
  ['| Id | What is asked | State | Shown by |', '| --- | --- | --- | --- |', ...rows].join('\n');

describe('the parser of SPEC.md', () => {
  test('a row of SPEC.md is parsed with its id, state and tests', () => {
    const { rows } = parseSpec(table('| `K-a` | Ten a page. | done | `one` ; `two, three` |'), 'SPEC.md');
    assert.deepEqual(rows, [
      {
        id: 'K-a',
        requirement: 'Ten a page.',
        state: 'done',
        shownBy: ['one', 'two, three'],
        file: 'SPEC.md',
        line: 3,
      },
    ]);
  });

  test('an escaped pipe is part of its cell in SPEC.md', () => {
    const { rows } = parseSpec(table('| `W-or` | Takes `A\\|B`. | done | `A\\|B is read` |'), 'SPEC.md');
    assert.equal(rows[0]?.requirement, 'Takes `A|B`.');
    assert.deepEqual(rows[0]?.shownBy, ['A|B is read']);
  });

  test('a title with backticks is written in SPEC.md with double ones', () => {
    const { rows } = parseSpec(table('| `K-b` | Ten. | done | `` `$limit` is read `` |'), 'SPEC.md');
    assert.deepEqual(rows[0]?.shownBy, ['`$limit` is read']);
  });

  test('the later parts are parsed from their table, and other tables of SPEC.md are ignored', () => {
    const markdown = `| Part | What it brings |\n| - | - |\n| SQL | queries |\n\n| State | Meaning |\n| - | - |\n| done | yes |`;
    assert.deepEqual(parseSpec(markdown, 'SPEC.md'), { rows: [], parts: ['SQL'] });
  });

  test('a malformed row of SPEC.md is reported with its line', () => {
    for (const [row, error] of [
      ['| `K-a` | Ten | of these. | done | – |', /docs\/spec\/limits\.md:3 must have 4 cells, got 5/],
      ['| K-a | Ten. | done | – |', /docs\/spec\/limits\.md:3: the id must be in backticks, got K-a/],
      ['| `K-a` |  | done | – |', /docs\/spec\/limits\.md:3: K-a must say what is asked/],
      ['| `K-a` | Ten. | done | one |', /docs\/spec\/limits\.md:3: the tests of K-a must be .*, got one/],
      ['| `K-a` | Ten. | done | `one`, `two` |', /must be written as `one` ; `two`/],
    ] as const) {
      assert.throws(() => parseSpec(table(row), 'docs/spec/limits.md'), error);
    }
  });
});
