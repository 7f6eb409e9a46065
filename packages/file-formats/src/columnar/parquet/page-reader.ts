import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { ColumnMetaData, CompressionCodec, DecodedArray, PageHeader } from 'hyparquet';
import { crc32 } from 'node:zlib';
import type { RandomAccess } from '../../sources/seekable-source.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { decompressBlock, maxBlockBytes, type BlockCompression } from '../decompress.ts';
import { checkLevels, checkRuns, levelWidth } from './check-runs.ts';
import type { ParquetLeaf } from './parquet-schema.ts';

/** The values of a page, and the levels that determine which are null or repeated. Without levels, no value is null. */
export interface ParquetPage {
  readonly count: number;
  readonly definition: readonly number[];
  readonly repetition: readonly number[];
  /** The values, or their indexes in the dictionary. */
  readonly values: DecodedArray;
  readonly isDictionary: boolean;
}

const compressions: Readonly<Partial<Record<CompressionCodec, BlockCompression>>> = {
  SNAPPY: 'snappy',
  GZIP: 'gzip',
  BROTLI: 'brotli',
  ZSTD: 'zstd',
  LZ4_RAW: 'lz4',
};

/** The bytes that are read first for the header of a page. If they are too few, more are read, up to the maximum. */
const headerBytes = 4096;
const maxHeaderBytes = 16_000_000;
/** The maximum values of one page. */
const maxPageValues = 50_000_000;

/** Reads the pages of one column of a row group, one after another. */
export function createPageReader(file: RandomAccess, leaf: ParquetLeaf, metadata: ColumnMetaData) {
  const start = Number(startOf(metadata));
  const end = start + Number(metadata.total_compressed_size);
  if (!(start >= 4 && end <= file.size && end >= start)) {
    throw new DamagedFile('a column is outside of the file');
  }
  const decoder: Parameters<typeof readDataPage>[2] = {
    pathInSchema: metadata.path_in_schema,
    type: metadata.type,
    element: leaf.element,
    schemaPath: [...leaf.path],
    codec: metadata.codec,
    parsers: DEFAULT_PARSERS,
    compressors: {
      [metadata.codec]: (bytes: Uint8Array, size: number) => decompress(metadata.codec, bytes, size),
    },
  };
  let offset = start;
  let dictionary: DecodedArray | undefined;

  function readHeader(): PageHeader {
    for (let length = headerBytes; ; length *= 8) {
      const bytes = file.readAt(offset, Math.min(length, end - offset));
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
      try {
        const header = parquetHeader(reader);
        offset += reader.offset;
        return header;
      } catch (error) {
        if (length >= maxHeaderBytes || offset + length >= end) throw error;
      }
    }
  }

  function readBody({
    compressed_page_size: size,
    uncompressed_page_size: whole,
    crc,
  }: PageHeader): Uint8Array {
    if (
      !(size >= 0 && size <= maxBlockBytes && offset + size <= end && whole >= 0 && whole <= maxBlockBytes)
    ) {
      throw new DamagedFile(`a page has ${String(size)} bytes, which is more than its column`);
    }
    const bytes = ownBytes(file.readAt(offset, size));
    if (bytes.length < size) throw new DamagedFile('a page is cut off');
    if (crc !== undefined && crc32(bytes) !== crc >>> 0)
      throw new DamagedFile('the checksum of a page differs');
    offset += size;
    return bytes;
  }

  function readDictionary(header: PageHeader, body: Uint8Array): void {
    const count = header.dictionary_page_header?.num_values ?? -1;
    checkCount(count);
    const page = decompress(metadata.codec, body, header.uncompressed_page_size);
    const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: 0 };
    dictionary = readPlain(reader, metadata.type, count, leaf.element.type_length);
  }

  function readData(header: PageHeader, body: Uint8Array): ParquetPage | undefined {
    const first = header.data_page_header;
    const second = header.data_page_header_v2;
    const count = first?.num_values ?? second?.num_values;
    if (count === undefined) return undefined;
    checkCount(count);
    refuseOldLevels(header, leaf);
    const encoding = first?.encoding ?? second?.encoding;
    const isDictionary = encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY';
    const page = first === undefined ? body : decompress(metadata.codec, body, header.uncompressed_page_size);
    checkPage(page, header, leaf, isDictionary);
    const { definitionLevels, repetitionLevels, dataPage } =
      first === undefined ? readDataPageV2(page, header, decoder) : readDataPage(page, first, decoder);
    if (isDictionary && dictionary === undefined) throw new DamagedFile('a dictionary is missing');
    return {
      count,
      definition: definitionLevels ?? [],
      repetition: repetitionLevels,
      values: dataPage,
      isDictionary,
    };
  }

  return {
    dictionary: (): DecodedArray => dictionary ?? [],
    /** Returns the next page with values; undefined after the last one. */
    next(): ParquetPage | undefined {
      while (offset < end) {
        const header = readHeader();
        const body = readBody(header);
        if (header.type === 'DICTIONARY_PAGE') readDictionary(header, body);
        else if (header.type !== 'INDEX_PAGE') {
          const page = readData(header, body);
          if (page === undefined) throw new DamagedFile('a page has no header for its kind');
          if (page.count > 0) return page;
        }
      }
      return undefined;
    },
  };
}

