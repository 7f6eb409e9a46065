import { distinctNames } from '../../columns/choose-columns.ts';
import { quoteText } from '../../rows/quote-text.ts';
import { DamagedFile } from '../damaged-file.ts';
import { dateJson, secondsJson } from '../time-json.ts';
import { base64Json, decimalJson, floatJson, textJson, ValueError } from '../value-json.ts';
import type { OrcColumn, OrcType } from './orc-file.ts';
import { readBits, readBytes, readIntegers, readVarint, zigzag, type Next } from './orc-runs.ts';
import type { OrcStream } from './orc-stream.ts';
import type { ZoneOffset } from './orc-zones.ts';

/** The columns of a stripe and their streams, as the readers of values use them. */
export interface OrcStripeReader {
  column(column: number): OrcColumn;
  /** Opens a stream of a column. */
  open(column: OrcColumn, kind: number): OrcStream;
  readonly zone: ZoneOffset;
  onProblem(problem: string): void;
}

const streamKinds = { present: 0, data: 1, length: 2, dictionary: 3, secondary: 5 } as const;
/** 2015-01-01, the epoch of ORC timestamps. */
const firstSeconds = 1_420_070_400;
/** The maximum values of one list or map. */
const maxItems = 10_000_000;

/** Reads the values of a column one after another, as JSON. */
export function createOrcReader(type: OrcType, stripe: OrcStripeReader): Next<string> {
  const column = stripe.column(type.column);
  const read = checked(readerOf(type, column, stripe), stripe);
  if (!column.streams.has(streamKinds.present)) return read;
  const isPresent = readBits(stripe.open(column, streamKinds.present));
  return () => (isPresent() ? read() : 'null');
}

/** Reports a value that cannot be stored, so that its row is rejected, and returns null, so that reading continues. */
const checked =
  (read: Next<string>, { onProblem }: OrcStripeReader): Next<string> =>
  () => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      onProblem(error.message);
      return 'null';
    }
  };

