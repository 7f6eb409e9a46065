import { arrayFunctions, arrayOperators } from './array-functions.ts';
import { dateOperators } from './date-operators.ts';
import { dateFunctions } from './dates.ts';
import { jsonFunctions, jsonOperators } from './json.ts';
import { arithmeticRules } from './arithmetic.ts';
import { bitRules } from './bits.ts';
import { choiceFunctions } from './choices.ts';
import { absolute, numberFunctions } from './numbers.ts';
import { patternFunctions, patternOperators } from './patterns.ts';
import { textFunctions, textOperators } from './texts.ts';
import type { FunctionRule } from './rule.ts';

/** Every operator but comparisons: those take any two values with a common type that can be compared. */
export const operatorRules: readonly FunctionRule[] = [
  ...arithmeticRules,
  ...absolute('@'),
  ...bitRules,
  ...textOperators,
  ...patternOperators,
  ...dateOperators,
  ...arrayOperators,
  ...jsonOperators,
];

/** Every function of single values. */
export const functionRules: readonly FunctionRule[] = [
  ...numberFunctions,
  ...textFunctions,
  ...patternFunctions,
  ...choiceFunctions,
  ...dateFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
];
