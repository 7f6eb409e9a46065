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

/** All operators except comparisons, which accept any two values with a comparable common type. */
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

/** All functions of single values. */
export const functionRules: readonly FunctionRule[] = [
  ...numberFunctions,
  ...textFunctions,
  ...patternFunctions,
  ...conditionalFunctions,
  ...dateFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
];
