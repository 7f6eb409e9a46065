import type { IngestRequest } from '@redoubt/contract';
import { describeValue, invalidField } from '@redoubt/errors';
import { changeOf } from './file-options.ts';
import type { FileReading } from './parser/parser-messages.ts';

/** What rows do to existing records. If absent, rows are added. */
export type WriteOption =
  | { mode: 'replace' }
  /** @param keys the fields by which a row finds the record that it replaces */
  | { mode: 'upsert'; keys: string[] };

type Sent = Pick<IngestRequest, 'keyColumns' | 'writeMode'>;

const ownPrefix = '_koverse_';

const requireKey = (key: string, index: number, keys: readonly string[], reading: FileReading): void => {
  const field = `keyColumns.${String(index)}`;
  if (key.includes('.') || key.startsWith(ownPrefix)) {
    throw invalidField({
      field,
      expected: `a field at the top of the records, without dots and not beginning with "${ownPrefix}"`,
      got: describeValue(key),
      advice: 'Rename the column with fileOptions.columns.',
    });
  }
  if (keys.indexOf(key) !== index) {
    throw invalidField({ field, expected: 'named once', got: describeValue(key), advice: 'Leave it out.' });
  }
  const change = changeOf(reading.columns ?? [], key, undefined);
  if (change === 'skipped' || change === 'renamed') {
    throw invalidField({
      field,
      expected: 'a field of the records',
      got: `${describeValue(key)}, which fileOptions.columns has ${change}`,
      advice: 'Name the field as it is stored.',
    });
  }
};

/**
 * Checks the write mode and the key columns of a request.
 * @throws RedoubtError 400 for options that do not fit together
 */
export const toWriteOption = (
  { writeMode, keyColumns }: Sent,
  reading: FileReading,
): WriteOption | undefined => {
  if (writeMode !== 'upsert' && keyColumns !== undefined) {
    throw invalidField({
      field: 'keyColumns',
      expected: 'left out unless writeMode is upsert',
      got: `${describeValue(keyColumns)} with writeMode ${writeMode ?? 'append'}`,
      advice: 'Send writeMode: upsert, or leave keyColumns out.',
    });
  }
  if (writeMode === undefined || writeMode === 'append') return undefined;
  if (writeMode === 'replace') return { mode: 'replace' };
  if (keyColumns === undefined) {
    throw invalidField({
      field: 'keyColumns',
      expected: 'sent with writeMode upsert',
      advice: 'Name the columns by which a row finds the record that it replaces.',
    });
  }
  for (const [index, key] of keyColumns.entries()) requireKey(key, index, keyColumns, reading);
  return { mode: 'upsert', keys: keyColumns };
};
