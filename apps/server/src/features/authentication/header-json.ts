const unsafe = /[^\x20-\x7e]/g;

/** JSON that may stand in a header: everything beyond printable ASCII is written as `\uXXXX`. */
export const headerJson = (value: unknown): string =>
  JSON.stringify(value).replace(unsafe, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
