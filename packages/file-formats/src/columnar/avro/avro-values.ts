import type { Column } from '../../file-format.ts';
import { quoteText } from '../../rows/quote-text.ts';
import { DamagedFile } from '../damaged-file.ts';
import { dateJson, spanJson, timeJson, timestampJson, type TimeUnit } from '../time-json.ts';
import {
  base64Json,
  bigIntOf,
  decimalJson,
  floatJson,
  textJson,
  uuidJson,
  ValueError,
} from '../value-json.ts';
import type { AvroBytes } from './avro-bytes.ts';
import type { AvroType } from './avro-schema.ts';

/** Reads a value and returns it as JSON. */
export type AvroReader = (bytes: AvroBytes) => string;

/** The maximum values of one list or map. */
const maxItems = 10_000_000;
/** The maximum nesting depth of values. */
const maxDepth = 1000;

const units: Readonly<Record<string, TimeUnit>> = {
  millis: 'millisecond',
  micros: 'microsecond',
  nanos: 'nanosecond',
};

/** The JSON kind of the values of a type, for types whose values do not show it. */
export const jsonKind = (type: AvroType): Column['type'] => {
  if (type.kind === 'union') {
    const [only, ...more] = type.branches.filter(({ name }) => name !== 'null');
    return only === undefined || more.length > 0 ? 'json' : jsonKind(only);
  }
  if (type.kind === 'enum') return 'text';
  if (type.kind !== 'primitive' && type.kind !== 'fixed') return 'json';
  const logical = String(type.attributes['logicalType']);
  if (logical === 'decimal') return decimalScale(type.attributes) === undefined ? 'text' : 'number';
  if (type.kind === 'fixed') return 'text';
  if (logical === 'date') return type.name === 'int' ? 'date' : 'text';
  if (/^(local-)?timestamp-/.test(logical) && type.name === 'long') return 'timestamp';
  if (logical.startsWith('time-')) return 'text';
  switch (type.name) {
    case 'int':
    case 'long':
      return 'integer';
    case 'float':
    case 'double':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'json';
    default:
      return 'text';
  }
};

/** The scale of a decimal. An annotation with an impossible scale is ignored. */
function decimalScale(attributes: Readonly<Record<string, unknown>>): number | undefined {
  const { precision, scale = 0 } = attributes;
  if (typeof precision !== 'number' || typeof scale !== 'number') return undefined;
  return Number.isInteger(scale) && scale >= 0 && scale <= precision ? scale : undefined;
}

