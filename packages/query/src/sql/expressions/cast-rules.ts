import { arrayCasts } from './array-casts.ts';
import { dateCasts } from './date-casts.ts';
import { jsonCasts } from './json-casts.ts';
import { numberCasts } from './number-casts.ts';
import { textOutputCasts } from './text-output-casts.ts';
import type { CastRule } from './function-rule.ts';
import { textCasts } from './text-casts.ts';

/** All explicit casts. */
export const castRules: readonly CastRule[] = [
  ...numberCasts,
  ...textCasts,
  ...dateCasts,
  ...arrayCasts,
  ...jsonCasts,
  ...textOutputCasts,
];
