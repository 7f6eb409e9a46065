const tab = 0x09;
const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const dot = 0x2e;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The rest of a hidden path at some place of a record: keys joined with ".". */
interface Rest {
  text: string;
  bytes: Buffer;
}

/** A place in records: what is hidden of it, as paths that go on from here. */
interface Place {
  rests: readonly Rest[];
  /** The places below, by the key. */
  below: Map<string, Place | undefined>;
}

const placeOf = (paths: readonly string[]): Place => ({
  rests: paths.map((text) => ({ text, bytes: Buffer.from(text) })),
  below: new Map(),
});

/** What a key leads to: a hidden value, a place with something hidden in it, or nothing of the kind. */
type Found = Place | 'hidden' | undefined;

/** Takes columns out of records: a hidden path goes with all that is inside it, also where objects stand in lists. */
export interface ColumnStripper {
  /**
   * Rows in the format TSVRaw whose last column is a record, without the columns. The buffer is written over.
   * @param tabs how many columns stand before the record
   */
  rows(rows: Buffer, tabs: number): Buffer;
  /** One record. */
  record(text: string): string;
}

/** @param hidden paths, none of them inside another */
export function createColumnStripper(hidden: readonly string[]): ColumnStripper {
  const root = placeOf(hidden);

  let bytes: Buffer = Buffer.alloc(0);
  let at = 0;
  /** Whether the last text had some. */
  let hasEscapes = false;
  /** What goes: starts and ends in turn, ascending. */
  let cuts: number[] = [];

  function skipString(): void {
    hasEscapes = false;
    for (at++; ; at++) {
      const byte = bytes[at];
      if (byte === quote) break;
      if (byte === backslash) {
        hasEscapes = true;
        at++;
      } else if (byte === undefined) throw new Error('A record ends in the middle of a text.');
    }
    at++;
  }

  function skipValue(): void {
    let depth = 0;
    do {
      const byte = bytes[at];
      if (byte === quote) {
        skipString();
        continue;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) depth--;
      else if (depth === 0) {
        skipScalar();
        return;
      } else if (byte === undefined) throw new Error('A record ends in the middle of a value.');
      at++;
    } while (depth > 0);
  }

  function skipScalar(): void {
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined || byte === comma || byte === closeBrace || byte === closeBracket) return;
      at++;
    }
  }

  function readValue(place: Place): void {
    const byte = bytes[at];
    if (byte === openBrace) readObject(place);
    else if (byte === openBracket) readList(place);
    else skipValue();
  }

  function readList(place: Place): void {
    at++;
    while (bytes[at] !== closeBracket) {
      readValue(place);
      if (bytes[at] === comma) at++;
    }
    at++;
  }

  function readObject(place: Place): void {
    at++;
    let keeps = false;
    while (bytes[at] !== closeBrace) {
      const keyFrom = at;
      skipString();
      const found = findKey(place, keyFrom + 1, at - 1);
      at++;
      if (found === undefined || found === 'hidden') skipValue();
      else readValue(found);
      const isLast = bytes[at] !== comma;
      if (found === 'hidden') {
        // Before anything that stays, the comma after the member goes with it; later the one before it.
        if (keeps) cuts.push(keyFrom - 1, at);
        else cuts.push(keyFrom, isLast ? at : at + 1);
      } else keeps = true;
      if (!isLast) at++;
    }
    at++;
  }

  function findKey(place: Place, from: number, to: number): Found {
    if (hasEscapes) {
      return follow(place, JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as string);
    }
    for (const { bytes: rest } of place.rests) {
      const same = Math.min(rest.length, to - from);
      if (same > 0 && rest[0] !== bytes[from]) continue;
      const after = same < rest.length ? rest[same] : from + same < to ? bytes[from + same] : dot;
      if (after === dot && bytes.compare(rest, 0, same, from, from + same) === 0) {
        return follow(place, bytes.toString('utf8', from, to));
      }
    }
    return undefined;
  }

  function write(target: number, from: number, to: number): number {
    let written = target;
    let start = from;
    for (let index = 0; index < cuts.length; index += 2) {
      const end = cuts[index] ?? to;
      bytes.copyWithin(written, start, end);
      written += end - start;
      start = cuts[index + 1] ?? to;
    }
    if (written !== start) bytes.copyWithin(written, start, to);
    return written + to - start;
  }

  return {
    rows(rows, tabs) {
      bytes = rows;
      let written = 0;
      for (let from = 0; from < rows.length;) {
        at = from;
        for (let left = tabs; left > 0; left--) at = rows.indexOf(tab, at) + 1;
        cuts = [];
        readValue(root);
        if (rows[at] !== newline) throw new Error('A row does not end with its record.');
        written = write(written, from, at + 1);
        from = at + 1;
      }
      return rows.subarray(0, written);
    },
    record(text) {
      bytes = Buffer.from(text);
      at = 0;
      cuts = [];
      readValue(root);
      return bytes.toString('utf8', 0, write(0, 0, bytes.length));
    },
  };
}

function follow(place: Place, key: string): Found {
  if (place.rests.some(({ text }) => key === text || key.startsWith(`${text}.`))) return 'hidden';
  if (place.below.has(key)) return place.below.get(key);
  const rests = place.rests.flatMap(({ text }) =>
    text.startsWith(`${key}.`) ? [text.slice(key.length + 1)] : [],
  );
  if (rests.length === 0) return undefined;
  const below = placeOf(rests);
  place.below.set(key, below);
  return below;
}
