import { createHash } from 'node:crypto';
import { ReaderError } from '../reader-error.ts';

/** Which rows of a table or statement are new: those whose cursor column is not less than a checkpoint. */
export interface Incremental {
  /** The cursor column, whose values grow: a time of change, or a number. */
  column: string;
  /** The columns that tell rows apart. */
  key: readonly string[];
  /** How far before the checkpoint rows are read again: seconds for times, a difference for numbers. */
  overlapSeconds: number;
  overlapCount: number;
}

/** The greatest value of the cursor column at one time. */
export interface CursorMark {
  value: string;
  /** For PostgreSQL: transactions with this number and later ones had not begun. */
  xmax?: string;
}

/** From where a later job reads. Values are the texts of the database, so no digit is lost. */
export interface Checkpoint {
  /** The type of the cursor column, as the database names it. */
  type: string;
  overlapSeconds: number;
  overlapCount: number;
  /** Absent while a transaction that may still add smaller values has been open since the first job. */
  value?: string;
  /** Greater values that become the checkpoint when the transactions that were open have ended. */
  marks: readonly CursorMark[];
}

export type CursorKind = 'date' | 'number' | 'time' | 'version';

const shapes: Readonly<Record<CursorKind, RegExp>> = {
  number: /^-?\d{1,1000}(\.\d{1,1000})?$/,
  date: /^\d{4,6}-\d\d-\d\d( BC)?$/,
  time: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00)?( BC)?$/,
  version: /^0x[0-9A-F]{16}$/,
};

/** @throws ReaderError for a value after which no row could follow, such as infinity */
export const requireCursorValue = (column: string, kind: CursorKind, value: string): string => {
  if (shapes[kind].test(value)) return value;
  throw new ReaderError(
    `The greatest value of the column ${JSON.stringify(column)} is ${JSON.stringify(value.slice(0, 80))}, so no later row could be found. Correct the row, or send a query that leaves it out.`,
  );
};

const differs = (what: string, now: number | string, before: number | string): ReaderError =>
  new ReaderError(
    `${what} is ${now}, and was ${before} in the job of changedSinceJob. Start a job without changedSinceJob, which reads all rows, or send what that job had.`,
  );

/** @throws ReaderError if an earlier job had another type or overlap, so that rows could be lost or doubled */
export const requireSame = (
  { column, overlapSeconds, overlapCount }: Incremental,
  type: string,
  since: Checkpoint | undefined,
): void => {
  if (since === undefined) return;
  if (since.type !== type)
    throw differs(`The type of the column ${JSON.stringify(column)}`, type, since.type);
  if (since.overlapSeconds !== overlapSeconds)
    throw differs('incremental.overlapSeconds', overlapSeconds, since.overlapSeconds);
  if (since.overlapCount !== overlapCount)
    throw differs('incremental.overlapCount', overlapCount, since.overlapCount);
};

/** The positions of the cursor column and of the key columns. @throws ReaderError if one is missing */
export const findColumns = (
  names: readonly string[],
  { column, key }: Pick<Incremental, 'column' | 'key'>,
): { cursor: number; keys: number[] } => {
  const find = (name: string, field: string): number => {
    const at = names.indexOf(name);
    if (at !== -1 && names.lastIndexOf(name) === at) return at;
    throw new ReaderError(
      `The result must have one column ${JSON.stringify(name)}, which incremental.${field} names, and has ${at === -1 ? 'none' : 'several'}. Its columns are ${JSON.stringify(names).slice(0, 400)}. Name another column, or start a job without changedSinceJob.`,
    );
  };
  return { cursor: find(column, 'column'), keys: key.map((name) => find(name, 'key')) };
};

/** @throws ReaderError: a row without a value would never be read again after it has changed */
export const requireCursor = (
  column: string,
  value: string | null,
  keys: readonly (string | null)[],
): void => {
  if (value !== null) return;
  throw new ReaderError(
    `The row with the key ${JSON.stringify(keys).slice(0, 200)} has no value in the column ${JSON.stringify(column)}, so its changes could not be found. Fill it, or send a query that leaves such rows out.`,
  );
};

/** The version of a row. Equal ones are the same row without a change. */
export const hashRow = (cursor: string, keys: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([cursor, ...keys]))
    .digest()
    .subarray(0, 16)
    .toString('base64url');

/** A number that is at least `count` less, without loss of digits. */
export const lessNumber = (value: string, count: number): string => {
  if (count === 0) return value;
  const [whole = '0', fraction] = value.split('.');
  const rounded = BigInt(whole) - (fraction !== undefined && value.startsWith('-') ? 1n : 0n);
  return (rounded - BigInt(count)).toString();
};
