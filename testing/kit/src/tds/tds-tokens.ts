/** The parts of messages of the protocol TDS 7.4, as in Microsoft's document MS-TDS. */

export type TdsValue = string | number | boolean | Buffer | null;

export interface TdsColumn {
  name: string;
  type: 'nvarchar' | 'int' | 'bigint' | 'bit' | 'varbinary';
}

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** A text after its length in one byte. */
const shortText = (text: string): Buffer => Buffer.concat([Buffer.of(text.length), utf16(text)]);

/** Whether a connection is encrypted, as the protocol numbers it. */
export const encryption = { on: 1, notSupported: 2, required: 3 } as const;

export const preloginResponse = (chosen: (typeof encryption)[keyof typeof encryption]): Buffer => {
  const version = Buffer.of(16, 0, 0, 0, 0, 0);
  const optionsLength = 11;
  return Buffer.concat([
    Buffer.of(0, 0, optionsLength, 0, version.length),
    Buffer.of(1, 0, optionsLength + version.length, 0, 1),
    Buffer.of(0xff),
    version,
    Buffer.of(chosen),
  ]);
};

const token = (kind: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(kind), uint16(content.length), content]);

export const loginToken = (): Buffer =>
  token(
    0xad,
    Buffer.concat([Buffer.of(1, 0x74, 0, 0, 4), shortText('Microsoft SQL Server'), Buffer.of(16, 0, 0, 0)]),
  );

export const errorToken = (number: number, message: string): Buffer =>
  token(
    0xaa,
    Buffer.concat([
      uint32(number),
      Buffer.of(1, 14),
      uint16(message.length),
      utf16(message),
      shortText('test'),
      shortText(''),
      uint32(1),
    ]),
  );

export const doneToken = (rows: number, { isError = false } = {}): Buffer =>
  Buffer.concat([Buffer.of(0xfd), uint16(isError ? 2 : 0x10), uint16(0xc1), uint64(BigInt(rows))]);

const collation = Buffer.of(0x09, 0x04, 0xd0, 0x00, 0x34);
const typeInfo = {
  nvarchar: Buffer.concat([Buffer.of(0xe7), uint16(0xffff), collation]),
  int: Buffer.of(0x26, 4),
  bigint: Buffer.of(0x26, 8),
  bit: Buffer.of(0x68, 1),
  varbinary: Buffer.concat([Buffer.of(0xa5), uint16(8000)]),
} as const;

export const columnTokens = (columns: readonly TdsColumn[]): Buffer =>
  Buffer.concat([
    Buffer.of(0x81),
    uint16(columns.length),
    ...columns.flatMap(({ name, type }) => [uint32(0), uint16(1), typeInfo[type], shortText(name)]),
  ]);

/** A text of any length, in one chunk. */
const longText = (value: string): Buffer => {
  const bytes = utf16(value);
  return Buffer.concat([uint64(BigInt(bytes.length)), uint32(bytes.length), bytes, uint32(0)]);
};

const signed = (value: bigint, length: 4 | 8): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return Buffer.concat([Buffer.of(length), bytes.subarray(0, length)]);
};

const valueOf: Record<TdsColumn['type'], (value: TdsValue) => Buffer> = {
  nvarchar: (value) => (value === null ? uint64(0xffff_ffff_ffff_ffffn) : longText(String(value))),
  int: (value) => (value === null ? Buffer.of(0) : signed(BigInt(String(value)), 4)),
  bigint: (value) => (value === null ? Buffer.of(0) : signed(BigInt(String(value)), 8)),
  bit: (value) => (value === null ? Buffer.of(0) : Buffer.of(1, value === true ? 1 : 0)),
  varbinary: (value) =>
    Buffer.isBuffer(value) ? Buffer.concat([uint16(value.length), value]) : uint16(0xffff),
};

export const rowToken = (columns: readonly TdsColumn[], row: readonly TdsValue[]): Buffer =>
  Buffer.concat([Buffer.of(0xd1), ...columns.map(({ type }, index) => valueOf[type](row[index] ?? null))]);
