import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { allRoutes } from '@redoubt/contract';
import { readSpec, specFiles, type SpecRow } from './spec-table.ts';
import { testTitles } from './test-titles.ts';

const root = join(import.meta.dirname, '../..');
const { rows, parts } = readSpec(root);
const titles = globSync('{apps,packages,testing,tools,bench}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name.endsWith('/node_modules'),
}).flatMap((file) => testTitles(readFileSync(join(root, file), 'utf8')));

/** The calls of the contract with all spellings of their paths, as SPEC.md names them. */
const calls = allRoutes.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((spelling) => `C-${method}-${spelling}`),
);

const expectNone = (problems: readonly string[], what: string): void =>
  assert.equal(problems.length, 0, `${problems.length} ${what}:\n${problems.join('\n')}`);
const where = ({ id, file, line }: SpecRow): string => `${file}:${line} ${id}`;
const repeated = (all: readonly string[]): string[] => all.filter((one, index) => all.indexOf(one) < index);

describe('the register of requirements', () => {
  test('no file of the register is larger than 60 KB', () => {
    const sizes = specFiles(root).map((file) => ({ file, bytes: statSync(join(root, file)).size }));
    expectNone(
      sizes.filter(({ bytes }) => bytes > 60_000).map(({ file, bytes }) => `${file}: ${bytes} bytes`),
      'files must be split',
    );
  });

  test('every id of SPEC.md is unique', () => {
    assert.notEqual(rows.length, 0);
    expectNone(repeated(rows.map(({ id }) => id)), 'ids appear more than once');
  });

  test('every state in SPEC.md is done, or planned for a listed part', () => {
    const allowed = new Set(['done', ...parts.map((part) => `planned: ${part}`)]);
    const wrong = rows.filter(({ state }) => !allowed.has(state));
    expectNone(
      wrong.map((row) => `${where(row)}: ${row.state}`),
      'rows have an unknown state',
    );
  });

  test('every part that SPEC.md lists has a planned row', () => {
    expectNone(
      parts.filter((part) => rows.every(({ state }) => state !== `planned: ${part}`)),
      'parts have no row',
    );
  });

  test('a row of SPEC.md names tests exactly if it is done', () => {
    const silent = rows.filter(({ state, shownBy }) => (state === 'done') !== shownBy.length > 0);
    expectNone(silent.map(where), 'rows are done without a test, or have a test without being done');
  });

  test('every test that SPEC.md names exists exactly once', () => {
    const count = new Map<string, number>();
    for (const title of titles) count.set(title, (count.get(title) ?? 0) + 1);
    const problems = rows.flatMap((row) =>
      row.shownBy
        .filter((title) => count.get(title) !== 1)
        .map((title) => `${where(row)}: ${count.get(title) ?? 0} tests are called "${title}"`),
    );
    expectNone(problems, 'titles name no test or several');
  });

  test('every route of the contract has a row in SPEC.md that is done', () => {
    const present = new Set(rows.filter(({ state }) => !state.startsWith('planned')).map(({ id }) => id));
    expectNone(
      calls.filter((call) => !present.has(call)),
      'routes have no row, or only a planned one',
    );
  });

  test('every call in SPEC.md that is not planned is a route of the contract', () => {
    const offered = new Set(calls);
    const required = rows.filter(({ id, state }) => id.startsWith('C-') && !state.startsWith('planned'));
    expectNone(required.filter(({ id }) => !offered.has(id)).map(where), 'calls are not routes');
  });
});
