import { DamagedFile } from '../damaged-file.ts';
import type { OrcStream } from './orc-stream.ts';

/** The next value of a stream. */
export type Next<Value> = () => Value;

/** Reads run-length encoded bytes. */
export function readBytes(stream: OrcStream): Next<number> {
  let left = 0;
  let isRun = false;
  let value = 0;
  return () => {
    if (left === 0) {
      const control = stream.byte();
      isRun = control < 128;
      left = isRun ? control + 3 : 256 - control;
      if (isRun) value = stream.byte();
    }
    left--;
    return isRun ? value : stream.byte();
  };
}

/** Reads bits, the highest bit of each byte first. */
export function readBits(stream: OrcStream): Next<boolean> {
  const next = readBytes(stream);
  let byte = 0;
  let left = 0;
  return () => {
    if (left === 0) {
      byte = next();
      left = 8;
    }
    left--;
    return ((byte >> left) & 1) === 1;
  };
}

/** A number of any size, stored with seven bits in each byte, the lowest first. */
export function readVarint(stream: OrcStream): bigint {
  let small = 0;
  let factor = 1;
  for (let index = 0; index < 7; index++) {
    const byte = stream.byte();
    small += (byte & 0x7f) * factor;
    if (byte < 0x80) return BigInt(small);
    factor *= 128;
  }
  let value = BigInt(small);
  for (let shift = 49n; shift < 300n; shift += 7n) {
    const byte = stream.byte();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw new DamagedFile('a number has too many bytes');
}

/** Decodes a signed number, which is stored as 0, -1, 1, -2, 2 and so on. */
export const zigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);

/** Reads integers in the run-length encoding of version 1. */
function readRuns1(stream: OrcStream, isSigned: boolean): Next<bigint> {
  const literal = (): bigint => {
    const value = readVarint(stream);
    return isSigned ? zigzag(value) : value;
  };
  let left = 0;
  let isRun = false;
  let value = 0n;
  let delta = 0n;
  return () => {
    if (left === 0) {
      const control = stream.byte();
      isRun = control < 128;
      left = isRun ? control + 3 : 256 - control;
      if (isRun) {
        delta = BigInt((stream.byte() << 24) >> 24);
        value = literal() - delta;
      }
    }
    left--;
    if (!isRun) return literal();
    value = BigInt.asIntN(64, value + delta);
    return value;
  };
}

/** The bits of a value, by their code in version 2. */
const widths = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 28, 30, 32, 40,
  48, 56, 64,
];
const widthOf = (code: number): number => widths[code] ?? 64;

/** Reads numbers of `width` bits each, the highest bit first, up to the end of a byte. */
function readPacked(stream: OrcStream, width: number, count: number): bigint[] {
  const values: bigint[] = [];
  let bits = 0n;
  let have = 0n;
  const size = BigInt(width);
  for (let index = 0; index < count; index++) {
    while (have < size) {
      bits = (bits << 8n) | BigInt(stream.byte());
      have += 8n;
    }
    have -= size;
    values.push(bits >> have);
    bits &= (1n << have) - 1n;
  }
  return values;
}

function readBigEndian(stream: OrcStream, length: number): bigint {
  let value = 0n;
  for (let index = 0; index < length; index++) value = (value << 8n) | BigInt(stream.byte());
  return value;
}

/** Reads integers in the run-length encoding of version 2. A run has up to 512 values and is read as a whole. */
function readRuns2(stream: OrcStream, isSigned: boolean): Next<bigint> {
  let values: readonly bigint[] = [];
  let at = 0;
  const decode = (value: bigint): bigint => (isSigned ? zigzag(value) : value);

  function readRun(): readonly bigint[] {
    const first = stream.byte();
    const code = (first >> 1) & 0x1f;
    if (first >> 6 === 0) {
      const value = decode(readBigEndian(stream, ((first >> 3) & 7) + 1));
      return Array.from({ length: (first & 7) + 3 }, () => value);
    }
    const count = (((first & 1) << 8) | stream.byte()) + 1;
    switch (first >> 6) {
      case 1:
        return readPacked(stream, widthOf(code), count).map(decode);
      case 2:
        return readPatched(stream, widthOf(code), count);
      default:
        return readDeltas(count, code === 0 ? 0 : widthOf(code));
    }
  }

  function readDeltas(count: number, width: number): bigint[] {
    let value = decode(readVarint(stream));
    const delta = zigzag(readVarint(stream));
    const run = [value];
    if (count > 1) run.push((value += delta));
    const rest = Math.max(0, count - 2);
    const steps = width === 0 ? [] : readPacked(stream, width, rest);
    for (let index = 0; index < rest; index++) {
      const step = steps[index];
      if (step === undefined) value += delta;
      else value += delta < 0n ? -step : step;
      run.push(value);
    }
    return run.map((item) => BigInt.asIntN(64, item));
  }

  return () => {
    if (at === values.length) {
      values = readRun();
      at = 0;
    }
    return values[at++] ?? 0n;
  };
}

/** Values stored as differences from a base. The few values that need more bits have them in a list of patches. */
function readPatched(stream: OrcStream, width: number, count: number): bigint[] {
  const third = stream.byte();
  const fourth = stream.byte();
  const baseBytes = (third >> 5) + 1;
  const patchWidth = widthOf(third & 0x1f);
  const gapWidth = (fourth >> 5) + 1;
  const sign = 1n << BigInt(baseBytes * 8 - 1);
  const raw = readBigEndian(stream, baseBytes);
  const base = (raw & sign) === 0n ? raw : -(raw & (sign - 1n));
  const values = readPacked(stream, width, count);
  const entryWidth = widths.find((size) => size >= patchWidth + gapWidth) ?? 64;
  let place = 0;
  for (const entry of readPacked(stream, entryWidth, fourth & 0x1f)) {
    place += Number(entry >> BigInt(patchWidth));
    const patch = entry & ((1n << BigInt(patchWidth)) - 1n);
    const value = values[place];
    if (value === undefined) throw new DamagedFile('a run of numbers has a patch outside of it');
    values[place] = value | (patch << BigInt(width));
  }
  return values.map((value) => BigInt.asIntN(64, base + value));
}

/** Reads integers in the run-length encoding of a version. */
export const readIntegers = (stream: OrcStream, isSigned: boolean, version: 1 | 2): Next<bigint> =>
  version === 1 ? readRuns1(stream, isSigned) : readRuns2(stream, isSigned);
