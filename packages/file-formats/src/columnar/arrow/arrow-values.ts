import {
  DataType,
  DateUnit,
  IntervalUnit,
  Precision,
  UnionMode,
  type Data,
  type Field,
  type Vector,
} from 'apache-arrow';
import { distinctNames } from '../../columns/choose-columns.ts';
import { quoteText } from '../../rows/quote-text.ts';
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
import { extensionOf } from './arrow-types.ts';

/** Returns the value at an index as JSON. */
export type ArrowReader = (index: number) => string;

type OnProblem = (problem: string) => void;
type Numbers = ArrayLike<bigint | number>;

const timeUnits: readonly TimeUnit[] = ['second', 'millisecond', 'microsecond', 'nanosecond'];

const at = <Value>(values: ArrayLike<Value>, index: number): Value => {
  const value = values[index];
  if (value === undefined) throw new DamagedFile('a column has fewer values than rows');
  return value;
};

/** Reads the values of an array of a record batch. */
export function createArrowReader(field: Field, data: Data, onProblem: OnProblem): ArrowReader {
  const read = checked(readerOf(field, data, onProblem), onProblem);
  const nullBitmap = data.nullBitmap as Uint8Array | undefined;
  if (nullBitmap === undefined || nullBitmap.length === 0) return read;
  return (index) => ((at(nullBitmap, index >> 3) >> (index & 7)) & 1 ? read(index) : 'null');
}

/** Reports a value that cannot be stored, so that its row is rejected, and returns null. */
const checked =
  (read: ArrowReader, onProblem: OnProblem): ArrowReader =>
  (index) => {
    try {
      return read(index);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      onProblem(error.message);
      return 'null';
    }
  };

function readerOf(field: Field, data: Data, onProblem: OnProblem): ArrowReader {
  const { type } = data;
  return (
    readerOfNumbers(type, data) ??
    readerOfTimes(type, data) ??
    readerOfBytes(field, type, data) ??
    readerOfNested(type, data, onProblem) ??
    unsupported(field)
  );
}

function unsupported(field: Field): never {
  throw new UnsupportedFile(
    `its column ${JSON.stringify(field.name)} has the type ${String(field.type)}, which is not supported. Cast it to text and write the file anew.`,
  );
}

function readerOfNumbers(type: DataType, data: Data): ArrowReader | undefined {
  const values = data.values as unknown as Numbers;
  if (DataType.isNull(type)) return () => 'null';
  if (DataType.isBool(type))
    return (index) => ((Number(at(values, index >> 3)) >> (index & 7)) & 1 ? 'true' : 'false');
  if (DataType.isInt(type)) return (index) => String(at(values, index));
  if (DataType.isFloat(type)) {
    if (type.precision === Precision.HALF)
      return (index) => floatJson(halfToDouble(Number(at(values, index))));
    return (index) => floatJson(Number(at(values, index)));
  }
  if (DataType.isDecimal(type)) {
    const read = bytesAt(data, type.bitWidth / 8);
    return (index) => decimalJson(bigIntOf(read(index).toReversed()), type.scale);
  }
  return undefined;
}

function readerOfTimes(type: DataType, data: Data): ArrowReader | undefined {
  const values = data.values as unknown as Numbers;
  if (DataType.isDate(type)) {
    if (type.unit === DateUnit.DAY) return (index) => dateJson(Number(at(values, index)));
    return (index) => {
      const days = Number(at(values, index)) / 86_400_000;
      if (!Number.isInteger(days)) throw new ValueError('a date of it has a time.');
      return dateJson(days);
    };
  }
  if (DataType.isTime(type)) return (index) => timeJson(at(values, index), unitOf(type.unit));
  if (DataType.isTimestamp(type)) {
    const isInstant = typeof type.timezone === 'string' && type.timezone !== '';
    return (index) => timestampJson(at(values, index), unitOf(type.unit), isInstant);
  }
  if (DataType.isDuration(type)) return (index) => spanJson(0, 0, at(values, index), unitOf(type.unit));
  return DataType.isInterval(type) ? readerOfIntervals(type.unit, data) : undefined;
}

