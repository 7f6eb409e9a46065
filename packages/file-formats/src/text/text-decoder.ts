import iconv from 'iconv-lite';
import { countUnfinished, decodeWhole } from './utf8.ts';

export interface TextChunk {
  readonly text: string;
  /** Whether the chunk may contain bytes that are not text in the encoding. */
  readonly hasInvalid: boolean;
}

/** Decodes bytes to text. A character may span several chunks. */
export interface ChunkDecoder {
  decode(bytes: Buffer): TextChunk;
  end(): TextChunk;
}

const noBytes = Buffer.alloc(0);
const noText: TextChunk = { text: '', hasInvalid: false };

export function createChunkDecoder(encoding: string): ChunkDecoder {
  if (encoding === 'utf-8') return createUtf8Decoder();
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return createUtf16Decoder(encoding === 'utf-16be');
  return createTableDecoder(encoding);
}

const join = (rest: Buffer, bytes: Buffer): Buffer =>
  rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);

function createUtf8Decoder(): ChunkDecoder {
  let rest = noBytes;
  return {
    decode(bytes) {
      const all = join(rest, bytes);
      const end = all.length - countUnfinished(all);
      rest = Buffer.from(all.subarray(end));
      return decodeWhole(all.subarray(0, end));
    },
    end: () => decodeWhole(rest),
  };
}

function createUtf16Decoder(isBigEndian: boolean): ChunkDecoder {
  let rest = noBytes;
  return {
    decode(bytes) {
      const all = join(rest, bytes);
      const even = all.subarray(0, all.length - (all.length % 2));
      rest = Buffer.from(all.subarray(even.length));
      const text = (isBigEndian ? Buffer.from(even).swap16() : even).toString('utf16le');
      return { text, hasInvalid: !text.isWellFormed() };
    },
    end: () =>
      rest.length === 0 ? noText : { text: String.fromCharCode(0xdc00 + (rest[0] ?? 0)), hasInvalid: true },
  };
}

/** Decodes all other encodings. Invalid bytes become U+FFFD. */
function createTableDecoder(encoding: string): ChunkDecoder {
  const decoder = iconv.getDecoder(encoding);
  return {
    decode: (bytes) => chunkOf(decoder.write(bytes)),
    end: () => chunkOf(decoder.end()),
  };
}

const chunkOf = (text: string | undefined): TextChunk =>
  text === undefined ? noText : { text, hasInvalid: text.includes('\ufffd') };
