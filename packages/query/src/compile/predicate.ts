/*
 * Functions that combine conditions. A condition is SQL text: a call, a constant or an expression in parentheses, so it
 * needs no further parentheses. Conditions are never NULL, so NOT selects exactly the other rows.
 */

export const falseLiteral = '0';
export const trueLiteral = '1';

export function allOf(conditions: readonly string[]): string {
  const open = conditions.filter((condition) => condition !== trueLiteral);
  if (open.includes(falseLiteral)) return falseLiteral;
  return joined(open, ' AND ', trueLiteral);
}

export function anyOf(conditions: readonly string[]): string {
  const open = conditions.filter((condition) => condition !== falseLiteral);
  if (open.includes(trueLiteral)) return trueLiteral;
  return joined(open, ' OR ', falseLiteral);
}

const joined = (conditions: string[], operator: string, none: string): string => {
  const [only] = conditions;
  if (only === undefined) return none;
  return conditions.length === 1 ? only : `(${conditions.join(operator)})`;
};

export const noneOf = (condition: string): string => {
  if (condition === falseLiteral) return trueLiteral;
  return condition === trueLiteral ? falseLiteral : `NOT ${condition}`;
};

/** Converts an expression that may be NULL to a condition, in which NULL counts as false. */
export const nullAsFalse = (condition: string): string => `ifNull(${condition}, 0)`;
