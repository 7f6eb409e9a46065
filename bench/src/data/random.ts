/** A generator of numbers from 0 to below 1 (mulberry32), with the same sequence for a seed on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random integer from 0 to below `end`. */
export const below = (random: () => number, end: number): number => Math.floor(random() * end);

/** A random element, each equally likely. */
export function pick<T>(random: () => number, from: readonly T[]): T {
  const found = from[below(random, from.length)];
  if (found === undefined) throw new Error('There is nothing to pick from.');
  return found;
}
