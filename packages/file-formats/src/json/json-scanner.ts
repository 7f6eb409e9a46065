/** Invalid JSON at an offset of the text. */
export class JsonSyntaxError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

export type JsonKind = 'object' | 'list' | 'text' | 'number' | 'boolean' | 'null';

/** The value that was read last. */
export interface ScannedValue {
  kind: JsonKind;
  /** The offset after the value. */
  end: number;
  /** A key that an object in the value has twice; undefined if there is none. */
  duplicateKey: string | undefined;
  /** The depth to which objects and lists are nested. */
  nesting: number;
  /** Whether the value is an object that has the wanted key itself, not in a nested object. */
  hasWantedKey: boolean;
}

export interface JsonScanner {
  readonly value: ScannedValue;
  /**
   * Reads the value that begins at `from` into `value`. There must be no white space at `from`.
   * @param isLast whether nothing follows the text
   * @returns false when the value may continue after the text
   * @throws JsonSyntaxError for text that is not JSON by RFC 8259
   */
  scan(text: string, from: number, isLast: boolean): boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/** Thrown and caught here when the text ends inside a value. One shared object is enough, because it has no details. */
const textEnded = new Error('The text ends within a JSON value.');

/** The keys of an object with up to this many keys are in an array, and those of larger objects in a `Set`. */
const fewKeys = 16;

/** Checks JSON without parsing it into values, so that the text stays as it is. */
export function createJsonScanner(wantedKey: string): JsonScanner {
  const value: ScannedValue = {
    kind: 'null',
    end: 0,
    duplicateKey: undefined,
    nesting: 0,
    hasWantedKey: false,
  };
  let text = '';
  let at = 0;
  let isLast = false;
  /** The open objects and lists, outermost first: the keys of each object, and undefined for a list. */
  const open: (string[] | Set<string> | undefined)[] = [];

  function fail(expected: string): never {
    if (at >= text.length) {
      if (!isLast) throw textEnded;
      throw new JsonSyntaxError(at, `expected ${expected}, but the text ends.`);
    }
    const found = String.fromCodePoint(text.codePointAt(at) ?? 0).toWellFormed();
    throw new JsonSyntaxError(at, `expected ${expected}, found ${JSON.stringify(found)}.`);
  }

  function skipSpace(): number {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
      at++;
    }
  }

  /** Reads a string whose opening quote is at `at`; returns whether it has escapes. */
  function readString(): boolean {
    let hasEscapes = false;
    for (at++; ; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at++;
        return hasEscapes;
      }
      if (code === backslash) {
        hasEscapes = true;
        readEscape();
      } else if (!(code >= 32)) {
        fail('a quote that ends the text, or an escaped control character');
      }
    }
  }

  /** Reads an escape, and leaves `at` on its last character. */
  function readEscape(): void {
    const kind = text.charAt(++at);
    if (kind === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        at++;
        if (!isHexDigit(text.charCodeAt(at))) fail('four hexadecimal digits after "\\u"');
      }
    } else if (kind === '' || !'"\\/bfnrt'.includes(kind)) {
      fail('one of the escapes "\\ / b f n r t u" after a backslash');
    }
  }

  function readDigits(): void {
    const from = at;
    while (isDigit(text.charCodeAt(at))) at++;
    if (at === from) fail('a digit');
  }

  function readNumber(): void {
    if (text.charCodeAt(at) === 0x2d) at++;
    if (text.charCodeAt(at) === 0x30) at++;
    else readDigits();
    if (text.charCodeAt(at) === 0x2e) {
      at++;
      readDigits();
    }
    if ((text.charCodeAt(at) | 32) === 0x65) {
      at++;
      const sign = text.charCodeAt(at);
      if (sign === 0x2b || sign === 0x2d) at++;
      readDigits();
    }
    // The next chunk may contain more digits.
    if (at >= text.length && !isLast) throw textEnded;
  }

  function readWord(word: string): void {
    for (let index = 0; index < word.length; index++, at++) {
      if (text.charCodeAt(at) !== word.charCodeAt(index)) fail(`"${word}"`);
    }
  }

  function readKey(): void {
    if (skipSpace() !== quote) fail('a key in quotes');
    const from = at;
    const hasEscapes = readString();
    addKey(hasEscapes ? (JSON.parse(text.slice(from, at)) as string) : text.slice(from + 1, at - 1));
    if (skipSpace() !== 0x3a) fail('":" after a key');
    at++;
  }

  function addKey(key: string): void {
    const last = open.length - 1;
    const keys = open[last];
    if (keys === undefined) return;
    if (last === 0 && key === wantedKey) value.hasWantedKey = true;
    if (Array.isArray(keys)) {
      if (keys.includes(key)) value.duplicateKey ??= key;
      if (keys.push(key) > fewKeys) open[last] = new Set(keys);
    } else {
      if (keys.has(key)) value.duplicateKey ??= key;
      keys.add(key);
    }
  }

  function enter(keys: string[] | undefined): void {
    at++;
    open.push(keys);
    if (open.length > value.nesting) value.nesting = open.length;
  }

  /** Reads a whole value, or only the start of an object or list that is not empty. */
  function readStart(): { kind: JsonKind; isDone: boolean } {
    switch (skipSpace()) {
      case quote:
        readString();
        return doneKinds.text;
      case 0x7b:
        enter([]);
        if (skipSpace() === 0x7d) return leave(doneKinds.object);
        readKey();
        return openKinds.object;
      case 0x5b:
        enter(undefined);
        return skipSpace() === 0x5d ? leave(doneKinds.list) : openKinds.list;
      case 0x74:
        readWord('true');
        return doneKinds.boolean;
      case 0x66:
        readWord('false');
        return doneKinds.boolean;
      case 0x6e:
        readWord('null');
        return doneKinds.null;
      default: {
        const code = text.charCodeAt(at);
        if (code !== 0x2d && !isDigit(code)) fail('a JSON value');
        readNumber();
        return doneKinds.number;
      }
    }
  }

  function leave<T>(result: T): T {
    at++;
    open.pop();
    return result;
  }

  /**
   * After a value, moves to the next value and closes objects and lists that end. Returns false if none is left open.
   */
  function goOn(): boolean {
    while (open.length > 0) {
      const isObject = open.at(-1) !== undefined;
      const code = skipSpace();
      if (code === 0x2c) {
        at++;
        if (isObject) readKey();
        return true;
      }
      if (code !== (isObject ? 0x7d : 0x5d)) fail(isObject ? '"," or "}"' : '"," or "]"');
      leave(undefined);
    }
    return false;
  }

  function scanAll(): void {
    const first = readStart();
    value.kind = first.kind;
    let { isDone } = first;
    while (!isDone || goOn()) ({ isDone } = readStart());
    value.end = at;
  }

  return {
    value,
    scan(newText, from, last) {
      text = newText;
      at = from;
      isLast = last;
      open.length = 0;
      value.duplicateKey = undefined;
      value.nesting = 0;
      value.hasWantedKey = false;
      try {
        scanAll();
        return true;
      } catch (error) {
        if (error === textEnded) return false;
        throw error;
      }
    },
  };
}

const doneKinds = {
  object: { kind: 'object', isDone: true },
  list: { kind: 'list', isDone: true },
  text: { kind: 'text', isDone: true },
  number: { kind: 'number', isDone: true },
  boolean: { kind: 'boolean', isDone: true },
  null: { kind: 'null', isDone: true },
} as const;

const openKinds = {
  object: { kind: 'object', isDone: false },
  list: { kind: 'list', isDone: false },
} as const;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 32) >= 0x61 && (code | 32) <= 0x66);
