import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  extendVisibleLabels,
  findNewlyHidden,
  hideColumns,
  noVisibleLabels,
} from '../visible/visible-labels.ts';
import { findHiddenColumns, parseColumnLabels, serializeColumnLabels } from './column-labels.ts';
import { containsHiddenPath, isHiddenPath, touchesPath } from './hidden-columns.ts';

/** The least processor time of some runs, in microseconds: other work of the machine only adds to it. */
const processorTime = (run: () => void): number => {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user;
  });
  return Math.max(1, Math.min(...times));
};

/** Prints the exponent with which the time grows from `few` columns to 16 times as many. */
const exponentOf = (t: TestContext, few: number, prepare: (columns: number) => () => void): number => {
  prepare(few)();
  const [before, after] = [processorTime(prepare(few)), processorTime(prepare(16 * few))];
  const exponent = Math.log(after / before) / Math.log(16);
  t.diagnostic(
    `${String(few)} columns: ${String(before)} µs, ${String(16 * few)}: ${String(after)} µs, exponent ${exponent.toFixed(2)}`,
  );
  return exponent;
};

const shapes = {
  'short names': (index: number) => `c${String(index)}`,
  'long names that begin alike': (index: number) => `${'x'.repeat(500)}${String(index)}`,
  'names inside each other': (index: number) => `a.b${String(index % 50)}.c.d.e.f.g${String(index)}.h`,
};

for (const [shape, nameOf] of Object.entries(shapes)) {
  test(`the work of a read grows with n log n of the labelled columns: ${shape}`, (t) => {
    const exponent = exponentOf(t, 1000, (columns) => {
      const names = Array.from({ length: columns }, (_, index) => nameOf(index));
      const visible = extendVisibleLabels(noVisibleLabels, 1, () => true);
      const held = new Set(['A']);
      let runs = 0;
      return () => {
        // Another label at each run, so that no result is cached.
        const text = serializeColumnLabels(new Map(names.map((name) => [name, [`NOBODY${String(runs++)}`]])));
        const hidden = findHiddenColumns(parseColumnLabels(text), held);
        const before = hideColumns(
          visible,
          hidden.filter((_, index) => index % 2 === 0),
        );
        const newly = findNewlyHidden(hideColumns(visible, hidden), before);
        assert.equal(newly.length, Math.floor(columns / 2));
        for (const name of names) {
          assert.equal(isHiddenPath(hidden, name), true);
          assert.equal(isHiddenPath(hidden, `${name}0.z`), isHiddenPath(hidden, `${name}0`));
          assert.equal(containsHiddenPath(hidden, name), false);
          assert.equal(touchesPath(hidden, `${name}.z.y`), true);
        }
      };
    });
    assert.ok(exponent < 1.5, String(exponent));
  });
}
