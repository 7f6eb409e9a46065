import type { ErrorPosition } from '@redoubt/errors';

/** Words with their dots, quoted names and texts, numbers, and operators; otherwise one character. */
const token =
  /^(?:(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*")(?:\s*\.\s*(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"))*|'(?:[^']|'')*'|[\d.]+|[-+*/<>=~!@#%^&|`?:]+|[\s\S])/u;

/** Returns the token at an offset in a statement. Both count characters (code points); at the end the length is 0. */
export const positionOf = (statement: string, offset: number): ErrorPosition => {
  const characters = Array.from(statement);
  const found = token.exec(characters.slice(offset, offset + 200).join(''))?.[0] ?? '';
  return { offset, length: Array.from(found).length };
};
