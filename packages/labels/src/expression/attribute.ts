import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxAttributeLength } from './limits.ts';

const unquotedAttribute = /^[A-Za-z0-9_\-.:/]+$/;
const unusableCharacter = /[\p{Cc}\p{Cs}]/u;

/** Whether an attribute needs no quotes in a label: it has only letters A-Z and a-z, digits and `_ - . : /`. */
export function isUnquotedAttribute(token: string): boolean {
  return unquotedAttribute.test(token);
}

/** Escapes an attribute for use between double quotes in a label. */
export function escapeAttribute(token: string): string {
  return token.replaceAll(/["\\]/g, String.raw`\$&`);
}

/**
 * Upper-cases a-z and nothing else. Unicode upper-casing would merge different attributes (`ſ` becomes `S`, `ı`
 * becomes `I`, `ß` becomes `SS`), so a reader with one attribute would see records that another one protects. Keeping
 * them different can only hide more.
 */
export function upperCaseAttribute(token: string): string {
  return token.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/**
 * Returns where and why a token is not a valid attribute, or undefined if it is one. Control characters and halves of
 * surrogate pairs are rejected: they are invisible, and storage and transport may change them.
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
 * Returns the form in which an attribute is stored and compared: a-z upper-cased.
 *
 *     normaliseAttribute('top-secret') // 'TOP-SECRET'
 *
 * @param token the attribute itself, without the quotes and escapes of a label
 * @throws LabelSyntaxError if no label can name this attribute
 */
export function normaliseAttribute(token: string): string {
  const error = findAttributeError(token);
  if (error !== undefined) throw new LabelSyntaxError('attribute', token, error.at, error.expected);
  return upperCaseAttribute(token);
}
