import { arithmeticRules } from './arithmetic.ts';
import type { FunctionRule } from './rule.ts';

/** Every operator but comparisons: those take any two values with a common type that can be compared. */
export const operatorRules: readonly FunctionRule[] = [...arithmeticRules];

/** Every function of single values. */
export const functionRules: readonly FunctionRule[] = [];
