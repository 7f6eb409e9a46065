import {
  kinds,
  overflowCode,
  numberFlags,
  numberValue,
  quoteString,
  textBit,
  parseTimestampMicros,
  tokenText,
  type Kind,
  type NumberFlag,
  type NumberValue,
} from '@redoubt/query';
import {
  fail,
  compactText,
  readNumber,
  readString,
  readWord,
  skipSpace,
  createJsonCursor,
  type JsonCursor,
} from './json-cursor.ts';
import { recordKind, type PathRegistry, type PathNode } from './path-registry.ts';

/** The parts of the row of a record: JSON texts and lists in the format of the engine, without their brackets. */
export interface RecordParts {
  raw: string;
  doc: string;
  fields: string;
  words: string;
  looseCode: string;
  looseText: string;
  looseNumber: string;
  timePath: string;
  timeMicros: string;
}

/**
 * Why a record must be parsed again: from another text, or, after `conflicting-values`, without carried values.
 */
export type RereadReason = 'duplicate-keys' | 'internal-keys' | 'conflicting-values';

/** The prefix of internal top-level keys. */
export const internalPrefix = '_koverse_';

/** Thrown to stop parsing at an internal key, so that the key does not become a path. */
const internalKeyMet = new Error('The record has an internal key.');

export interface RecordReader {
  /**
   * Parses one record into `parts`.
   * @param carries whether the row gets the words, times and overflow values of carried paths from the record that it
   *   replaces; `parts` then lack them
   * @returns why the record must be parsed again from another text; `parts` are then invalid
   * @throws JsonSyntaxError if it is not valid JSON
   */
  read(text: string, carries?: boolean): RereadReason | undefined;
  readonly parts: RecordParts;
}

/**
 * Creates a reader that parses records one after another. Numbers keep their source texts.
 * @param book collects the paths of the records
 */
