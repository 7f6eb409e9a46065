import type { SchemaElement } from 'hyparquet/src/types.js';
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

/** How the values of a column become JSON. */
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
  type: 'decimal',
  json: (value) => decimalJson(value instanceof Uint8Array ? bigIntOf(value) : integerOf(value), scale),
});

const timestamp = (unit: TimeUnit, isInstant: boolean): ValueType => ({
  type: 'text',
  json: (value) => timestampJson(integerOf(value), unit, isInstant),
});

const time = (unit: TimeUnit): ValueType => ({
  type: 'text',
  json: (value) => timeJson(integerOf(value), unit),
});

/** Days of the Julian calendar before 1970. */
const julianDays = 2_440_588n;
const nanosecondsOfDay = 86_400_000_000_000n;

/** Twelve bytes: nanoseconds of the day and a Julian day. */
const oldTimestamp: ValueType = {
  type: 'text',
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

/** @throws UnsupportedFile for a type that values of the column cannot have */
export function valueTypeOf(element: SchemaElement): ValueType {
  const found = annotatedType(element) ?? convertedType(element) ?? physicalType(element);
  if (found !== undefined) return found;
  const kind = element.logical_type?.type ?? element.converted_type ?? element.type ?? 'without name';
  throw new UnsupportedFile(
    `its column ${JSON.stringify(element.name)} has the type ${kind}, which is not supported. Cast it to text and write the file anew.`,
  );
}

function annotatedType({ logical_type: logical, type }: SchemaElement): ValueType | undefined {
  const isBytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
  switch (logical?.type) {
    case 'STRING':
    case 'ENUM':
    case 'JSON':
      return isBytes ? text : undefined;
    case 'UUID':
      return isBytes ? { type: 'text', json: (value) => uuidJson(bytesOf(value)) } : undefined;
    case 'FLOAT16':
      return isBytes ? half : undefined;
    case 'DECIMAL':
      return decimal(logical.scale);
    case 'DATE':
      return { type: 'text', json: (value) => dateJson(Number(integerOf(value))) };
    case 'TIME':
      return time(units[logical.unit] ?? 'microsecond');
    case 'TIMESTAMP':
      return timestamp(units[logical.unit] ?? 'microsecond', logical.isAdjustedToUTC);
    case 'INTEGER':
      return integer(logical.bitWidth, logical.isSigned);
    default:
      return undefined;
  }
}

function convertedType({ converted_type: converted, scale = 0, type }: SchemaElement): ValueType | undefined {
  const isBytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
  switch (converted) {
    case 'UTF8':
    case 'ENUM':
    case 'JSON':
      return isBytes ? text : undefined;
    case 'DECIMAL':
      return decimal(scale);
    case 'DATE':
      return { type: 'text', json: (value) => dateJson(Number(integerOf(value))) };
    case 'TIME_MILLIS':
      return time('millisecond');
    case 'TIME_MICROS':
      return time('microsecond');
    case 'TIMESTAMP_MILLIS':
      return timestamp('millisecond', true);
    case 'TIMESTAMP_MICROS':
      return timestamp('microsecond', true);
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
      return integer(32, false);
    case 'UINT_64':
      return integer(64, false);
    case 'INTERVAL':
      return isBytes ? interval : undefined;
    default:
      return undefined;
  }
}

function physicalType({ type }: SchemaElement): ValueType | undefined {
  switch (type) {
    case 'BOOLEAN':
      return { type: 'boolean', json: (value) => (value === true ? 'true' : 'false') };
    case 'INT32':
      return integer(32, true);
    case 'INT64':
      return integer(64, true);
    case 'INT96':
      return oldTimestamp;
    case 'FLOAT':
    case 'DOUBLE':
      return float;
    case 'BYTE_ARRAY':
    case 'FIXED_LEN_BYTE_ARRAY':
      return binary;
    default:
      return undefined;
  }
}
