import { exampleKinds, isExample, readBlocks, type Block, type ExampleKind, type Fault } from './blocks.ts';
import { differences } from './compare.ts';
import { createRunners, type Finding } from './runners.ts';
import type { House, Needs } from './house.ts';
import type { Page } from './pages.ts';

export interface PageResult {
  /** How many examples of each kind were run. */
  readonly counts: Record<ExampleKind, number>;
  readonly faults: readonly Fault[];
  /** Why some were not run, if this machine has not what they need. */
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

/** The id of a workspace has 63 characters at most, and the end of a path tells pages apart better than its beginning. */
const slugOf = (name: string): string =>
  name
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(-63)
    .replace(/^-/, '');

const answerFaults = (block: Block, output: string): string[] => {
  try {
    return differences(JSON.parse(block.text), JSON.parse(output)).map(
      (each) => `the answer differs: ${each}`,
    );
  } catch {
    return [`the answer is no JSON: ${output.slice(0, 500) || 'nothing'}`];
  }
};

const inText = (block: Block, { message, line }: NonNullable<Finding['fault']>): Fault => ({
  line: block.line + (line ?? 0),
  message: `${message}\n    in: ${(line === undefined ? block.text : (block.text.split('\n')[line - 1] ?? '')).replaceAll('\n', '\n        ')}`,
});

/**
 * Runs the examples of a page in their order, in a workspace of its own.
 * @param tell is told what each has printed
 */
export const runPage = async (
  house: House,
  page: Page,
  tell: (block: Block, output: string) => void = () => undefined,
): Promise<PageResult> => {
  const { blocks, faults: written } = readBlocks(page.markdown);
  const counts = Object.fromEntries(exampleKinds.map((kind) => [kind, 0])) as Record<ExampleKind, number>;
  const faults: Fault[] = [...written];
  const examples = blocks.filter((block) => isExample(block) && !block.marks.has('norun'));
  if (examples.length === 0 || written.length > 0) return { counts, faults };

  const place = await house.makePlace(slugOf(page.name), needsOf(examples));
  const runners = createRunners(house.url, place);
  let last: Finding = { output: '' };
  try {
    for (const [index, block] of blocks.entries()) {
      if (examples.includes(block)) {
        last = await runners.run(block, `block-${index}`);
        if (last.missing !== undefined) return { counts, faults, missing: last.missing };
        counts[block.language as ExampleKind] += 1;
        tell(block, last.output);
        if (last.fault !== undefined) faults.push(inText(block, last.fault));
        // What a shell has not done, the blocks after it cannot build on.
        if (last.isOver === true) break;
      } else if (block.marks.has('answer') && last.fault === undefined) {
        faults.push(...answerFaults(block, last.output).map((message) => ({ line: block.line, message })));
      }
    }
  } finally {
    runners.close();
  }
  return { counts, faults };
};
