import { arrayFunctions, arrayOperators } from './array/array-functions.ts';
import { dateOperators } from './datetime/date-operators.ts';
import { dateFunctions } from './datetime/dates.ts';
import { jsonFunctions, jsonOperators } from './json/json.ts';
import { arithmeticRules } from './numeric/arithmetic.ts';
import { bitRules } from './numeric/bits.ts';
import { conditionalFunctions } from './conditionals.ts';
import { compileAbs, numberFunctions } from './numeric/numbers.ts';
import { patternFunctions, patternOperators } from './regex/patterns.ts';
import { textFunctions, textOperators } from './text/text-functions.ts';
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
