/** The most entries of a list, and the longest text, that are kept. */
const entries = 3;
const characters = 300;

/** An answer short enough to be read: of long lists the first entries, of long texts the beginning. */
export const shorten = (value: unknown): unknown => {
  if (typeof value === 'string') {
    return value.length > characters ? `${value.slice(0, characters)}…` : value;
  }
  if (Array.isArray(value)) {
    const first = value.slice(0, entries).map(shorten);
    return value.length > entries ? [...first, `… ${value.length - entries} more`] : first;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
};

/** The keys of a value, without what they hold: what two recordings of a call have in common. */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    // Lists without an order of their own begin with one entry or another, and each kind of entry counts once.
    return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return 'a value';
  const known = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(known.map(([key, item]) => [key, shapeOf(item)]));
};
