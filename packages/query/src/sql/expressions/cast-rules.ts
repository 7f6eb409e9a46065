import { arrayCasts } from './array-casts.ts';
import { dateCasts } from './date-casts.ts';
import { jsonCasts } from './json-casts.ts';
import { numberCasts } from './number-casts.ts';
import { printCasts } from './print-casts.ts';
import type { CastRule } from './rule.ts';
import { textCasts } from './text-casts.ts';

/** Every cast that can be written. */
export const castRules: readonly CastRule[] = [
  ...numberCasts,
  ...textCasts,
  ...dateCasts,
  ...arrayCasts,
  ...jsonCasts,
  ...printCasts,
];
