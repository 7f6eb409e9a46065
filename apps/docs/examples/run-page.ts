import { exampleKinds, isExample, readBlocks, type Block, type ExampleKind, type Problem } from './blocks.ts';
import { differences } from './compare.ts';
import { createRunners, type Finding } from './runners.ts';
import type { ExampleServer, Needs } from './example-server.ts';
import type { Page } from './pages.ts';

export interface PageResult {
  /** The number of examples of each kind that were run. */
  readonly counts: Record<ExampleKind, number>;
  readonly problems: readonly Problem[];
  /** Why some examples were not run: what this machine lacks. */
  readonly missing?: string;
}

const readsData = /\b(DATASET|navaids|countries)\b/;
const namesPeople = /\$(ADA|BEN|ALEX)\b/;

const isQuery = ({ language }: Block): boolean => language === 'sql' || language === 'lucene';

const needsOf = (examples: readonly Block[]): Needs => ({
  data: examples.some((block) => isQuery(block) || readsData.test(block.text)),
  people: examples.some((block) => namesPeople.test(block.text)),
  onlyQueries: examples.every(isQuery),
});

/**
 * Makes a workspace id, of at most 63 characters, from the end of a path: it distinguishes pages better than the
 * beginning.
 */
const slugOf = (name: string): string =>
  name
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(-63)
    .replace(/^-/, '');

const answerProblems = (block: Block, output: string): string[] => {
  try {
    return differences(JSON.parse(block.text), JSON.parse(output)).map(
      (each) => `the answer differs: ${each}`,
    );
  } catch {
    return [`the answer is not valid JSON: ${output.slice(0, 500) || 'nothing'}`];
  }
};

const inText = (block: Block, { message, line }: NonNullable<Finding['problem']>): Problem => ({
  line: block.line + (line ?? 0),
  message: `${message}\n    in: ${(line === undefined ? block.text : (block.text.split('\n')[line - 1] ?? '')).replaceAll('\n', '\n        ')}`,
});

/**
 * Runs the examples of a page in order, in a workspace of its own.
 * @param report called with the output of each example
 */
export const runPage = async (
  server: ExampleServer,
  page: Page,
  report: (block: Block, output: string) => void = () => undefined,
): Promise<PageResult> => {
  const { blocks, problems: written } = readBlocks(page.markdown);
  const counts = Object.fromEntries(exampleKinds.map((kind) => [kind, 0])) as Record<ExampleKind, number>;
  const problems: Problem[] = [...written];
  const examples = blocks.filter((block) => isExample(block) && !block.marks.has('norun'));
  if (examples.length === 0 || written.length > 0) return { counts, problems };

  const environment = await server.createEnvironment(slugOf(page.name), needsOf(examples));
  const runners = createRunners(server.url, environment);
  let last: Finding = { output: '' };
  try {
    for (const [index, block] of blocks.entries()) {
      if (examples.includes(block)) {
        last = await runners.run(block, `block-${index}`);
        if (last.missing !== undefined) return { counts, problems, missing: last.missing };
        counts[block.language as ExampleKind] += 1;
        report(block, last.output);
        if (last.problem !== undefined) problems.push(inText(block, last.problem));
        // The following blocks depend on this one.
        if (last.isOver === true) break;
      } else if (block.marks.has('answer') && last.problem === undefined) {
        problems.push(
          ...answerProblems(block, last.output).map((message) => ({ line: block.line, message })),
        );
      }
    }
  } finally {
    runners.close();
  }
  return { counts, problems };
};
