/**
 * Functions that combine conditions, which are SQL text. Each condition is a call, a parenthesis or a constant, so it
 * needs no more parentheses. It is never NULL, so NOT is the exact complement.
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

/** Makes a condition false where it is NULL. */
export const nullAsFalse = (condition: string): string => `ifNull(${condition}, 0)`;
