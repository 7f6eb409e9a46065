const unsafe = /[^\x20-\x7e]/g;

/** Prints JSON for a header: every character outside printable ASCII becomes `\uXXXX`. */
export const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
