import { equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { exampleKinds, isExample, readBlocks, type ExampleKind } from '../examples/blocks.ts';
import { startExampleServer, type ExampleServer } from '../examples/example-server.ts';
import { readPages, type Page } from '../examples/pages.ts';
import { runPage } from '../examples/run-page.ts';

/** The programs that the examples use. */
const programs = ['bash', 'curl', 'jq'];
const absent = programs.filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip =
  absent.length === 0
    ? false
    : `${absent.join(' and ')} cannot be run here: install what is missing (on Debian: sudo apt-get install ${absent.join(' ')}).`;

/** The number of examples of each kind that a run of these pages includes. */
export const countExamples = (pages: readonly Page[]): Record<ExampleKind, number> => {
  const blocks = pages.flatMap(({ markdown }) => readBlocks(markdown).blocks);
  const examples = blocks.filter((block) => isExample(block) && !block.marks.has('norun'));
  const countOf = (kind: ExampleKind): number => examples.filter(({ language }) => language === kind).length;
  return Object.fromEntries(exampleKinds.map((kind) => [kind, countOf(kind)])) as Record<ExampleKind, number>;
};

/** The pages of a half: every second one. */
export const pagesOfHalf = (half: 1 | 2): Page[] => readPages().filter((_, index) => index % 2 === half - 1);

/**
 * Runs the examples of a half against a server of their own. A file for each half lets both run in parallel.
 */
export const testHalf = (half: 1 | 2): void => {
  const pages = pagesOfHalf(half);

  void describe(`the examples of half ${half} of the pages, run against a server`, { skip }, () => {
    let server: ExampleServer;
    before(async () => {
      server = await startExampleServer();
    });
    after(() => server.close());

    const counts = countExamples([]);

    /** The kinds of examples that this machine cannot run completely. */
    const missing = new Set<ExampleKind>();

    void describe('page by page', { concurrency: 2 }, () => {
      for (const page of pages) {
        void test(`the examples of ${page.name} do what the page says`, async (t) => {
          const result = await runPage(server, page);
          for (const kind of exampleKinds) counts[kind] += result.counts[kind];
          const told = result.problems.map(({ line, message }) => `${page.file}:${line}: ${message}`);
          equal(told.length, 0, `\n${told.join('\n')}`);
          if (result.missing !== undefined) {
            missing.add('python');
            t.skip(result.missing);
          }
        });
      }
    });

    void test('every example of these pages is run', (t) => {
      const expected = countExamples(pages);
      for (const kind of exampleKinds.filter((each) => !missing.has(each)))
        equal(counts[kind], expected[kind], kind);
      const parts = exampleKinds.map((kind) => `${counts[kind]} ${kind}`).join(', ');
      t.diagnostic(`${pages.length} pages were run: ${parts}`);
    });
  });
};