/** Returns the offset of the first page of a column, which is the dictionary if there is one. */
function startOf({ dictionary_page_offset: dictionary, data_page_offset: data }: ColumnMetaData): bigint {
  return dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data;
}

/** Copies bytes to a buffer of their own, so that a wrong count in a page cannot make the decoder read other data. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

function decompress(codec: CompressionCodec, bytes: Uint8Array, size: number): Uint8Array {
  if (codec === 'UNCOMPRESSED') return bytes;
  if (codec === 'LZ4') return ownBytes(decompressHadoop(bytes, size));
  const compression = compressions[codec];
  if (compression === undefined) {
    throw new UnsupportedFile(`its compression ${codec} is not supported. Write it with zstd or snappy.`);
  }
  return ownBytes(decompressBlock(compression, bytes, size));
}

/** Decompresses LZ4 of old files: either blocks, each with two sizes before it, or one block without sizes. */
function decompressHadoop(bytes: Uint8Array, size: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let from = 0;
  let total = 0;
  while (from + 8 <= bytes.length) {
    const whole = view.getUint32(from);
    const length = view.getUint32(from + 4);
    if (from + 8 + length > bytes.length || total + whole > size) break;
    parts.push(decompressBlock('lz4', bytes.subarray(from + 8, from + 8 + length), whole));
    from += 8 + length;
    total += whole;
  }
  if (from !== bytes.length || total !== size) return decompressBlock('lz4', bytes, size);
  return Buffer.concat(parts, size);
}

function checkCount(count: number): void {
  if (count >= 0 && count <= maxPageValues) return;
  throw new DamagedFile(`a page says that it has ${String(count)} values`);
}

/** Rejects the deprecated encoding of levels that the first writers used. */
function refuseOldLevels({ data_page_header: header }: PageHeader, leaf: ParquetLeaf): void {
  const isOld =
    (header?.definition_level_encoding === 'BIT_PACKED' && leaf.maxDefinition > 0) ||
    (header?.repetition_level_encoding === 'BIT_PACKED' && leaf.maxRepetition > 0);
  if (isOld) {
    throw new UnsupportedFile(
      'its levels are in the encoding BIT_PACKED, which is not supported. Write it anew.',
    );
  }
}

/** Checks the runs of a page before they are decoded, because the decoder might not end on damaged runs. */
function checkPage(
  page: Uint8Array,
  { data_page_header: first, data_page_header_v2: second }: PageHeader,
  { maxDefinition, maxRepetition }: ParquetLeaf,
  isDictionary: boolean,
): void {
  const count = first?.num_values ?? second?.num_values ?? 0;
  const sizes = [second?.repetition_levels_byte_length, second?.definition_levels_byte_length];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  let from = 0;
  for (const [index, max] of [maxRepetition, maxDefinition].entries()) {
    const size = sizes[index];
    if (max === 0) {
      from += size ?? 0;
      continue;
    }
    const start = size === undefined ? from + 4 : from;
    const end = start + (size ?? view.getUint32(from, true));
    checkLevels(page, { from: start, end, width: levelWidth(max), count });
    from = end;
  }
  // In data pages of version 2, the values may be compressed separately from the levels.
  if (first === undefined || !isDictionary || from >= page.length) return;
  const width = view.getUint8(from);
  // With a width of 0, all values are the first one of the dictionary.
  if (width > 0) checkRuns(page, { from: from + 1, end: page.length, width, count });
}
