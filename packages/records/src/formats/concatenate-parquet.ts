import {
  parseThrift,
  printThrift,
  type ThriftList,
  type ThriftStruct,
  type ThriftValue,
} from './thrift-compact.ts';
import type { PageConcatenation } from './page-concatenation.ts';

const magic = Buffer.from('PAR1');

/** Field ids of the metadata, from parquet.thrift of Apache Parquet. */
const file = { rows: 3, rowGroups: 4 };
const rowGroup = { columns: 1, fileOffset: 5, ordinal: 7 };
const column = { fileOffset: 2, metadata: 3 };
const columnMetadata = { dataPage: 9, indexPage: 10, dictionaryPage: 11 };

/**
 * Concatenates files with the same schema: their row groups under one footer. The statistics of each row group stay as
 * the engine wrote them, so they describe only the rows of its page.
 */
export function concatenateParquet(): PageConcatenation {
  let written = 0n;
  let footer: ThriftStruct | undefined;
  let ordinal = 0n;

  return {
    add(page) {
      const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
      const footerEnd = bytes.length - 8;
      const footerStart = footerEnd - bytes.readUInt32LE(footerEnd);
      const metadata = parseThrift(bytes.subarray(footerStart, footerEnd));
      const body = bytes.subarray(footer === undefined ? 0 : magic.length, footerStart);
      const moved = footer === undefined ? 0n : written - BigInt(magic.length);
      for (const group of structsOf(listOf(metadata, file.rowGroups))) {
        move(group, rowGroup.fileOffset, moved);
        if (group.fields.has(rowGroup.ordinal)) set(group, rowGroup.ordinal, ordinal++);
        for (const chunk of structsOf(listOf(group, rowGroup.columns))) moveColumn(chunk, moved);
      }
      written += BigInt(body.length);
      if (footer === undefined) footer = metadata;
      else append(footer, metadata);
      return body;
    },
    end() {
      if (footer === undefined)
        throw new Error('A Parquet file needs at least one page, which has the schema.');
      const bytes = printThrift(footer);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([bytes, length, magic]);
    },
  };
}

function append(footer: ThriftStruct, next: ThriftStruct): void {
  listOf(footer, file.rowGroups).values.push(...listOf(next, file.rowGroups).values);
  set(footer, file.rows, wholeOf(footer, file.rows) + wholeOf(next, file.rows));
}

function moveColumn(chunk: ThriftStruct, by: bigint): void {
  move(chunk, column.fileOffset, by);
  const metadata = chunk.fields.get(column.metadata)?.value;
  if (!isStruct(metadata)) throw new Error('A column of a Parquet file must have metadata, got none.');
  for (const id of Object.values(columnMetadata)) move(metadata, id, by);
}

/** An offset of 0 means that the part is absent. */
function move(struct: ThriftStruct, id: number, by: bigint): void {
  const before = struct.fields.get(id)?.value;
  if (typeof before === 'bigint' && before !== 0n) set(struct, id, before + by);
}

function set(struct: ThriftStruct, id: number, value: bigint): void {
  const field = struct.fields.get(id);
  if (field !== undefined) field.value = value;
}

const isStruct = (value: ThriftValue | undefined): value is ThriftStruct =>
  typeof value === 'object' && 'kind' in value && value.kind === 'struct';

const structsOf = ({ values }: ThriftList): ThriftStruct[] => values.filter(isStruct);

function listOf(struct: ThriftStruct, id: number): ThriftList {
  const value = struct.fields.get(id)?.value;
  if (typeof value !== 'object' || !('kind' in value) || value.kind !== 'list') {
    throw new Error(`The metadata of a Parquet file must have the list ${String(id)}, got none.`);
  }
  return value;
}

function wholeOf(struct: ThriftStruct, id: number): bigint {
  const value = struct.fields.get(id)?.value;
  return typeof value === 'bigint' ? value : 0n;
}
