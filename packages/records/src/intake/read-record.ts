import { isAscii } from 'node:buffer';
import { dropShadowedKeys, stripInternalKeys } from './internal-keys.ts';
import { JsonSyntaxError } from './json-cursor.ts';
import type { WriteBody } from './parse-write-body.ts';
import { excerpt, recordError, recordTooLarge } from './record-error.ts';
import { isUuid } from './record-ids.ts';
import { internalPrefix, type RecordReader, type RereadReason } from './record-reader.ts';

/** Returns the text of a record of the body by its index. */
export function textReader({ bytes, slices }: WriteBody): (index: number, maxBytes?: number) => string {
  const ascii = isAscii(bytes);
  return (index, maxBytes = Infinity) => {
    const start = slices.starts[index] ?? 0;
    const end = slices.ends[index] ?? 0;
    if (end - start > maxBytes) {
      throw recordTooLarge(
        index,
        `must have at most ${String(maxBytes)} bytes, got ${String(end - start)}. Split the record or leave fields out.`,
      );
    }
    return ascii ? bytes.toString('latin1', start, end) : bytes.toString('utf8', start, end);
  };
}

/**
 * Parses a record into the parts of the reader. Returns the id of the record that it replaces, and why it was parsed
 * again.
 */
export function readRecord(
  reader: RecordReader,
  text: string,
  index: number,
): { recordId: string | undefined; reread: RereadReason | undefined } {
  try {
    const first = reader.read(text);
    if (first === undefined) return readOnce;
    const stripped = first === 'internal-keys' ? stripInternalKeys(validJson(text)) : undefined;
    const kept = stripped?.text ?? text;
    const again = stripped === undefined ? first : reader.read(kept);
    if (again !== undefined) readWithoutDuplicates(reader, kept);
    return { recordId: recordIdOf(stripped?.recordId, index), reread: first };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw recordError(index, error.message);
    throw error;
  }
}

const readOnce = { recordId: undefined, reread: undefined };

/** Parses a record with duplicate keys: the stored text keeps them, but searches find only the last value. */
export function readWithoutDuplicates(reader: RecordReader, text: string): void {
  const { raw } = reader.parts;
  reader.read(dropShadowedKeys(text));
  reader.parts.raw = raw;
}

function validJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new JsonSyntaxError(
      `must be valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
}

function recordIdOf(value: unknown, index: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw recordError(
    index,
    `must have the id of a record in ${internalPrefix}record_id, got ${excerpt(JSON.stringify(value))}. Send the id as it was read, or leave it out.`,
  );
}
