/** Datasets of one statement: enough to save the cost of statements, few enough to run side by side. */
const partsOfStatement = 25;
/** Characters of one statement. */
const longestStatement = 400_000;
/** Statements that run side by side: as many as one person's share of a lane. */
const sideBySide = 3;

/**
 * Asks statements, several at once; the rows of each number, without it, in the order in which they came.
 * @param statements of which each row begins with a number, in the same columns
 */
export async function queryConcurrently(
  statements: readonly string[],
  run: (sql: string) => Promise<string>,
): Promise<Map<number, string[]>> {
  const answers = await inTurns(together(statements), run);
  const rows = new Map<number, string[]>();
  for (const line of answers.flatMap((answer) => answer.split('\n'))) {
    const end = line.indexOf('\t');
    if (end === -1) continue;
    const number = Number(line.slice(0, end));
    const own = rows.get(number);
    if (own === undefined) rows.set(number, [line.slice(end + 1)]);
    else own.push(line.slice(end + 1));
  }
  return rows;
}

/** Puts statements into one, as many as are good together. */
function together(statements: readonly string[]): string[] {
  const texts: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const sql of statements) {
    if (
      current.length === partsOfStatement ||
      (current.length > 0 && length + sql.length > longestStatement)
    ) {
      texts.push(current.join(' UNION ALL '));
      current = [];
      length = 0;
    }
    current.push(sql);
    length += sql.length;
  }
  if (current.length > 0) texts.push(current.join(' UNION ALL '));
  return texts;
}

/** Does work side by side, a few at a time; the results are in the order of the items. The first fault ends it. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()].toReversed();
  const worker = async (): Promise<void> => {
    try {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const [index, item] = next;
        results[index] = await work(item);
      }
    } catch (fault) {
      queue.length = 0;
      throw fault;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return results;
}
