import type { RandomAccess } from '../../sources/seekable-source.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { maxBlockBytes, type BlockCompression } from '../decompress.ts';
import { OrcStream, type OrcCompression, type OrcRange } from './orc-stream.ts';
import { ProtobufMessage } from './protobuf.ts';

/** Names of types by their number in the format. */
const typeNames = [
  'boolean',
  'byte',
  'short',
  'int',
  'long',
  'float',
  'double',
  'string',
  'binary',
  'timestamp',
  'list',
  'map',
  'struct',
  'union',
  'decimal',
  'date',
  'varchar',
  'char',
  'instant',
] as const;

export interface OrcType {
  /** The number of the column in the file. */
  readonly column: number;
  readonly kind: (typeof typeNames)[number];
  readonly fields: readonly { readonly name: string; readonly type: OrcType }[];
  readonly scale: number;
}

export interface OrcStripe {
  readonly offset: number;
  readonly indexLength: number;
  readonly dataLength: number;
  readonly footerLength: number;
  readonly rows: number;
}

export interface OrcFile {
  readonly compression: OrcCompression;
  readonly root: OrcType;
  readonly stripes: readonly OrcStripe[];
}

/** The streams of a column in a stripe, by kind, and their encoding. */
export interface OrcColumn {
  readonly streams: ReadonlyMap<number, OrcRange>;
  readonly isDictionary: boolean;
  readonly version: 1 | 2;
  readonly dictionarySize: number;
}

export interface OrcStripeFooter {
  readonly columns: (column: number) => OrcColumn;
  readonly timeZone: string;
}

const compressions: readonly (BlockCompression | 'lzo' | undefined)[] = [
  undefined,
  'deflate',
  'snappy',
  'lzo',
  'lz4',
  'zstd',
  'brotli',
];

/** The maximum bytes of metadata. */
const maxFooterBytes = 64_000_000;

/** Reads the metadata at the end of a file. */
export function readOrcFile(file: RandomAccess, maxNesting: number): OrcFile {
  const [length = 0] = file.readAt(file.size - 1, 1);
  const postscript = new ProtobufMessage(file.readAt(file.size - 1 - length, length));
  if (postscript.text(8000) !== 'ORC') throw new DamagedFile('its end is missing');
  const kind = compressions[postscript.number(2)];
  if (kind === 'lzo' || postscript.number(2) >= compressions.length) {
    throw new UnsupportedFile('its compression LZO is not supported. Write it with zstd, zlib or snappy.');
  }
  const chunkBytes = postscript.number(3, 262_144);
  if (chunkBytes > maxBlockBytes) throw new DamagedFile(`its chunks have ${String(chunkBytes)} bytes`);
  const compression = { kind, chunkBytes };
  const footerLength = postscript.number(1);
  const offset = file.size - 1 - length - footerLength;
  const footer = readMessage(file, { offset, length: footerLength }, compression);
  if (footer.messages(10).length > 0) {
    throw new UnsupportedFile('it has encrypted columns. Write it without encryption and send it again.');
  }
  return {
    compression,
    root: readTypes(footer.messages(4), maxNesting),
    stripes: footer.messages(3).map((stripe) => ({
      offset: stripe.number(1),
      indexLength: stripe.number(2),
      dataLength: stripe.number(3),
      footerLength: stripe.number(4),
      rows: stripe.number(5),
    })),
  };
}

function readMessage(file: RandomAccess, range: OrcRange, compression: OrcCompression): ProtobufMessage {
  if (range.length > maxFooterBytes)
    throw new DamagedFile(`its description has ${String(range.length)} bytes`);
  return new ProtobufMessage(new OrcStream(file, range, compression).rest());
}

/** Builds the tree of types from the list, which is in pre-order. */
function readTypes(messages: readonly ProtobufMessage[], maxNesting: number): OrcType {
  function read(column: number, depth: number): OrcType {
    const message = messages[column];
    if (message === undefined) throw new DamagedFile('a type is missing');
    if (depth > maxNesting) {
      throw new UnsupportedFile(
        `its columns are nested more than ${String(maxNesting)} deep. Write them with fewer levels.`,
      );
    }
    const kind = typeNames[message.number(1)];
    if (kind === undefined) {
      throw new UnsupportedFile(
        `it has a column of a type that is not supported (${String(message.number(1))}). Cast it to text.`,
      );
    }
    const names = message.texts(3);
    const fields = message.numbers(2).map((child, index) => {
      if (child <= column) throw new DamagedFile('a type contains itself');
      return { name: names[index] ?? '', type: read(child, depth + 1) };
    });
    return { column, kind, fields, scale: message.number(6) };
  }

  const root = read(0, 0);
  if (root.kind !== 'struct') {
    throw new UnsupportedFile(`its rows must be structs, got ${root.kind}. Write a table with columns.`);
  }
  return root;
}

/** Reads the positions of the streams of a stripe. */
export function readStripeFooter(
  file: RandomAccess,
  stripe: OrcStripe,
  compression: OrcCompression,
): OrcStripeFooter {
  const { offset, indexLength, dataLength, footerLength } = stripe;
  const range = { offset: offset + indexLength + dataLength, length: footerLength };
  const footer = readMessage(file, range, compression);
  const streams = new Map<number, Map<number, OrcRange>>();
  let at = offset;
  for (const stream of footer.messages(1)) {
    const length = stream.number(3);
    const column = streams.get(stream.number(2)) ?? new Map<number, OrcRange>();
    column.set(stream.number(1), { offset: at, length });
    streams.set(stream.number(2), column);
    at += length;
  }
  const encodings = footer.messages(2);
  return {
    timeZone: footer.text(3) ?? 'UTC',
    columns: (column) => {
      const encoding = encodings[column];
      const kind = encoding?.number(1) ?? 0;
      return {
        streams: streams.get(column) ?? new Map<number, OrcRange>(),
        isDictionary: kind % 2 === 1,
        version: kind >= 2 ? 2 : 1,
        dictionarySize: encoding?.number(2) ?? 0,
      };
    },
  };
}
