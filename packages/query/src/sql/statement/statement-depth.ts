/** Levels that the engine makes of what stands between brackets, or more: its own limit must not be the one that is reached. */
const levels = { query: 12, bracket: 3, list: 4, lambda: 4 } as const;

/**
 * How deep the engine's tree of a statement is at most, as a reader may know it: the texts that decide what is visible are still
 * marks, and what is hidden would make them deeper.
 * @param sql a compiled text; quotes inside its texts and names have a backslash before them or are doubled
 */
export function depthUpperBound(sql: string): number {
  const open: number[] = [];
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < sql.length; at++) {
    const character = sql[at];
    if (character === "'" || character === '`') {
      at = endOfQuotes(sql, at);
      continue;
    }
    if (character === '(' || character === '[') {
      const isQuery = sql.startsWith('SELECT ', at + 1);
      const added = character === '[' ? levels.list : isQuery ? levels.query : levels.bracket;
      open.push(added);
      depth += added;
    } else if (character === ')' || character === ']') depth -= open.pop() ?? 0;
    else if (character === '>' && sql[at - 1] === '-') {
      // The body of a lambda ends with the brackets around it.
      open.push((open.pop() ?? 0) + levels.lambda);
      depth += levels.lambda;
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Where a text or a name in quotes ends that begins here. */
function endOfQuotes(sql: string, start: number): number {
  let at = start + 1;
  while (at < sql.length && sql[at] !== sql[start]) at += sql[at] === '\\' ? 2 : 1;
  return at;
}
