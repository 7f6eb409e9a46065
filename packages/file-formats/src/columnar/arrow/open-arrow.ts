import {
  compressionRegistry,
  CompressionType,
  Message,
  RecordBatchReader,
  type RecordBatch,
} from 'apache-arrow';
import { zstdDecompressSync } from 'node:zlib';
import type { RandomAccess } from '../../sources/seekable-source.ts';
import type { ColumnarTable, TableLimits, TableRow } from '../columnar-table.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { maxBlockBytes } from '../decompress.ts';
import { checkNesting, columnTypeOf } from './arrow-types.ts';
import { createArrowReader } from './arrow-values.ts';
import { decompressLz4Frame } from './lz4-frame.ts';

/** The maximum bytes of one record batch, which is read as a whole. */
const maxBatchBytes = 400_000_000;
const maxMetadataBytes = 64_000_000;
const magic = 'ARROW1';

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decompressLz4Frame });
compressionRegistry.set(CompressionType.ZSTD, {
  decode: (bytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBlockBytes }),
});

/** Opens an Apache Arrow file or stream; Feather files of version 2 are such files. One batch is in memory at a time. */
export function openArrow(file: RandomAccess, { maxNesting }: TableLimits): ColumnarTable {
  const { schema } = openReader(file);
  checkNesting(schema.fields, maxNesting);

  function* readBatch(batch: RecordBatch, isRead: readonly boolean[]): Generator<TableRow> {
    let problem: string | undefined;
    const readers = schema.fields.map((field, index) => {
      const data = batch.data.children[index];
      if (isRead[index] !== true) return () => '';
      if (data === undefined) throw new DamagedFile('a batch has fewer columns than the file');
      return createArrowReader(field, data, (text) => void (problem ??= text));
    });
    for (let row = 0; row < batch.numRows; row++) {
      problem = undefined;
      const values = readers.map((read) => read(row));
      yield { values, problem };
    }
  }

  return {
    columns: schema.fields.map(({ name, type }) => ({ name, type: columnTypeOf(type) })),
    *rows(isRead) {
      for (const batch of openReader(file)) if (batch.numRows > 0) yield* readBatch(batch, isRead);
    },
  };
}

function openReader(file: RandomAccess): RecordBatchReader {
  try {
    return RecordBatchReader.from(messagesOf(file)).open();
  } catch (error) {
    const type = /^Unrecognized type: "(\w+)"/.exec(error instanceof Error ? error.message : '')?.[1];
    if (type === undefined) throw error;
    throw new UnsupportedFile(
      `it has a column of the type ${type}, which is not supported. Cast it and write the file anew.`,
    );
  }
}

/** Reads a stream message by message. A file is such a stream between two magic words, with a directory at its end. */
function* messagesOf(file: RandomAccess): Generator<Uint8Array> {
  const { start, end } = streamOf(file);
  let offset = start;
  while (offset < end) {
    const head = viewOf(file.readAt(offset, 8));
    const isMarked = head.byteLength >= 4 && head.getInt32(0, true) === -1;
    const prefix = isMarked ? 8 : 4;
    if (head.byteLength < prefix) throw new DamagedFile('a message is cut off');
    const length = head.getInt32(prefix - 4, true);
    if (length === 0) return;
    if (length < 0 || length > maxMetadataBytes || offset + prefix + length > end) {
      throw new DamagedFile(`a message says that its description has ${String(length)} bytes`);
    }
    const { bodyLength } = Message.decode(file.readAt(offset + prefix, length));
    if (!(bodyLength >= 0 && offset + prefix + length + bodyLength <= end)) {
      throw new DamagedFile(`a message says that it has ${String(bodyLength)} bytes`);
    }
    if (bodyLength > maxBatchBytes) {
      throw new UnsupportedFile(
        `a batch of it has ${String(bodyLength)} bytes, the limit is ${String(maxBatchBytes)}. Write it with smaller batches.`,
      );
    }
    const whole = prefix + length + bodyLength;
    yield file.readAt(offset, whole);
    offset += whole;
  }
}

function streamOf(file: RandomAccess): { start: number; end: number } {
  const textAt = (offset: number, length: number): string =>
    Buffer.from(file.readAt(offset, length)).toString('latin1');
  if (textAt(0, magic.length) !== magic) return { start: 0, end: file.size };
  const tail = 4 + magic.length;
  if (file.size < 8 + tail || textAt(file.size - magic.length, magic.length) !== magic) {
    throw new DamagedFile('its end is missing');
  }
  const footer = viewOf(file.readAt(file.size - tail, 4)).getInt32(0, true);
  const end = file.size - tail - footer;
  if (footer <= 0 || end < 8) throw new DamagedFile(`its directory has ${String(footer)} bytes`);
  return { start: 8, end };
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
