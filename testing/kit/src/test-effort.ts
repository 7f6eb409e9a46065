import { createHash } from 'node:crypto';

/** Whether tests run in their short form, as in `npm test`. A test that is run alone runs in its full form. */
const isShortRun = process.env['REDOUBT_TEST_FORM'] === 'short';

/**
 * The effort of a test: the number in an environment variable such as REDOUBT_RANDOM_ROUNDS, or else `full`, or in a
 * short run `short`.
 */
export const readTestEffort = (variable: string, full: number, short = full): number =>
  Number(process.env[variable] ?? (isShortRun ? short : full));

/**
 * The generated cases that run: all of them, or in a short run about one of `share`. Which ones follows from
 * REDOUBT_TEST_SEED and the text of a case, so that they differ from commit to commit and can be repeated.
 */
export const sampleOf = <Item>(
  items: readonly Item[],
  share: number,
  textOf: (item: Item) => string,
): readonly Item[] =>
  isShortRun ? items.filter((item) => numberOf(`${seed} ${textOf(item)}`) % share === 0) : items;

const seed = process.env['REDOUBT_TEST_SEED'] ?? '';
const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();