/** @param onProblem called with the reason when the row cannot be stored */
export function createAvroReaders(maxNesting: number, onProblem: (problem: string) => void) {
  const records = new Map<AvroType, AvroReader>();
  let depth = 0;

  /** Reports a value that cannot be stored to `onProblem` and returns null, so that reading continues. */
  const checked =
    <Value>(read: (bytes: AvroBytes) => Value, json: (value: Value) => string): AvroReader =>
    (bytes) => {
      const value = read(bytes);
      try {
        return json(value);
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        onProblem(error.message);
        return 'null';
      }
    };

  const nested =
    (read: AvroReader): AvroReader =>
    (bytes) => {
      if (++depth > maxNesting) {
        onProblem(`its values are nested more than ${String(maxNesting)} deep.`);
        if (depth > maxDepth) throw new DamagedFile(`values are nested more than ${String(maxDepth)} deep`);
      }
      const json = read(bytes);
      depth--;
      return json;
    };

  function readerOf(type: AvroType): AvroReader {
    switch (type.kind) {
      case 'primitive':
        return primitiveReader(type.name, type.attributes);
      case 'fixed':
        return fixedReader(type.size, type.attributes);
      case 'enum': {
        const texts = type.symbols.map(quoteText);
        return (bytes) => texts[bytes.int()] ?? outside('an enum');
      }
      case 'record':
        return recordReader(type);
      case 'array': {
        const read = readerOf(type.items);
        return nested((bytes) => `[${readItems(bytes, () => read(bytes)).join(',')}]`);
      }
      case 'map':
        return mapReader(readerOf(type.items));
      case 'union':
        return unionReader(type.branches);
    }
  }

  function primitiveReader(name: string, attributes: Readonly<Record<string, unknown>>): AvroReader {
    const logical = attributes['logicalType'];
    const [, local, kind, unit = ''] =
      /^(local-)?(time|timestamp)-(millis|micros|nanos)$/.exec(typeof logical === 'string' ? logical : '') ??
      [];
    const timeUnit = units[unit];
    switch (name) {
      case 'null':
        return () => 'null';
      case 'boolean':
        return (bytes) => (bytes.byte() === 0 ? 'false' : 'true');
      case 'int':
        if (logical === 'date') return checked((bytes) => bytes.int(), dateJson);
        if (logical === 'time-millis')
          return checked(
            (bytes) => bytes.int(),
            (value) => timeJson(value, 'millisecond'),
          );
        return (bytes) => String(bytes.int());
      case 'long':
        if (timeUnit === undefined) return (bytes) => String(bytes.long());
        if (kind === 'timestamp') {
          return checked(
            (bytes) => bytes.long(),
            (value) => timestampJson(value, timeUnit, local === undefined),
          );
        }
        return checked(
          (bytes) => bytes.long(),
          (value) => timeJson(value, timeUnit),
        );
      case 'float':
        return (bytes) => floatJson(bytes.float());
      case 'double':
        return (bytes) => floatJson(bytes.double());
      case 'string':
        return checked((bytes) => bytes.bytes(), textJson);
      default:
        return checked((bytes) => bytes.bytes(), bytesJson(attributes));
    }
  }

  function fixedReader(size: number, attributes: Readonly<Record<string, unknown>>): AvroReader {
    const logical = attributes['logicalType'];
    const read = (bytes: AvroBytes): Uint8Array => bytes.fixed(size);
    if (logical === 'uuid' && size === 16) return checked(read, uuidJson);
    if (logical === 'duration' && size === 12) {
      return checked(read, (value) => {
        const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
        return spanJson(
          view.getUint32(0, true),
          view.getUint32(4, true),
          view.getUint32(8, true),
          'millisecond',
        );
      });
    }
    return checked(read, bytesJson(attributes));
  }

  function recordReader(type: AvroType & { kind: 'record' }): AvroReader {
    const known = records.get(type);
    if (known !== undefined) return known;
    let fields: { key: string; read: AvroReader }[] = [];
    const read = nested((bytes) => `{${fields.map((field) => field.key + field.read(bytes)).join(',')}}`);
    // Set this before reading the fields, because a record may contain itself.
    records.set(type, read);
    fields = type.fields.map((field) => ({ key: `${quoteText(field.name)}:`, read: readerOf(field.type) }));
    return read;
  }

  function mapReader(read: AvroReader): AvroReader {
    const readKey = checked((bytes) => bytes.bytes(), textJson);
    return nested((bytes) => {
      const keys = new Set<string>();
      const pairs = readItems(bytes, () => {
        const key = readKey(bytes);
        if (keys.has(key))
          onProblem(`a map has the key ${key.slice(0, 40)} twice, and only one value could be kept.`);
        keys.add(key);
        return `${key}:${read(bytes)}`;
      });
      return `{${pairs.join(',')}}`;
    });
  }

  /** Branches with the same JSON form are distinguished by their names, as in Avro's JSON encoding. */
  function unionReader(branches: readonly AvroType[]): AvroReader {
    const kinds = branches.map((branch) => unionKind(branch));
    const readers = branches.map((branch, index): AvroReader => {
      const read = readerOf(branch);
      const isAlone = kinds.filter((kind) => kind === kinds[index]).length === 1 || kinds[index] === 'number';
      if (isAlone) return read;
      const key = quoteText(branch.name);
      return (bytes) => `{${key}:${read(bytes)}}`;
    });
    return (bytes) => (readers[bytes.int()] ?? outside('a union'))(bytes);
  }

  return { readerOf };
}

const outside = (what: string): never => {
  throw new DamagedFile(`a value is outside of ${what}`);
};

const bytesJson = (attributes: Readonly<Record<string, unknown>>): ((value: Uint8Array) => string) => {
  const scale = attributes['logicalType'] === 'decimal' ? decimalScale(attributes) : undefined;
  return scale === undefined ? base64Json : (value) => decimalJson(bigIntOf(value), scale);
};

/** The kind of JSON value that a branch of a union has. */
function unionKind(type: AvroType): string {
  switch (type.kind) {
    case 'record':
    case 'map':
      return 'object';
    case 'array':
      return 'list';
    case 'enum':
    case 'fixed':
    case 'primitive':
    case 'union': {
      const kind = jsonKind(type);
      if (kind === 'integer') return 'number';
      if (kind === 'date' || kind === 'timestamp') return 'text';
      return type.name === 'null' ? 'null' : kind;
    }
  }
}

/** Lists and maps are stored in blocks; each block begins with its count. */
function readItems(bytes: AvroBytes, read: () => string): string[] {
  const items: string[] = [];
  for (;;) {
    let count = bytes.count();
    if (count === 0) return items;
    if (count < 0) {
      count = -count;
      bytes.count();
    }
    if (items.length + count > maxItems)
      throw new DamagedFile(`a list has more than ${String(maxItems)} values`);
    for (let index = 0; index < count; index++) items.push(read());
  }
}
