/** A map that forgets what was used least recently once its entries weigh more than it may hold. */
export interface WeightedLru<Value> {
  get(key: string): Value | undefined;
  /** Keeps at least the entry that was set last, however heavy it is. */
  set(key: string, value: Value, weight: number): void;
  delete(key: string): void;
}

/** Makes an empty map for entries of `maxWeight` together, in whatever unit `set` is given. */
export function createWeightedLru<Value>(maxWeight: number): WeightedLru<Value> {
  // A Map iterates in the order of insertion: what is used is put in again, so the first entry is the oldest.
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
