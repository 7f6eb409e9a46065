/** A statement for each expression, over the same rows. */
export const over = (expressions: readonly string[], columns: string, rows: readonly string[]): string[] =>
  expressions.map((expression) => `select ${expression} a from (values ${rows.join(', ')}) v(${columns})`);
