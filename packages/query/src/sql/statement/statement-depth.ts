/**
 * Upper bounds for the levels that each kind of bracket adds to the engine's syntax tree. With these bounds, the limit
 * of statements applies before the limit of the engine.
 */
const levels = { query: 12, bracket: 3, list: 4, lambda: 4 } as const;

/**
 * Returns an upper bound for the depth of the engine's syntax tree. Call it before placeholders are replaced: they
 * stand for texts that depend on hidden data, so the result discloses nothing about these texts.
 * @param sql compiled SQL; quotes inside literals and names are escaped by a backslash or doubled
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
      // The body of a lambda ends at the closing bracket around it.
      open.push((open.pop() ?? 0) + levels.lambda);
      depth += levels.lambda;
    }
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The index of the closing quote of a literal or name that starts at `start`. */
function endOfQuotes(sql: string, start: number): number {
  let at = start + 1;
  while (at < sql.length && sql[at] !== sql[start]) at += sql[at] === '\\' ? 2 : 1;
  return at;
}
