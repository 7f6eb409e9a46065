/** The token at the cursor in a label: the index where it begins, and its text up to the cursor. */
export interface TokenAtCursor {
  readonly start: number;
  readonly prefix: string;
}

const unquoted = /^[A-Za-z0-9_\-.:/]+$/;

/** The token before the cursor. Its text is empty where a new token may begin. */
export const tokenAtCursor = (label: string, cursor: number): TokenAtCursor => {
  const before = label.slice(0, cursor);
  const start = Math.max(...['&', '|', '(', ')'].map((sign) => before.lastIndexOf(sign))) + 1;
  return { start, prefix: before.slice(start).replace(/^"/, '') };
};

/** Writes a token for a label, in quotes if it contains special characters. */
export const writeToken = (token: string): string =>
  unquoted.test(token) ? token : `"${token.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/**
 * Replaces the token at the cursor by the completed one.
 * @returns the new label and cursor
 */
export const completeToken = (
  label: string,
  cursor: number,
  token: string,
): { label: string; cursor: number } => {
  const { start } = tokenAtCursor(label, cursor);
  const written = writeToken(token);
  const rest = label.slice(cursor).replace(/^[A-Za-z0-9_\-.:/]*"?/, '');
  return { label: `${label.slice(0, start)}${written}${rest}`, cursor: start + written.length };
};
