import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The code unit that an invalid byte 0 becomes; byte `b` becomes this number plus `b`. These are surrogates, which
 * valid UTF-8 never decodes to. So a row with invalid bytes is recognised later, and other rows are not affected.
 */
const invalidByteBase = 0xdc00;

/** The number of bytes at the end that begin a character without completing it: 0 to 3. */
export function countUnfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

const lengthOf = (lead: number): number => (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1);

/** Decodes bytes that end with a whole character. */
export function decodeWhole(bytes: Buffer): { text: string; hasInvalid: boolean } {
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), hasInvalid: false };
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), hasInvalid: false };
  return { text: decodeInvalid(bytes), hasInvalid: true };
}

function decodeInvalid(bytes: Buffer): string {
  const parts: string[] = [];
  let validFrom = 0;
  for (let at = 0; at < bytes.length;) {
    const length = validLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(
      bytes.toString('utf8', validFrom, at),
      String.fromCharCode(invalidByteBase + (bytes[at] ?? 0)),
    );
    validFrom = ++at;
  }
  parts.push(bytes.toString('utf8', validFrom));
  return parts.join('');
}

/** The length of the valid character that begins here, in bytes; 0 if there is none. */
function validLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lengthOf(lead);
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
