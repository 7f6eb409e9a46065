/** A map with a maximum size that drops the least recently used entry. */
export interface Lru<Value> {
  get(key: string): Value | undefined;
  getOrMake(key: string, make: () => Value): Value;
  delete(key: string): void;
  clear(): void;
}

export function createLru<Value>(maxEntries: number): Lru<Value> {
  const entries = new Map<string, Value>();
  const touch = (key: string, value: Value): Value => {
    entries.delete(key);
    entries.set(key, value);
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) break;
      entries.delete(oldest);
    }
    return value;
  };
  return {
    get(key) {
      const value = entries.get(key);
      return value === undefined ? undefined : touch(key, value);
    },
    getOrMake: (key, make) => touch(key, entries.get(key) ?? make()),
    delete: (key) => {
      entries.delete(key);
    },
    clear: () => {
      entries.clear();
    },
  };
}
