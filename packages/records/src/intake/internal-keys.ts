import { JsonSyntaxError } from './json-cursor.ts';
import { internalPrefix } from './record-reader.ts';

/** A record without its internal keys, and the id that one of them contained. */
export interface StrippedRecord {
  /** The text of the record without its top-level keys that begin with `_koverse_`, otherwise unchanged. */
  text: string;
  /** The value of `_koverse_record_id`; undefined if absent. */
  recordId: unknown;
}

const recordIdKey = `${internalPrefix}record_id`;

/**
 * Removes the internal keys from a record. `text` must be a valid JSON object.
 * @throws JsonSyntaxError if it has two ids of records to replace
 */
export function stripInternalKeys(text: string): StrippedRecord {
  const kept: string[] = [];
  let recordId: unknown;
  let at = skipBlanks(text, 1);
  while (text.charCodeAt(at) !== 0x7d) {
    const keyEnd = endOfString(text, at);
    const valueAt = skipBlanks(text, text.indexOf(':', keyEnd) + 1);
    const end = endOfValue(text, valueAt);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    if (!key.startsWith(internalPrefix)) kept.push(text.slice(at, end));
    else if (key === recordIdKey) {
      if (recordId !== undefined)
        throw new JsonSyntaxError(`must have the key ${key} once, got it twice. Send it once.`);
      recordId = JSON.parse(text.slice(valueAt, end));
    }
    const next = skipBlanks(text, end);
    at = text.charCodeAt(next) === 0x2c ? skipBlanks(text, next + 1) : next;
  }
  return { text: `{${kept.join(',')}}`, recordId };
}

/** Finds a key that appears twice in the same object, or undefined. `text` must be valid JSON. */
export function duplicateKey(text: string): string | undefined {
  // The keys so far of each enclosing object and array. Most have none or one, and a body can be nested millions deep.
  const open: (Set<string> | string | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) open.push(undefined);
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === 0x22) {
      const end = endOfString(text, at);
      if (text.charCodeAt(skipBlanks(text, end)) === 0x3a) {
        const key = JSON.parse(text.slice(at, end)) as string;
        const known = open.pop();
        if (known === key || (known instanceof Set && known.has(key))) return key;
        if (known instanceof Set) open.push(known.add(key));
        else open.push(known === undefined ? key : new Set([known, key]));
      }
      at = end - 1;
    }
  }
  return undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) {
      return at;
    }
  }
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}

/** `JSON.rawJSON` of ECMAScript 2026, which Node.js supports but TypeScript does not declare yet. */
const rawJson = (JSON as typeof JSON & { rawJSON: (source: string) => unknown }).rawJSON;

const keepSource = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined ? rawJson(context.source) : value;

/** Removes all but the last of duplicate keys; numbers keep their source text. */
export const dropShadowedKeys = (text: string): string => JSON.stringify(JSON.parse(text, keepSource));
