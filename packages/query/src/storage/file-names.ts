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