export function createRecordReader(book: PathRegistry): RecordReader {
  const cursor: JsonCursor = { text: '', at: 0, raw: '', rawFrom: 0, escaped: false };
  const parts: RecordParts = emptyParts();
  let record = 0;
  let objects = 0;
  let hasDuplicates = false;
  let carriesValues = false;
  let hasConflict = false;

  function readMembers(parent: PathNode | undefined, inArray: boolean): void {
    const object = ++objects;
    cursor.at++;
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) === 0x7d) {
      cursor.at++;
      return;
    }
    for (;;) {
      if (cursor.text.charCodeAt(cursor.at) !== 0x22) fail(cursor, 'a key in quotes');
      const key = readString(cursor);
      skipSpace(cursor);
      if (cursor.text.charCodeAt(cursor.at) !== 0x3a) fail(cursor, '":" after a key');
      cursor.at++;
      skipSpace(cursor);
      if (parent === undefined && key.startsWith(internalPrefix)) throw internalKeyMet;
      const node = parent === undefined ? book.top(key) : book.child(parent, key);
      if (node.seenIn === object) hasDuplicates = true;
      node.seenIn = object;
      readValue(node, inArray);
      skipSpace(cursor);
      const next = cursor.text.charCodeAt(cursor.at++);
      if (next === 0x7d) return;
      if (next !== 0x2c) {
        cursor.at--;
        fail(cursor, '"," or "}"');
      }
      skipSpace(cursor);
    }
  }

  function readElements(node: PathNode): void {
    cursor.at++;
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) === 0x5d) {
      cursor.at++;
      return;
    }
    for (;;) {
      readValue(node, true);
      skipSpace(cursor);
      const next = cursor.text.charCodeAt(cursor.at++);
      if (next === 0x5d) return;
      if (next !== 0x2c) {
        cursor.at--;
        fail(cursor, '"," or "]"');
      }
      skipSpace(cursor);
    }
  }

  function readValue(node: PathNode, inArray: boolean): void {
    switch (cursor.text.charCodeAt(cursor.at)) {
      case 0x22:
        readText(node, inArray);
        return;
      case 0x7b:
        if (!inArray) note(node, kinds.object);
        readMembers(node, inArray);
        return;
      case 0x5b:
        if (!inArray) note(node, kinds.array);
        readElements(node);
        return;
      case 0x74:
        readWord(cursor, 'true');
        readBoolean(node, 'true', inArray);
        return;
      case 0x66:
        readWord(cursor, 'false');
        readBoolean(node, 'false', inArray);
        return;
      case 0x6e:
        readWord(cursor, 'null');
        note(node, kinds.null);
        return;
      default:
        readNumeric(node, inArray);
    }
  }

  function note(node: PathNode, kind: Kind | NumberFlag): void {
    parts.fields += recordKind(node, kind, record);
  }

  /** Whether `doc` can store a value of this kind; otherwise the columns for overflow values do. */
  function takesDoc({ entry }: PathNode, inArray: boolean): boolean {
    if (inArray || entry.docKey === '') return false;
    if (entry.docIn === record) {
      // Which of the two values is an overflow value depends on their order, which may have changed.
      if (entry.isCarried) hasConflict = true;
      return false;
    }
    entry.docIn = record;
    return true;
  }

  const isCarried = ({ entry }: PathNode): boolean => carriesValues && entry.isCarried;

  function addLoose(node: PathNode, kind: Kind, text: string, number: string): void {
    note(node, kinds.element);
    parts.looseCode += `${String(overflowCode(node.entry.id, kind))},`;
    parts.looseText += `${quoted(text)},`;
    parts.looseNumber += number;
  }

  function readText(node: PathNode, inArray: boolean): void {
    const { entry } = node;
    const from = cursor.at;
    const text = readString(cursor);
    const isSound = !cursor.escaped || text.isWellFormed();
    const micros = parseTimestampMicros(text);
    const carried = isCarried(node);
    if (!carried) {
      parts.words += entry.textMark + tokenText(text);
      entry.kinds |= textBit(text);
      if (micros !== undefined) {
        parts.timePath += `${String(entry.id)},`;
        parts.timeMicros += `${String(micros)},`;
      }
    }
    const kind = micros === undefined ? kinds.text : kinds.timestamp;
    if (takesDoc(node, inArray)) {
      note(node, kind);
      parts.doc += `${entry.docKey}${isSound ? cursor.text.slice(from, cursor.at) : JSON.stringify(text.toWellFormed())},`;
    } else if (carried) {
      note(node, kinds.element);
    } else {
      addLoose(node, kind, text.toWellFormed(), 'NULL,');
    }
  }

  function readBoolean(node: PathNode, word: string, inArray: boolean): void {
    const carried = isCarried(node);
    if (!carried) parts.words += `${node.entry.textMark}${word} `;
    if (takesDoc(node, inArray)) {
      note(node, kinds.boolean);
      parts.doc += `${node.entry.docKey}${word},`;
    } else if (carried) {
      note(node, kinds.element);
    } else {
      addLoose(node, kinds.boolean, word, 'NULL,');
    }
  }

  function readNumeric(node: PathNode, inArray: boolean): void {
    const source = readNumber(cursor);
    const kind = numberKind(source);
    const carried = isCarried(node);
    if (!carried) {
      const isPlain = kind === kinds.integer && source.charCodeAt(0) !== 0x2d;
      parts.words += node.entry.numberMark + (isPlain ? `${source} ` : tokenText(source));
    }
    if (!inArray) {
      const mark = numberFlags(source, kind);
      if (mark !== undefined) note(node, mark);
    }
    if (kind !== kinds.big && takesDoc(node, inArray)) {
      note(node, kind);
      parts.doc += `${node.entry.docKey}${source === '-0' ? '0' : source},`;
      return;
    }
    if (kind === kinds.big && !inArray) note(node, kind);
    if (carried) {
      note(node, kinds.element);
      return;
    }
    const value = numberValue(source);
    addLoose(node, kind, value.text, `${floatLiteral(value.float)},`);
  }

  return {
    parts,
    read(text, carries = false) {
      clear(parts);
      record++;
      hasDuplicates = false;
      hasConflict = false;
      carriesValues = carries;
      createJsonCursor(cursor, text);
      try {
        readMembers(undefined, false);
      } catch (error) {
        if (error === internalKeyMet) return 'internal-keys';
        throw error;
      }
      if (cursor.at !== text.length) fail(cursor, 'the end of the record');
      parts.raw = compactText(cursor);
      if (hasDuplicates) return 'duplicate-keys';
      return carries && hasConflict ? 'conflicting-values' : undefined;
    },
  };
}

function clear(parts: RecordParts): void {
  parts.raw = '';
  parts.doc = '';
  parts.fields = '';
  parts.words = '';
  parts.looseCode = '';
  parts.looseText = '';
  parts.looseNumber = '';
  parts.timePath = '';
  parts.timeMicros = '';
}

const emptyParts = (): RecordParts => ({
  raw: '',
  doc: '',
  fields: '',
  words: '',
  looseCode: '',
  looseText: '',
  looseNumber: '',
  timePath: '',
  timeMicros: '',
});

/** A fraction with more characters may be too large for Float64. */
const longestFraction = 300;

/** The kind of a number. Short numbers without an exponent need no further check. */
function numberKind(source: string): NumberValue['kind'] {
  if (source.includes('.')) {
    return source.length <= longestFraction && !/e/i.test(source) ? kinds.float : numberValue(source).kind;
  }
  return source.length <= 15 && !/e/i.test(source) ? kinds.integer : numberValue(source).kind;
}

/** Matches texts that need no escapes, as most do. */
const plainText = /^[ !#-&(-[\]-~]*$/;

const quoted = (text: string): string => (plainText.test(text) ? `'${text}'` : quoteString(text));

const floatLiteral = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? 'inf' : '-inf';
};
