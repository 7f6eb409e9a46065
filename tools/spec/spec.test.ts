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

/** The calls of the contract in every spelling, as SPEC.md names them. */
const calls = allRoutes.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((spelling) => `C-${method}-${spelling}`),
);

const none = (faults: readonly string[], what: string): void =>
  assert.equal(faults.length, 0, `${faults.length} ${what}:\n${faults.join('\n')}`);
const where = ({ id, file, line }: SpecRow): string => `${file}:${line} ${id}`;
const repeated = (all: readonly string[]): string[] => all.filter((one, index) => all.indexOf(one) < index);

describe('the table of what is asked', () => {
  test('no file of the register is above 60 KB', () => {
    const sizes = specFiles(root).map((file) => ({ file, bytes: statSync(join(root, file)).size }));
    none(
      sizes.filter(({ bytes }) => bytes > 60_000).map(({ file, bytes }) => `${file}: ${bytes} bytes`),
      'files have to be split',
    );
  });

  test('every id of SPEC.md stands once', () => {
    assert.notEqual(rows.length, 0);
    none(repeated(rows.map(({ id }) => id)), 'ids stand more than once');
  });

  test('every state of SPEC.md is done, or planned for a part that it lists', () => {
    const allowed = new Set(['done', ...parts.map((part) => `planned: ${part}`)]);
    const wrong = rows.filter(({ state }) => !allowed.has(state));
    none(
      wrong.map((row) => `${where(row)}: ${row.state}`),
      'rows are in no allowed state',
    );
  });

  test('every part that SPEC.md lists has a row that waits for it', () => {
    none(
      parts.filter((part) => rows.every(({ state }) => state !== `planned: ${part}`)),
      'parts bring nothing',
    );
  });

  test('a row of SPEC.md names its tests exactly when it is done', () => {
    const silent = rows.filter(({ state, shownBy }) => (state === 'done') !== shownBy.length > 0);
    none(silent.map(where), 'rows are done without a test, or have one and are not done');
  });

  test('every test that SPEC.md names exists, once', () => {
    const count = new Map<string, number>();
    for (const title of titles) count.set(title, (count.get(title) ?? 0) + 1);
    const faults = rows.flatMap((row) =>
      row.shownBy
        .filter((title) => count.get(title) !== 1)
        .map((title) => `${where(row)}: ${count.get(title) ?? 0} tests are called "${title}"`),
    );
    none(faults, 'titles name no test or several');
  });

  test('every route of the contract has a row in SPEC.md that is not planned', () => {
    const present = new Set(rows.filter(({ state }) => !state.startsWith('planned')).map(({ id }) => id));
    none(
      calls.filter((call) => !present.has(call)),
      'routes have no row, or one that waits for a later part',
    );
  });

  test('every call that SPEC.md does not plan is a route of the contract', () => {
    const offered = new Set(calls);
    const asked = rows.filter(({ id, state }) => id.startsWith('C-') && !state.startsWith('planned'));
    none(asked.filter(({ id }) => !offered.has(id)).map(where), 'calls are no routes');
  });
});
