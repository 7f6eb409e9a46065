/** How many datasets share one statement: enough to save overhead, and few enough to run statements concurrently. */
const partsOfStatement = 25;
/** The maximum length of one statement in characters. */
const maxStatementLength = 400_000;
/** How many statements run concurrently: as many as one person may run in a lane. */
const concurrency = 3;

/**
 * Runs statements concurrently. Returns the rows of each number, without the number, in the order of arrival.
 * @param statements must return rows with the same columns that start with a number
 */
export async function queryConcurrently(
  statements: readonly string[],
  run: (sql: string) => Promise<string>,
): Promise<Map<number, string[]>> {
  const responses = await mapConcurrently(joinStatements(statements), run);
  const rows = new Map<number, string[]>();
  for (const line of responses.flatMap((response) => response.split('\n'))) {
    const end = line.indexOf('\t');
    if (end === -1) continue;
    const number = Number(line.slice(0, end));
    const own = rows.get(number);
    if (own === undefined) rows.set(number, [line.slice(end + 1)]);
    else own.push(line.slice(end + 1));
  }
  return rows;
}

/** Joins statements with UNION ALL, up to the limits. */
function joinStatements(statements: readonly string[]): string[] {
  const texts: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const sql of statements) {
    if (
      current.length === partsOfStatement ||
      (current.length > 0 && length + sql.length > maxStatementLength)
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

/**
 * Runs work on items, a few at a time. Returns the results in the order of the items. After an error, no further item
 * starts.
 */
async function mapConcurrently<Item, Result>(
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
    } catch (error) {
      queue.length = 0;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
