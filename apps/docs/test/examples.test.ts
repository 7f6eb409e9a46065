import { equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { exampleKinds, type ExampleKind } from '../examples/blocks.ts';
import { openHouse, type House } from '../examples/house.ts';
import { readPages } from '../examples/pages.ts';
import { runPage } from '../examples/run-page.ts';

const pages = readPages();

/** Programs that the examples of the pages start. */
const programs = ['bash', 'curl', 'jq'];
const absent = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip =
  absent.length === 0
    ? false
    : `${absent.join(' and ')} cannot be run here: install what is missing (on Debian: sudo apt-get install ${absent.join(' ')}).`;

describe('the examples of the pages, run against a server', { skip }, () => {
  let house: House;
  const counts = Object.fromEntries(exampleKinds.map((kind) => [kind, 0])) as Record<ExampleKind, number>;

  /** Kinds of which this machine cannot run all. */
  const missing = new Set<ExampleKind>();

  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());

  describe('page by page', { concurrency: 2 }, () => {
    for (const page of pages) {
      test(`the examples of ${page.name} do what the page says`, async (t) => {
        const result = await runPage(house, page);
        for (const kind of exampleKinds) counts[kind] += result.counts[kind];
        const told = result.faults.map(({ line, message }) => `${page.file}:${line}: ${message}`);
        equal(told.length, 0, `\n${told.join('\n')}`);
        if (result.missing !== undefined) {
          missing.add('python');
          t.skip(result.missing);
        }
      });
    }
  });

  test('every example of the pages is run, and there are some of each kind', (t) => {
    for (const kind of exampleKinds.filter((each) => !missing.has(each)))
      ok(counts[kind] > 0, `no page has an example in ${kind}`);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const parts = exampleKinds.map((kind) => `${counts[kind]} ${kind}`).join(', ');
    t.diagnostic(`${total} examples on ${pages.length} pages were run: ${parts}`);
  });
});