function readerOfIntervals(unit: IntervalUnit, data: Data): ArrowReader {
  const bytes = data.values as Uint8Array;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (unit) {
    case IntervalUnit.YEAR_MONTH:
      return (index) => spanJson(view.getInt32(index * 4, true), 0, 0, 'second');
    case IntervalUnit.DAY_TIME:
      return (index) =>
        spanJson(0, view.getInt32(index * 8, true), view.getInt32(index * 8 + 4, true), 'millisecond');
    case IntervalUnit.MONTH_DAY_NANO:
      return (index) =>
        spanJson(
          view.getInt32(index * 16, true),
          view.getInt32(index * 16 + 4, true),
          view.getBigInt64(index * 16 + 8, true),
          'nanosecond',
        );
  }
}

const unitOf = (unit: number): TimeUnit => timeUnits[unit] ?? 'nanosecond';

/** Values of a fixed number of bytes. */
function bytesAt(data: Data, width: number): (index: number) => Uint8Array {
  const { buffer, byteOffset, byteLength } = data.values as Uint8Array;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return (index) => {
    const value = bytes.subarray(index * width, (index + 1) * width);
    if (value.length !== width) throw new DamagedFile('a column has fewer values than rows');
    return value;
  };
}

function readerOfBytes(field: Field, type: DataType, data: Data): ArrowReader | undefined {
  if (DataType.isFixedSizeBinary(type)) {
    const read = bytesAt(data, type.byteWidth);
    const json = extensionOf(field) === 'arrow.uuid' ? uuidJson : base64Json;
    return (index) => json(read(index));
  }
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) {
    const read = viewedBytes(data);
    const json = DataType.isUtf8View(type) ? textJson : base64Json;
    return (index) => json(read(index));
  }
  const isText = DataType.isUtf8(type) || DataType.isLargeUtf8(type);
  if (!isText && !DataType.isBinary(type) && !DataType.isLargeBinary(type)) return undefined;
  const bytes = data.values as Uint8Array;
  const range = rangesOf(data, bytes.length);
  const json = isText ? textJson : base64Json;
  return (index) => json(bytes.subarray(...range(index)));
}

/** Where the values of each list or text begin and end. */
function rangesOf(data: Data, length: number): (index: number) => [start: number, end: number] {
  const offsets = data.valueOffsets as unknown as Numbers;
  return (index) => {
    const start = Number(at(offsets, index));
    const end = Number(at(offsets, index + 1));
    if (start < 0 || end < start || end > length) throw new DamagedFile('a value is outside of its column');
    return [start, end];
  };
}

