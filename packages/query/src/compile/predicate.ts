/** Conditions as SQL text. Each is a call, a parenthesis or a constant, never NULL, so NOT is the exact complement. */
export const never = '0';
export const always = '1';

export function allOf(conditions: readonly string[]): string {
  const open = conditions.filter((condition) => condition !== always);
  if (open.includes(never)) return never;
  return joined(open, ' AND ', always);
}

export function anyOf(conditions: readonly string[]): string {
  const open = conditions.filter((condition) => condition !== never);
  if (open.includes(always)) return always;
  return joined(open, ' OR ', never);
}

const joined = (conditions: string[], operator: string, none: string): string => {
  const [only] = conditions;
  if (only === undefined) return none;
  return conditions.length === 1 ? only : `(${conditions.join(operator)})`;
};

export const noneOf = (condition: string): string => {
  if (condition === never) return always;
  return condition === always ? never : `NOT ${condition}`;
};

/** A comparison with something that may be NULL. */
export const sure = (condition: string): string => `ifNull(${condition}, 0)`;
