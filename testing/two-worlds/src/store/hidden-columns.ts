import { createHash } from 'node:crypto';
import { createRandom, type Random } from '@redoubt/testkit';
import { hostileValue } from './hostile-records.ts';
import { hiddenLabel, type Held } from './random-labels.ts';

/** Columns with a label in the second world only. Visible records have values there that are hidden from the reader. */
const paths = ['secret', 'ghost', 'Name', 'AGE', 'address.vault', 'id.sub', 'info.hush.deep'];

/** Labels that the reader does not satisfy, by path. */
export const columnLabels = (random: Random, held: Held): ReadonlyMap<string, readonly string[]> =>
  new Map(paths.map((path) => [path, [hiddenLabel(random, held).text]]));

/** Adds values in hidden columns to a record, next to and inside visible members. The result is deterministic. */
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