function readerOf(type: OrcType, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const open = (kind: number): OrcStream => stripe.open(column, kind);
  const { version } = column;
  switch (type.kind) {
    case 'boolean': {
      const next = readBits(open(streamKinds.data));
      return () => (next() ? 'true' : 'false');
    }
    case 'byte': {
      const next = readBytes(open(streamKinds.data));
      return () => String((next() << 24) >> 24);
    }
    case 'short':
    case 'int':
    case 'long': {
      const next = readIntegers(open(streamKinds.data), true, version);
      return () => String(next());
    }
    case 'float': {
      const stream = open(streamKinds.data);
      return () => floatJson(viewOf(stream.bytes(4)).getFloat32(0, true));
    }
    case 'double': {
      const stream = open(streamKinds.data);
      return () => floatJson(viewOf(stream.bytes(8)).getFloat64(0, true));
    }
    case 'string':
    case 'varchar':
    case 'char':
      return column.isDictionary ? dictionaryReader(column, stripe) : textReader(column, stripe, textJson);
    case 'binary':
      return textReader(column, stripe, base64Json);
    case 'date': {
      const next = readIntegers(open(streamKinds.data), true, version);
      return () => dateJson(Number(next()));
    }
    case 'timestamp':
    case 'instant':
      return timeReader(type.kind === 'instant', column, stripe);
    case 'decimal':
      return decimalReader(type.scale, column, stripe);
    case 'struct':
      return structReader(type, stripe);
    case 'list':
      return listReader(type, column, stripe);
    case 'map':
      return mapReader(type, column, stripe);
    case 'union':
      return unionReader(type, column, stripe);
  }
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Lengths and counts. */
function readLengths(column: OrcColumn, stripe: OrcStripeReader): Next<number> {
  const next = readIntegers(stripe.open(column, streamKinds.length), false, column.version);
  return () => {
    const length = Number(next());
    if (!(length >= 0 && length <= 2 ** 31))
      throw new DamagedFile(`a value says that it has ${String(length)} bytes`);
    return length;
  };
}

function textReader(
  column: OrcColumn,
  stripe: OrcStripeReader,
  json: (bytes: Uint8Array) => string,
): Next<string> {
  const nextLength = readLengths(column, stripe);
  const data = column.streams.has(streamKinds.data) ? stripe.open(column, streamKinds.data) : undefined;
  const none = new Uint8Array(0);
  return () => {
    const length = nextLength();
    if (length === 0) return json(none);
    if (data === undefined) throw new DamagedFile('a column has no values');
    return json(data.bytes(length));
  };
}

/** Each value of the dictionary is converted to JSON once, when it is first used. */
function dictionaryReader(column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const { dictionarySize } = column;
  const next = readIntegers(stripe.open(column, streamKinds.data), false, column.version);
  let values: Uint8Array[] | undefined;
  const texts: string[] = [];
  const load = (): Uint8Array[] => {
    const nextLength = readLengths(column, stripe);
    const hasData = column.streams.has(streamKinds.dictionary);
    const data = hasData ? stripe.open(column, streamKinds.dictionary).rest() : new Uint8Array(0);
    const loaded: Uint8Array[] = [];
    let at = 0;
    for (let index = 0; index < dictionarySize; index++) {
      const end = at + nextLength();
      if (end > data.length) throw new DamagedFile('a dictionary is cut off');
      loaded.push(data.subarray(at, end));
      at = end;
    }
    return loaded;
  };
  return () => {
    values ??= load();
    const place = Number(next());
    const known = texts[place];
    if (known !== undefined) return known;
    const value = values[place];
    if (value === undefined) throw new DamagedFile('a value is outside of its dictionary');
    return (texts[place] = textJson(value));
  };
}

/** Decodes nanoseconds. They are stored without trailing zeros, whose number is in the lowest three bits. */
const nanosecondsOf = (bits: bigint): number => {
  const value = BigInt.asIntN(64, bits);
  const zeros = Number(value & 7n);
  return Number(value >> 3n) * (zeros === 0 ? 1 : 10 ** (zeros + 1));
};

/** Timestamps without a zone are local times of the writer; instants are in UTC. */
function timeReader(isInstant: boolean, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const nextSeconds = readIntegers(stripe.open(column, streamKinds.data), true, column.version);
  const nextNanoseconds = readIntegers(stripe.open(column, streamKinds.secondary), false, column.version);
  const offset: ZoneOffset = isInstant ? () => 0 : stripe.zone;
  const start = firstSeconds - offset(firstSeconds);
  return () => {
    const moment = Number(nextSeconds()) + start;
    const nanoseconds = nanosecondsOf(nextNanoseconds());
    if (Math.abs(nanoseconds) > 999_999_999)
      throw new DamagedFile('a time has more than a second of nanoseconds');
    const local = moment + offset(moment);
    // Files that Arrow writes can have negative nanoseconds.
    if (nanoseconds < 0) return secondsJson(local - 1, nanoseconds + 1_000_000_000, isInstant);
    // Writers round the seconds of a time before 1970 up, so one second is subtracted.
    return secondsJson(local < 0 && nanoseconds > 999_999 ? local - 1 : local, nanoseconds, isInstant);
  };
}

function decimalReader(scale: number, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const data = stripe.open(column, streamKinds.data);
  const nextScale = readIntegers(stripe.open(column, streamKinds.secondary), true, column.version);
  return () => {
    const unscaled = zigzag(readVarint(data));
    const own = Number(nextScale());
    if (Math.abs(own) > 1000 || scale > 1000)
      throw new DamagedFile(`a number has ${String(own)} digits behind its point`);
    return own < scale
      ? decimalJson(unscaled * 10n ** BigInt(scale - own), scale)
      : decimalJson(unscaled, own);
  };
}

function structReader({ fields }: OrcType, stripe: OrcStripeReader): Next<string> {
  const names = distinctNames(fields.map(({ name }) => name));
  const readers = fields.map(({ type }, index) => {
    const read = createOrcReader(type, stripe);
    const key = `${quoteText(names[index] ?? '')}:`;
    return () => key + read();
  });
  return () => `{${readers.map((read) => read()).join(',')}}`;
}

const itemsOf = (count: number, read: Next<string>): string[] => {
  if (count > maxItems) throw new DamagedFile(`a list has more than ${String(maxItems)} values`);
  return Array.from({ length: count }, read);
};

const childOf = ({ fields }: OrcType, index: number): OrcType => {
  const child = fields[index]?.type;
  if (child === undefined) throw new DamagedFile('a list or map has no type');
  return child;
};

function listReader(type: OrcType, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const nextLength = readLengths(column, stripe);
  const read = createOrcReader(childOf(type, 0), stripe);
  return () => `[${itemsOf(nextLength(), read).join(',')}]`;
}

/** Maps with text keys become objects; other maps become lists of pairs. */
function mapReader(type: OrcType, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const nextLength = readLengths(column, stripe);
  const key = childOf(type, 0);
  const readKey = createOrcReader(key, stripe);
  const readValue = createOrcReader(childOf(type, 1), stripe);
  if (!['string', 'varchar', 'char'].includes(key.kind)) {
    const readPair = (): string => `{"key":${readKey()},"value":${readValue()}}`;
    return () => `[${itemsOf(nextLength(), readPair).join(',')}]`;
  }
  return () => {
    const keys = new Set<string>();
    const pairs = itemsOf(nextLength(), () => {
      const name = readKey();
      if (keys.has(name)) {
        stripe.onProblem(`a map has the key ${name.slice(0, 40)} twice, and only one value could be kept.`);
      }
      if (name === 'null') stripe.onProblem('a map has a key that is null.');
      keys.add(name);
      return `${name}:${readValue()}`;
    });
    return `{${pairs.join(',')}}`;
  };
}

function unionReader({ fields }: OrcType, column: OrcColumn, stripe: OrcStripeReader): Next<string> {
  const nextTag = readBytes(stripe.open(column, streamKinds.data));
  const readers = fields.map(({ type }) => createOrcReader(type, stripe));
  return () => {
    const read = readers[nextTag()];
    if (read === undefined) throw new DamagedFile('a value is outside of a union');
    return read();
  };
}
