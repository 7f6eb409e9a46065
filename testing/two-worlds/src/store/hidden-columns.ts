import { createHash } from 'node:crypto';
import { createRandom, type Random } from '@redoubt/testkit';
import { hostileValue } from './hostile-records.ts';
import { hiddenLabel, type Held } from './random-labels.ts';

/** Columns that have a label in the second world alone: visible records have values there that their reader does not see. */
const paths = ['secret', 'ghost', 'Name', 'AGE', 'address.vault', 'id.sub', 'info.hush.deep'];

/** Labels that the reader does not satisfy, by path. */
export const columnLabels = (random: Random, held: Held): ReadonlyMap<string, readonly string[]> =>
  new Map(paths.map((path) => [path, [hiddenLabel(random, held).text]]));

/** The same record with values in hidden columns, beside what is visible and inside it; always the same ones. */
export const withHiddenColumns = (record: string): string => {
  const random = createRandom(createHash('sha256').update(record).digest().readUInt32LE());
  const value = (): string => hostileValue(random);
  const members = paths.filter(() => random.chance(0.35)).map((path) => `${JSON.stringify(path)}:${value()}`);
  const inside = random.chance(0.5)
    ? record
        .replace(/"address":\{(?=")/, () => `"address":{"vault":${value()},`)
        .replace(/"info":\{(?=")/, () => `"info":{"hush.deep":${value()},`)
    : record;
  const rest = inside.slice(1, -1);
  const all = random.chance(0.5) ? [rest, ...members] : [...members, rest];
  return `{${all.filter((member) => member !== '').join(',')}}`;
};
