/**
 * A value of the compact protocol of Apache Thrift; see thrift-compact-protocol.md in its repository. The metadata of a
 * Parquet file is parsed to a tree of such values, changed and printed again.
 */
export type ThriftValue = bigint | boolean | Buffer | ThriftList | ThriftStruct;

export interface ThriftList {
  kind: 'list';
  elementType: number;
  values: ThriftValue[];
}

export interface ThriftStruct {
  kind: 'struct';
  /** The fields by id, in ascending order. */
  fields: Map<number, { type: number; value: ThriftValue }>;
}

const types = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
};

interface Cursor {
  bytes: Buffer;
  at: number;
}

const readByte = (cursor: Cursor): number => cursor.bytes.readUInt8(cursor.at++);

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = readByte(cursor);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

const readInteger = (cursor: Cursor): bigint => {
  const value = readVarint(cursor);
  return (value >> 1n) ^ -(value & 1n);
};

function take(cursor: Cursor, length: number): Buffer {
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  return bytes;
}

function readValue(cursor: Cursor, type: number): ThriftValue {
  switch (type) {
    case types.true:
    case types.false:
      return type === types.true;
    case types.byte:
      return BigInt(readByte(cursor));
    case types.i16:
    case types.i32:
    case types.i64:
      return readInteger(cursor);
    case types.double:
      return take(cursor, 8);
    case types.binary:
      return take(cursor, Number(readVarint(cursor)));
    case types.list:
    case types.set:
      return readList(cursor);
    case types.struct:
      return readStruct(cursor);
    default:
      throw new Error(
        `The metadata of a Parquet file must have known Thrift types, got the type ${String(type)}.`,
      );
  }
}

function readList(cursor: Cursor): ThriftList {
  const head = readByte(cursor);
  const size = head >> 4 === 15 ? Number(readVarint(cursor)) : head >> 4;
  const elementType = head & 15;
  const isBoolean = elementType === types.true || elementType === types.false;
  const values = Array.from({ length: size }, () =>
    isBoolean ? readByte(cursor) === types.true : readValue(cursor, elementType),
  );
  return { kind: 'list', elementType, values };
}

function readStruct(cursor: Cursor): ThriftStruct {
  const fields: ThriftStruct['fields'] = new Map();
  let id = 0;
  for (;;) {
    const head = readByte(cursor);
    if (head === 0) return { kind: 'struct', fields };
    id = head >> 4 === 0 ? Number(readInteger(cursor)) : id + (head >> 4);
    fields.set(id, { type: head & 15, value: readValue(cursor, head & 15) });
  }
}

export const parseThrift = (bytes: Buffer): ThriftStruct => readStruct({ bytes, at: 0 });

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

const integer = (value: bigint): Buffer => varint(value >= 0n ? value << 1n : (-value << 1n) - 1n);

function valueBytes(type: number, value: ThriftValue): Buffer {
  if (typeof value === 'bigint') return type === types.byte ? Buffer.from([Number(value)]) : integer(value);
  if (typeof value === 'boolean') return Buffer.alloc(0);
  if (Buffer.isBuffer(value)) {
    return type === types.double ? value : Buffer.concat([varint(BigInt(value.length)), value]);
  }
  return value.kind === 'list' ? listBytes(value) : printThrift(value);
}

function listBytes({ elementType, values }: ThriftList): Buffer {
  const size = values.length < 15 ? values.length : 15;
  return Buffer.concat([
    Buffer.from([(size << 4) | elementType]),
    ...(size === 15 ? [varint(BigInt(values.length))] : []),
    ...values.map((value) =>
      typeof value === 'boolean'
        ? Buffer.from([value ? types.true : types.false])
        : valueBytes(elementType, value),
    ),
  ]);
}

export function printThrift({ fields }: ThriftStruct): Buffer {
  const parts: Buffer[] = [];
  let before = 0;
  for (const [id, { type, value }] of fields) {
    const step = id - before;
    const isShort = step > 0 && step <= 15;
    parts.push(Buffer.from([((isShort ? step : 0) << 4) | type]));
    if (!isShort) parts.push(integer(BigInt(id)));
    parts.push(valueBytes(type, value));
    before = id;
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}
