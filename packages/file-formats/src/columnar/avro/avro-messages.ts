import { defaultFileLimits } from '../../file-limits.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { AvroBytes } from './avro-bytes.ts';
import { parseSchema } from './avro-schema.ts';
import { createAvroReaders } from './avro-values.ts';

/** A value of Avro as JSON, or why it has none. */
export type AvroMessage = { json: string; isRecord: boolean } | { problem: string };

/** Reads single values that were written with one schema, as in the messages of a topic. */
export type AvroMessageReader = (bytes: Uint8Array) => AvroMessage;

const described = (error: unknown): { problem: string } => {
  if (error instanceof DamagedFile || error instanceof UnsupportedFile) return { problem: error.message };
  throw error;
};

/**
 * @param references schemas whose named types the schema may use; each may use those of the ones before it
 * @returns the reader, or why the schema cannot be used
 */
export function createAvroMessageReader(
  schema: string,
  references: readonly string[] = [],
): AvroMessageReader | { problem: string } {
  let problem: string | undefined;
  const { readerOf } = createAvroReaders(defaultFileLimits.maxNesting - 1, (text) => void (problem ??= text));
  try {
    const type = parseSchema(schema, references);
    return (bytes) => {
      problem = undefined;
      try {
        const value = new AvroBytes(bytes);
        const json = readerOf(type)(value);
        if (!value.isAtEnd) return { problem: 'it has more bytes than its schema describes' };
        return problem === undefined ? { json, isRecord: type.kind === 'record' } : { problem };
      } catch (error) {
        return described(error);
      }
    };
  } catch (error) {
    return described(error);
  }
}
