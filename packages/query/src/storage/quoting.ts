const escapes: Record<string, string> = { "'": "\\'", '`': '\\`', '\\': '\\\\' };

const escapeForEngine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\\'`\p{Cc}]/gu, (character) => escapes[character] ?? escapeControl(character));

/** Escapes a control character below U+0080 with two digits. The engine accepts the others as plain UTF-8. */
function escapeControl(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0').toUpperCase()}` : character;
}

/**
 * Prints a string literal of the engine's SQL: `it's` becomes `'it\'s'`. Lone surrogates become U+FFFD, as in stored
 * records.
 */
export const quoteString = (text: string): string => `'${escapeForEngine(text)}'`;

/** Prints a quoted identifier of the engine's SQL, in backticks. */
export const quoteIdentifier = (name: string): string => `\`${escapeForEngine(name)}\``;
