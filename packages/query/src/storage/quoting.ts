const escapes: Record<string, string> = { "'": "\\'", '`': '\\`', '\\': '\\\\' };

const escapeForEngine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\\'`\p{Cc}]/gu, (character) => escapes[character] ?? escapeControl(character));

/** Control characters below U+0080 have a two-digit escape; those above are plain UTF-8 to the engine. */
function escapeControl(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0').toUpperCase()}` : character;
}

/** A text literal of the engine's SQL. Lone surrogates become U+FFFD, as in the stored copy. */
export const quoteString = (text: string): string => `'${escapeForEngine(text)}'`;

/** A quoted identifier of the engine's SQL. */
export const quoteIdentifier = (name: string): string => `\`${escapeForEngine(name)}\``;
