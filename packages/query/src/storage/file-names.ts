/** Returns a prefix with which none of `names` starts, so that every name with the prefix is unused. */
export function createUniquePrefix(names: readonly string[], preferred: string): string {
  let free = preferred;
  while (names.some((name) => name.startsWith(free))) free += '_';
  return free;
}

/** Makes column names distinct and not empty, because the engine writes files only with such names. */
export function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((literalName) => {
    const name = literalName === '' ? '(empty)' : literalName.toWellFormed();
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${String(number)})`;
    taken.add(free);
    return free;
  });
}
