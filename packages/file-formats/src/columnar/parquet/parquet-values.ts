import type { ParquetType, SchemaElement } from 'hyparquet';
import type { Column } from '../../file-format.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { dateJson, spanJson, timeJson, timestampJson, type TimeUnit } from '../time-json.ts';
import {
  base64Json,
  bigIntOf,
  decimalJson,
  floatJson,
  halfToDouble,
  textJson,
  uuidJson,
  ValueError,
} from '../value-json.ts';

/** How to convert the values of a column to JSON. */
export interface ValueType {
  readonly type: Column['type'];
  /** @param value of the physical type. @throws ValueError when it cannot be stored as it is */
  json(value: unknown): string;
}

const units: Readonly<Record<string, TimeUnit>> = {
  MILLIS: 'millisecond',
  MICROS: 'microsecond',
  NANOS: 'nanosecond',
};

const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw new DamagedFile('a value is missing');
};

const integerOf = (value: unknown): bigint | number => {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  throw new DamagedFile('a value is missing');
};

const binary: ValueType = { type: 'text', json: (value) => base64Json(bytesOf(value)) };
const text: ValueType = { type: 'text', json: (value) => textJson(bytesOf(value)) };
const uuid: ValueType = { type: 'text', json: (value) => uuidJson(bytesOf(value)) };
const date: ValueType = { type: 'date', json: (value) => dateJson(Number(integerOf(value))) };
const float: ValueType = { type: 'number', json: (value) => floatJson(Number(integerOf(value))) };

const integer = (bits: number, isSigned: boolean): ValueType => ({
  type: 'integer',
  json: isSigned
    ? (value) => String(integerOf(value))
    : bits === 64
      ? (value) => String(BigInt.asUintN(64, BigInt(integerOf(value))))
      : (value) => String(Number(integerOf(value)) >>> 0),
});

const decimal = (scale: number): ValueType => ({
  type: 'number',
  json: (value) => decimalJson(value instanceof Uint8Array ? bigIntOf(value) : integerOf(value), scale),
});

const timestamp = (unit: TimeUnit, isInstant: boolean): ValueType => ({
  type: 'timestamp',
  json: (value) => timestampJson(integerOf(value), unit, isInstant),
});

const time = (unit: TimeUnit): ValueType => ({
  type: 'text',
  json: (value) => timeJson(integerOf(value), unit),
});

/** The Julian day number of 1970-01-01. */
const julianDays = 2_440_588n;
const nanosecondsOfDay = 86_400_000_000_000n;

/** INT96: nanoseconds of the day, then a Julian day number. */
const oldTimestamp: ValueType = {
  type: 'timestamp',
  json: (value) => {
    const bits = BigInt(integerOf(value));
    const days = BigInt.asIntN(32, bits >> 64n) - julianDays;
    const nanoseconds = BigInt.asIntN(64, bits);
    if (nanoseconds < 0n || nanoseconds > nanosecondsOfDay) {
      throw new ValueError('a time of it is not within a day.');
    }
    return timestampJson(days * nanosecondsOfDay + nanoseconds, 'nanosecond', false);
  },
};

/** Months, days and milliseconds, each of four bytes. */
const interval: ValueType = {
  type: 'text',
  json: (value) => {
    const bytes = bytesOf(value);
    if (bytes.length !== 12) throw new DamagedFile('an interval has not 12 bytes');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return spanJson(view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true), 'millisecond');
  },
};

const half: ValueType = {
  type: 'number',
  json: (value) => {
    const [low = 0, high = 0] = bytesOf(value);
    return floatJson(halfToDouble(low | (high << 8)));
  },
};

/**
 * Returns how to convert the values of a leaf.
 * @throws UnsupportedFile for a combination of types that is unsupported
 */
export function valueTypeOf(element: SchemaElement): ValueType {
  const physical = element.type === undefined ? undefined : physicalTypes[element.type];
  const found = annotatedType(element) ?? convertedType(element) ?? physical;
  if (found !== undefined) return found;
  const kind = element.logical_type?.type ?? element.converted_type ?? element.type ?? 'without name';
  throw new UnsupportedFile(
    `its column ${JSON.stringify(element.name)} has the type ${kind}, which is not supported. Cast it to text and write the file anew.`,
  );
}

/** Byte types, by annotation. Other annotations do not change the value. */
const byteTypes: Readonly<Partial<Record<string, ValueType>>> = {
  STRING: text,
  UTF8: text,
  ENUM: text,
  JSON: text,
  UUID: uuid,
  FLOAT16: half,
  INTERVAL: interval,
};

/** Integer types, by the annotation of older files. */
const convertedTypes: Readonly<Partial<Record<string, ValueType>>> = {
  DATE: date,
  TIME_MILLIS: time('millisecond'),
  TIME_MICROS: time('microsecond'),
  TIMESTAMP_MILLIS: timestamp('millisecond', true),
  TIMESTAMP_MICROS: timestamp('microsecond', true),
  UINT_8: integer(32, false),
  UINT_16: integer(32, false),
  UINT_32: integer(32, false),
  UINT_64: integer(64, false),
};

const physicalTypes: Readonly<Record<ParquetType, ValueType>> = {
  BOOLEAN: { type: 'boolean', json: (value) => (value === true ? 'true' : 'false') },
  INT32: integer(32, true),
  INT64: integer(64, true),
  INT96: oldTimestamp,
  FLOAT: float,
  DOUBLE: float,
  BYTE_ARRAY: binary,
  FIXED_LEN_BYTE_ARRAY: binary,
};

function annotatedType({ logical_type: logical, type }: SchemaElement): ValueType | undefined {
  if (logical === undefined) return undefined;
  if (logical.type === 'DECIMAL') return decimal(logical.scale);
  if (logical.type === 'DATE') return date;
  if (logical.type === 'TIME') return time(units[logical.unit] ?? 'microsecond');
  if (logical.type === 'TIMESTAMP') {
    return timestamp(units[logical.unit] ?? 'microsecond', logical.isAdjustedToUTC);
  }
  if (logical.type === 'INTEGER') return integer(logical.bitWidth, logical.isSigned);
  return isBytes(type) ? byteTypes[logical.type] : undefined;
}

function convertedType({ converted_type: converted, scale = 0, type }: SchemaElement): ValueType | undefined {
  if (converted === undefined) return undefined;
  if (converted === 'DECIMAL') return decimal(scale);
  return isBytes(type) ? byteTypes[converted] : convertedTypes[converted];
}

const isBytes = (type: ParquetType | undefined): boolean =>
  type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
