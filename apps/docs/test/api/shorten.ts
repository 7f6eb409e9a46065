/** The maximum number of entries of a list, and the maximum length of a text. */
const entries = 3;
const characters = 300;

/** Shortens a response: long lists and texts are cut after their beginning. */
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

/** The structure of a value without its contents: what two recordings of a call have in common. */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    // The order of unordered lists varies, so each kind of entry counts once.
    return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return 'a value';
  const known = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(known.map(([key, item]) => [key, shapeOf(item)]));
};
