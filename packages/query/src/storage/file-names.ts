/** A name that none of these begins with: a column of that name, or of it and a number, is not taken for one of them. */
export function createUniquePrefix(names: readonly string[], wish: string): string {
  let free = wish;
  while (names.some((name) => name.startsWith(free))) free += '_';
  return free;
}

/** Names of columns in a file: the engine takes neither a name twice nor an empty one. */
export function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((written) => {
    const name = written === '' ? '(empty)' : written.toWellFormed();
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${String(number)})`;
    taken.add(free);
    return free;
  });
}
