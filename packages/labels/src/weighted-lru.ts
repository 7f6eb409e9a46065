/** A map that evicts the least recently used entries when the total weight exceeds its limit. */
export interface WeightedLru<Value> {
  get(key: string): Value | undefined;
  /** Sets an entry. The newest entry is kept even if it alone exceeds the limit. */
  set(key: string, value: Value, weight: number): void;
  delete(key: string): void;
}

/** Creates an empty map. `maxWeight` has the same unit as the weights given to `set`. */
export function createWeightedLru<Value>(maxWeight: number): WeightedLru<Value> {
  // A Map iterates in insertion order. Each use inserts the entry again, so the first entry is the least recently used.
  const entries = new Map<string, { value: Value; weight: number }>();
  let total = 0;

  function remove(key: string): { value: Value; weight: number } | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    total -= entry.weight;
    return entry;
  }

  function add(key: string, entry: { value: Value; weight: number }): void {
    entries.set(key, entry);
    total += entry.weight;
  }

  return {
    get(key) {
      const entry = remove(key);
      if (entry !== undefined) add(key, entry);
      return entry?.value;
    },
    set(key, value, weight) {
      remove(key);
      add(key, { value, weight });
      for (const oldest of entries.keys()) {
        if (total <= maxWeight || oldest === key) break;
        remove(oldest);
      }
    },
    delete(key) {
      remove(key);
    },
  };
}
