import { arrayFunctions, arrayOperators } from './array-functions.ts';
import { dateOperators } from './date-operators.ts';
import { dateFunctions } from './dates.ts';
import { jsonFunctions, jsonOperators } from './json.ts';
import { arithmeticRules } from './arithmetic.ts';
import { bitRules } from './bits.ts';
import { conditionalFunctions } from './conditionals.ts';
import { compileAbs, numberFunctions } from './numbers.ts';
import { patternFunctions, patternOperators } from './patterns.ts';
import { textFunctions, textOperators } from './text-functions.ts';
import type { FunctionRule } from './function-rule.ts';

/** Every operator but comparisons: those take any two values with a common type that can be compared. */
export const operatorRules: readonly FunctionRule[] = [
  ...arithmeticRules,
  ...compileAbs('@'),
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
  ...conditionalFunctions,
  ...dateFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
];
