const select = (columns: string, from: string, rows: readonly string[]): string =>
  `select ${columns} from (values ${rows.join(', ')}) v(${from})`;

/** Creates a statement for each expression, over the same rows. */
export const overEach = (
  expressions: readonly string[],
  columns: string,
  rows: readonly string[],
): string[] => expressions.map((expression) => select(`${expression} a`, columns, rows));

/** The number of expressions in a statement. */
const together = 10;

/** Creates statements over the same rows, each with several of the expressions. */
export const over = (expressions: readonly string[], columns: string, rows: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(expressions.length / together) }, (_, group) => {
    const some = expressions.slice(group * together, (group + 1) * together);
    return select(
      some.map((expression, index) => `${expression} a${String(index)}`).join(', '),
      columns,
      rows,
    );
  });
