import { arrayCasts } from './array/array-casts.ts';
import { dateCasts } from './datetime/date-casts.ts';
import { jsonCasts } from './json/json-casts.ts';
import { numberCasts } from './numeric/number-casts.ts';
import { textOutputCasts } from './text/text-output-casts.ts';
import type { CastRule } from './function-rule.ts';
import { textCasts } from './text/text-casts.ts';

/** All explicit casts. */
export const castRules: readonly CastRule[] = [
  ...numberCasts,
  ...textCasts,
  ...dateCasts,
  ...arrayCasts,
  ...jsonCasts,
  ...textOutputCasts,
];
