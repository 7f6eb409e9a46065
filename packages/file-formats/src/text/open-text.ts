import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import type { ReadPass } from '../sources/read-pass.ts';
import { createChunkDecoder, type TextChunk } from './text-decoder.ts';
import { detectEncoding, type Encoding } from './detect-encoding.ts';
import { encodingNamed } from './encoding-names.ts';

/** A file as text. */
export interface TextSource {
  readonly encoding: string;
  /** The beginning of the text. */
  readonly sample: string;
  /** Whether the sample is the whole text. */
  readonly isWhole: boolean;
  /** The whole text in chunks of bounded size. */
  chunks(): AsyncIterable<TextChunk>;
  /** Returns a message about the bytes of a row that are not text in the encoding; undefined if there are none. */
  invalidText(text: string): string | undefined;
}

/** The bytes that are read to detect the format. */
export const sampleBytes = 256 * 1024;

/** The bytes that are decoded at a time. */
const chunkBytes = 256 * 1024;

/** Opens bytes as text. `head` is the beginning of the source. */
export function openText(
  source: DataSource,
  head: Buffer,
  isWhole: boolean,
  { options: { fileName, encoding: given }, newPass }: Pick<OpenContext, 'options' | 'newPass'>,
): TextSource {
  const encoding = given === undefined ? detectEncoding(head, isWhole) : named(given, head, fileName);
  const decoder = createChunkDecoder(encoding.name);
  const first = decoder.decode(head.subarray(encoding.skip)).text;
  return {
    encoding: encoding.name,
    sample: isWhole ? first + decoder.end().text : first,
    isWhole,
    chunks: () => decodeChunks(source, newPass(true), encoding),
    invalidText: (text) => describeInvalid(text, encoding.name),
  };
}

function named(given: string, head: Buffer, fileName: string): Encoding {
  const name = encodingNamed(given);
  if (name === undefined) {
    throw new FileParseError(
      fileName,
      0,
      `the encoding "${given}" is not supported. Use a name such as "utf-8" or "windows-1252".`,
    );
  }
  const detected = detectEncoding(head.subarray(0, 4), true);
  return { name, skip: detected.name === name ? detected.skip : 0 };
}

async function* decodeChunks(
  source: DataSource,
  pass: ReadPass,
  { name, skip }: Encoding,
): AsyncGenerator<TextChunk> {
  const decoder = createChunkDecoder(name);
  let toSkip = skip;
  for await (const bytes of source.stream(pass)) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = Math.min(toSkip, chunk.length);
    toSkip -= start;
    for (let from = start; from < chunk.length; from += chunkBytes) {
      yield decoder.decode(chunk.subarray(from, from + chunkBytes));
    }
  }
  yield decoder.end();
}

const unicode = new Set(['utf-8', 'utf-16le', 'utf-16be']);

function describeInvalid(text: string, encoding: string): string | undefined {
  if (!unicode.has(encoding)) {
    return text.includes('\ufffd')
      ? `it has bytes that mean nothing in ${encoding}. ${giveEncoding}`
      : undefined;
  }
  if (text.isWellFormed()) return undefined;
  if (encoding !== 'utf-8')
    return `it has half a character, which ${encoding} does not allow. ${giveEncoding}`;
  const byte = (/(?<![\ud800-\udbff])[\udc00-\udcff]/.exec(text)?.[0].charCodeAt(0) ?? 0) - 0xdc00;
  return `its byte 0x${byte.toString(16).toUpperCase()} is not valid in UTF-8. ${giveEncoding}`;
}

const giveEncoding = 'If the file has another encoding, name it in "encoding".';
