import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { encodingNamed } from './encoding-names.ts';
import { countUnfinished } from './utf8.ts';

export interface Encoding {
  /** A name that iconv-lite knows, in lower case. */
  readonly name: string;
  /** Bytes of the byte order mark. */
  readonly skip: number;
}

const byteOrderMarks: readonly { name: string; bytes: Buffer }[] = [
  { name: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { name: 'utf-32le', bytes: Buffer.from([0xff, 0xfe, 0, 0]) },
  { name: 'utf-32be', bytes: Buffer.from([0, 0, 0xfe, 0xff]) },
  { name: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { name: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** The bytes that chardet reads; its time grows with them. */
const maxDetectionBytes = 64 * 1024;

/**
 * Detects the encoding of a text: by its byte order mark, by the declaration of XML, as UTF-16 by its zero bytes, as
 * UTF-8 if it is valid, and otherwise by the frequency of its characters.
 */
export function detectEncoding(sample: Buffer, isWhole: boolean): Encoding {
  const marked = byteOrderMarks.find(({ bytes }) => sample.subarray(0, bytes.length).equals(bytes));
  if (marked !== undefined) return { name: marked.name, skip: marked.bytes.length };
  const whole = isWhole ? sample : sample.subarray(0, sample.length - countUnfinished(sample));
  const declared = /^<\?xml[^>]{0,100}encoding=["']([\w.-]+)["']/.exec(
    sample.subarray(0, 200).toString('latin1'),
  )?.[1];
  const known = declared === undefined ? undefined : encodingNamed(declared);
  if (known !== undefined && !known.startsWith('utf-16')) return { name: known, skip: 0 };
  const utf16 = utf16Of(sample);
  if (utf16 !== undefined) return { name: utf16, skip: 0 };
  if (isUtf8(whole)) return { name: 'utf-8', skip: 0 };
  return { name: guess(sample), skip: 0 };
}

/**
 * Detects UTF-16 without a byte order mark: most of its characters have a zero byte. It is the first or the second byte
 * of the character, depending on the byte order.
 */
function utf16Of(sample: Buffer): string | undefined {
  const end = Math.min(sample.length - (sample.length % 2), 4096);
  if (end < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < end; at += 2) {
    if (sample[at] === 0) even++;
    if (sample[at + 1] === 0) odd++;
  }
  const enough = end / 2 / 2;
  if (odd > enough && even * 20 < odd) return 'utf-16le';
  if (even > enough && odd * 20 < even) return 'utf-16be';
  return undefined;
}

/** Encodings that are never guessed, because they are detected before, or cannot be decoded. */
const unguessed = new Set(['ascii', 'utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']);

function guess(sample: Buffer): string {
  const guesses = analyse(sample.subarray(0, maxDetectionBytes)).map(({ name }) => name.toLowerCase());
  const name = guesses.find((guessed) => !unguessed.has(guessed) && iconv.encodingExists(guessed));
  // windows-1252 is a superset: it has quotes and dashes where ISO 8859-1 has control characters.
  return name === undefined || name === 'iso-8859-1' ? 'windows-1252' : name;
}
