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
  /** A key that an object of the value has twice. */
  duplicateKey: string | undefined;
  /** Objects and lists within each other. */
  nesting: number;
  /** Whether the value is an object with this key at its top. */
  hasWantedKey: boolean;
}

export interface JsonScanner {
  readonly value: ScannedValue;
  /**
   * Reads the value that begins at `from`, which is no white space, into `value`.
   * @param isLast whether nothing follows the text
   * @returns false when the value may continue after the text
   * @throws JsonSyntaxError when it is no JSON, by RFC 8259
   */
  scan(text: string, from: number, isLast: boolean): boolean;
}

const quote = 0x22;
const backslash = 0x5c;

/** Thrown when the text ends inside a value. One shared object is enough, because it has no details. */
const textEnded = new Error('The text ends within a JSON value.');

/** Keys of an object up to this number are compared one by one. */
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
  /** The keys of each open object, undefined for a list. */
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

  /** Leaves `at` on the last character of the escape. */
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

  /** Reads a value up to its end, or into it when it is an object or a list that is not empty. */
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

  /** After a value: goes to the next one, or closes what is complete. Returns false when everything is closed. */
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
