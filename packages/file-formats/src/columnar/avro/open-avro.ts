import { crc32 } from 'node:zlib';
import type { RandomAccess } from '../../sources/seekable-source.ts';
import type { ColumnarTable, TableLimits, TableRow } from '../columnar-table.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { decompressUpTo, maxBlockBytes } from '../decompress.ts';
import { decodeText } from '../value-json.ts';
import { AvroBytes } from './avro-bytes.ts';
import { parseSchema } from './avro-schema.ts';
import { createAvroReaders, jsonKind } from './avro-values.ts';

/** The maximum bytes of the header, which contains the schema. */
const maxHeaderBytes = 16_000_000;
const syncBytes = 16;
/** Each block begins with two counts of up to ten bytes. */
const maxCountBytes = 20;
/** The maximum number of rows in a block whose rows take no bytes. */
const maxBlockRows = 100_000_000;

interface AvroHeader {
  readonly schema: string;
  readonly codec: string;
  readonly sync: Buffer;
  /** Where the first block begins. */
  readonly end: number;
}

/** Opens an Apache Avro file (an object container file). One block is in memory at a time. */
export function openAvro(file: RandomAccess, { maxNesting }: TableLimits): ColumnarTable {
  const header = readHeader(file);
  const schema = parseSchema(header.schema);
  if (schema.kind !== 'record') {
    throw new UnsupportedFile(`its values must be records, got ${schema.kind}. Write records.`);
  }
  const decompress = decompressorOf(header.codec);

  function* readBlock({ count, data }: AvroBlock, isRead: readonly boolean[]): Generator<TableRow> {
    let problem: string | undefined;
    const { readerOf } = createAvroReaders(maxNesting - 1, (text) => void (problem ??= text));
    const readers = schema.kind === 'record' ? schema.fields.map(({ type }) => readerOf(type)) : [];
    const bytes = new AvroBytes(decompress(data));
    for (let row = 0; row < count; row++) {
      problem = undefined;
      const values = readers.map((read, index) => {
        const json = read(bytes);
        return isRead[index] === true ? json : '';
      });
      yield { values, problem };
    }
    if (!bytes.isAtEnd) throw new DamagedFile('a block has more bytes than its records');
  }

  return {
    columns: schema.fields.map(({ name, type }) => ({ name, type: jsonKind(type) })),
    *rows(isRead) {
      let offset = header.end;
      while (offset < file.size) {
        const block = readBlockAt(file, offset, header.sync);
        yield* readBlock(block, isRead);
        offset = block.end;
      }
    },
  };
}

function readHeader(file: RandomAccess): AvroHeader {
  for (let length = 64_000; ; length *= 16) {
    const isAll = length >= Math.min(file.size, maxHeaderBytes);
    const bytes = new AvroBytes(file.readAt(0, Math.min(length, maxHeaderBytes)));
    try {
      bytes.fixed(4);
      return parseHeader(bytes);
    } catch (error) {
      if (isAll) throw error;
    }
  }
}

function parseHeader(bytes: AvroBytes): AvroHeader {
  const metadata = new Map<string, Uint8Array>();
  for (let count = bytes.count(); count !== 0; count = bytes.count()) {
    if (count < 0) bytes.count();
    for (let index = 0; index < Math.abs(count); index++)
      metadata.set(decodeText(bytes.bytes()), bytes.bytes());
  }
  const schema = metadata.get('avro.schema');
  if (schema === undefined) throw new DamagedFile('its schema is missing');
  const sync = Buffer.from(bytes.fixed(syncBytes));
  const codec = metadata.get('avro.codec');
  return {
    schema: decodeText(schema),
    codec: codec === undefined ? 'null' : decodeText(codec),
    sync,
    end: bytes.offset,
  };
}

interface AvroBlock {
  readonly count: number;
  readonly data: Uint8Array;
  readonly end: number;
}

function readBlockAt(file: RandomAccess, offset: number, sync: Buffer): AvroBlock {
  const counts = new AvroBytes(file.readAt(offset, maxCountBytes));
  const count = counts.count();
  const size = counts.count();
  const start = offset + counts.offset;
  if (count < 0 || count > maxBlockRows)
    throw new DamagedFile(`a block says that it has ${String(count)} records`);
  if (size < 0 || size > maxBlockBytes || start + size + syncBytes > file.size) {
    throw new DamagedFile(`a block says that it has ${String(size)} bytes`);
  }
  const bytes = file.readAt(start, size + syncBytes);
  if (!sync.equals(bytes.subarray(size))) throw new DamagedFile('the end of a block is not where it says');
  return { count, data: bytes.subarray(0, size), end: start + size + syncBytes };
}

function decompressorOf(codec: string): (data: Uint8Array) => Uint8Array {
  switch (codec) {
    case 'null':
      return (data) => data;
    case 'deflate':
      return (data) => decompressUpTo('deflate', data, maxBlockBytes);
    case 'zstandard':
      return (data) => decompressUpTo('zstd', data, maxBlockBytes);
    case 'snappy':
      return (data) => {
        const output = decompressUpTo('snappy', data.subarray(0, -4), maxBlockBytes);
        const checksum = Buffer.from(data.subarray(-4));
        if (checksum.length < 4 || checksum.readUInt32BE(0) !== crc32(output)) {
          throw new DamagedFile('the checksum of a block differs');
        }
        return output;
      };
    default:
      throw new UnsupportedFile(
        `its compression ${JSON.stringify(codec.slice(0, 40))} is not supported. Write it with zstandard, deflate or snappy.`,
      );
  }
}