/** Values of up to twelve bytes are stored in their views, longer ones in separate buffers. */
function viewedBytes(data: Data): (index: number) => Uint8Array {
  const views = bytesAt(data, 16);
  return (index) => {
    const bytes = views(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
    const length = view.getInt32(0, true);
    if (length >= 0 && length <= 12) return bytes.subarray(4, 4 + length);
    const start = view.getInt32(12, true);
    const value = at(data.variadicBuffers, view.getInt32(8, true)).subarray(start, start + length);
    if (start < 0 || value.length !== length) throw new DamagedFile('a value is outside of its column');
    return value;
  };
}

function readerOfNested(type: DataType, data: Data, onProblem: OnProblem): ArrowReader | undefined {
  if (DataType.isDictionary(type)) return dictionaryReader(type.dictionary as DataType, data, onProblem);
  if (DataType.isStruct(type)) return structReader(type.children, data, onProblem);
  if (DataType.isMap(type)) return mapReader(type.children[0], data, onProblem);
  if (DataType.isUnion(type)) {
    const readers = type.children.map((child, index) =>
      createArrowReader(child, childOf(data, index), onProblem),
    );
    const places = type.typeIdToChildIndex as Readonly<Record<number, number>>;
    return (index) => {
      const read = readers[places[at(data.typeIds as Int8Array, index)] ?? -1];
      if (read === undefined) throw new DamagedFile('a value is outside of a union');
      return read(type.mode === UnionMode.Dense ? at(data.valueOffsets as Int32Array, index) : index);
    };
  }
  const isList = DataType.isList(type) || DataType.isLargeList(type);
  if (!isList && !DataType.isFixedSizeList(type)) return undefined;
  const child = childOf(data, 0);
  const read = createArrowReader(firstOf(type.children), child, onProblem);
  const range = isList ? rangesOf(data, child.length) : fixedRanges(type.listSize, child.length);
  return (index) => `[${itemsOf(range(index), read).join(',')}]`;
}

const itemsOf = ([start, end]: [number, number], read: ArrowReader): string[] => {
  const items: string[] = [];
  for (let index = start; index < end; index++) items.push(read(index));
  return items;
};

const fixedRanges =
  (size: number, length: number) =>
  (index: number): [number, number] => {
    if ((index + 1) * size > length) throw new DamagedFile('a column has fewer values than rows');
    return [index * size, (index + 1) * size];
  };

const childOf = ({ children }: Data, index: number): Data => {
  const child = children[index];
  if (child === undefined) throw new DamagedFile('a column has no values');
  return child;
};

const firstOf = (fields: readonly Field[]): Field => {
  const [first] = fields;
  if (first === undefined) throw new DamagedFile('a list has no type');
  return first;
};

function structReader(fields: readonly Field[], data: Data, onProblem: OnProblem): ArrowReader {
  const names = distinctNames(fields.map(({ name }) => name));
  const readers = fields.map((field, index) => {
    const read = createArrowReader(field, childOf(data, index), onProblem);
    return (at: number) => `${quoteText(names[index] ?? '')}:${read(at)}`;
  });
  return (index) => `{${readers.map((read) => read(index)).join(',')}}`;
}

/** Maps with text keys become objects; other maps become lists of pairs. */
function mapReader(entries: Field | undefined, data: Data, onProblem: OnProblem): ArrowReader {
  const child = childOf(data, 0);
  const [key, value] = (entries?.type.children as Field[] | null) ?? [];
  if (key === undefined || value === undefined) throw new DamagedFile('a map has no keys');
  const readKey = createArrowReader(key, childOf(child, 0), onProblem);
  const readValue = createArrowReader(value, childOf(child, 1), onProblem);
  const range = rangesOf(data, child.length);
  if (!DataType.isUtf8(key.type) && !DataType.isLargeUtf8(key.type) && !DataType.isUtf8View(key.type)) {
    const readPair: ArrowReader = (index) => `{"key":${readKey(index)},"value":${readValue(index)}}`;
    return (index) => `[${itemsOf(range(index), readPair).join(',')}]`;
  }
  return (index) => {
    const keys = new Set<string>();
    const pairs = itemsOf(range(index), (place) => {
      const name = readKey(place);
      if (keys.has(name))
        onProblem(`a map has the key ${name.slice(0, 40)} twice, and only one value could be kept.`);
      if (name === 'null') onProblem('a map has a key that is null.');
      keys.add(name);
      return `${name}:${readValue(place)}`;
    });
    return `{${pairs.join(',')}}`;
  };
}

/** Each value of the dictionary is converted to JSON once, when it is first used. */
function dictionaryReader(type: DataType, data: Data, onProblem: OnProblem): ArrowReader {
  const indices = data.values as unknown as Numbers;
  const chunks = ((data.dictionary as Vector | undefined)?.data ?? []) as readonly Data[];
  const texts: string[] = [];
  const field = { name: '', type, metadata: new Map<string, string>() } as unknown as Field;
  let isGood = true;
  const readers = chunks.map((chunk) => ({
    length: chunk.length,
    read: createArrowReader(field, chunk, (problem) => {
      isGood = false;
      onProblem(problem);
    }),
  }));
  return (index) => {
    const place = Number(at(indices, index));
    const known = texts[place];
    if (known !== undefined) return known;
    let rest = place;
    const chunk = readers.find(({ length }) => rest < length || ((rest -= length), false));
    if (chunk === undefined || rest < 0) throw new DamagedFile('a value is outside of its dictionary');
    isGood = true;
    const json = chunk.read(rest);
    if (isGood) texts[place] = json;
    return json;
  };
}
