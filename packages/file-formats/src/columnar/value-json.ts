import { isUtf8 } from 'node:buffer';
import { quoteText } from '../rows/quote-text.ts';

/** A value that cannot be stored unchanged. Its row is rejected with this message as the reason. */
export class ValueError extends Error {}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws ValueError for bytes that are not UTF-8 */
export const decodeText = (bytes: Uint8Array): string => {
  if (!isUtf8(bytes)) throw new ValueError('a text of it is no valid UTF-8.');
  return toBuffer(bytes).toString('utf8');
};

export const textJson = (bytes: Uint8Array): string => quoteText(decodeText(bytes));

export const base64Json = (bytes: Uint8Array): string => `"${toBuffer(bytes).toString('base64')}"`;

/** The exact value of a double. NaN and infinity, which JSON lacks, become texts, as in PostgreSQL. */
export const floatJson = (value: number): string => {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return `"${String(value)}"`;
};

/** Converts a half-precision IEEE 754 number to a double. */
export const halfToDouble = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * 2 ** (exponent - 25) * (fraction + 1024);
};

/** Prints an integer with `scale` digits after the point; a negative scale adds zeros. */
export const decimalJson = (unscaled: bigint | number, scale: number): string => {
  const digits = String(unscaled);
  if (scale === 0) return digits;
  if (scale < 0) return digits === '0' ? digits : digits + '0'.repeat(-scale);
  const isNegative = digits.startsWith('-');
  const padded = (isNegative ? digits.slice(1) : digits).padStart(scale + 1, '0');
  const point = padded.length - scale;
  return `${isNegative ? '-' : ''}${padded.slice(0, point)}.${padded.slice(point)}`;
};

/** Converts big-endian bytes in two's complement to an integer. */
export const bigIntOf = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${toBuffer(bytes).toString('hex')}`));

export const uuidJson = (bytes: Uint8Array): string => {
  if (bytes.length !== 16) throw new ValueError('a UUID of it has not 16 bytes.');
  const hex = toBuffer(bytes).toString('hex');
  return `"${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}"`;
};
