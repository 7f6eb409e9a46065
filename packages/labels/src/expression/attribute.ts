import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxAttributeLength } from './limits.ts';

const unquotedAttribute = /^[A-Za-z0-9_\-.:/]+$/;
const unusableCharacter = /[\p{Cc}\p{Cs}]/u;

/** Whether an attribute may stand in a label without quotes: letters A-Z and a-z, digits and `_ - . : /`. */
export function isUnquotedAttribute(token: string): boolean {
  return unquotedAttribute.test(token);
}

/** The attribute as it stands between the quotes of a label. */
export function escapeAttribute(token: string): string {
  return token.replaceAll(/["\\]/g, String.raw`\$&`);
}

/**
 * Upper-cases a-z and nothing else. Unicode's upper-casing would make one attribute of several that look alike or
 * not at all (`ſ` becomes `S`, `ı` becomes `I`, `ß` becomes `SS`), so that whoever holds the one would see what
 * the other protects. Left apart, they only ever show less.
 */
export function upperCaseAttribute(token: string): string {
  return token.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Where and why a token cannot be an attribute, or nothing when it can. Control characters and halves of
 * surrogate pairs are refused: they are seen by nobody, and do not survive storage and transport unchanged.
 */
export function findAttributeError(token: string): { at: number; expected: string } | undefined {
  if (token === '') return { at: 0, expected: 'at least one character' };
  if (token.length > maxAttributeLength) {
    return { at: maxAttributeLength, expected: `at most ${maxAttributeLength} characters in an attribute` };
  }
  const unusable = unusableCharacter.exec(token);
  return unusable === null
    ? undefined
    : { at: unusable.index, expected: 'no control character and no half of a surrogate pair' };
}

/**
 * The form in which an attribute is stored and compared: a-z upper-cased. The token is the attribute itself,
 * without the quotes and escapes of a label. Throws LabelSyntaxError when no label could name it.
 */
export function normaliseAttribute(token: string): string {
  const fault = findAttributeError(token);
  if (fault !== undefined) throw new LabelSyntaxError('Attribute', token, fault.at, fault.expected);
  return upperCaseAttribute(token);
}
