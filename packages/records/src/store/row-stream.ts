import { createColumnStripper } from '../columns/strip-columns.ts';

const tab = 0x09;
const newline = 0x0a;
const comma = 0x2c;
/** The size of a record id; rows that are not records have an empty one. */
const idBytes = 36;

/** The separators between records. */
export const separators = { list: comma, lines: newline } as const;

/** The progress of a stream of rows. It is complete when the stream has ended. */
export interface RowStreamResult {
  /** How many rows were passed on. */
  rows: number;
  /** The id of the last row. */
  lastRecordId: string | undefined;
  /** Whether there are more rows than the limit. */
  more: boolean;
  /** Whether the stream has ended. */
  ended: boolean;
}

/** How rows become records. */
export interface RowStreamOptions {
  /** How many rows to pass on; -1 means all. One more row is read to find out whether there are more. */
  limit: number;
  /** The byte between records, from `separators`; by default a comma. */
  separator?: number | undefined;
  /** Returns members to add to a record, as JSON without brackets; undefined if rows are (record_id, raw). */
  members: ((recordId: string, labelId: number, timestampMs: number) => string) | undefined;
  /** The columns to remove from each record. */
  hidden?: readonly string[] | undefined;
}

/** The member of a record that contains its id. */
export const recordIdMember = (recordId: string): string => `"_koverse_record_id":"${recordId}"`;

export const createRowStreamResult = (): RowStreamResult => ({
  rows: 0,
  lastRecordId: undefined,
  more: false,
  ended: false,
});

/**
 * Converts rows of the format TSVRaw to chunks of a JSON array: records with commas (or newlines) between them, without
 * the brackets. Records contain no newlines and tabs, so these only separate rows and columns.
 */
export async function* jsonRecords(
  chunks: AsyncIterable<Uint8Array>,
  { limit, members, separator = comma, hidden = [] }: RowStreamOptions,
  progress: RowStreamResult,
): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  const stripper = hidden.length === 0 ? undefined : createColumnStripper(hidden);
  const tabs = members === undefined ? 1 : 3;
  for await (const piece of chunks) {
    const chunk = join(rest, piece);
    const end = chunk.lastIndexOf(newline) + 1;
    rest = chunk.subarray(end);
    const whole = chunk.subarray(0, end);
    const rows = stripper === undefined ? whole : stripper.rows(whole, tabs);
    const out =
      members === undefined
        ? plainRows(rows, limit, separator, progress)
        : memberRows(rows, limit, separator, members, progress);
    if (out.length > 0) yield out;
    if (progress.more) return;
  }
  if (rest.length > 0)
    throw new Error('The record engine must return whole rows, but its result ended inside one.');
  progress.ended = true;
}

function join(rest: Buffer, piece: Uint8Array): Buffer {
  const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  return rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
}

/** Converts rows of (record_id, raw) in place: the removed id is always longer than the added comma. */
function plainRows(rows: Buffer, limit: number, separator: number, progress: RowStreamResult): Buffer {
  let at = 0;
  for (let from = 0; from < rows.length;) {
    if (progress.rows === limit) {
      progress.more = true;
      break;
    }
    const end = rows.indexOf(newline, from);
    const usual = from + idBytes;
    const idEnd = usual < end && rows[usual] === tab ? usual : rows.indexOf(tab, from);
    // Decode only the last id: decoding all ids would take as long as the rest of the work.
    if (end + 1 === rows.length || progress.rows + 1 === limit)
      progress.lastRecordId = rows.toString('latin1', from, idEnd);
    if (progress.rows > 0) rows[at++] = separator;
    rows.copyWithin(at, idEnd + 1, end);
    at += end - idEnd - 1;
    progress.rows++;
    from = end + 1;
  }
  return rows.subarray(0, at);
}

function memberRows(
  rows: Buffer,
  limit: number,
  separator: number,
  members: NonNullable<RowStreamOptions['members']>,
  progress: RowStreamResult,
): Buffer {
  let out = Buffer.allocUnsafe(rows.length * 2);
  let at = 0;
  for (let from = 0; from < rows.length;) {
    if (progress.rows === limit) {
      progress.more = true;
      break;
    }
    const idEnd = rows.indexOf(tab, from);
    const labelEnd = rows.indexOf(tab, idEnd + 1);
    const timeEnd = rows.indexOf(tab, labelEnd + 1);
    const end = rows.indexOf(newline, timeEnd);
    const recordId = rows.toString('latin1', from, idEnd);
    const labelId = Number(rows.toString('latin1', idEnd + 1, labelEnd));
    const isEmpty = end - timeEnd - 1 === 2;
    const added = `${isEmpty ? '' : ','}${members(recordId, labelId, Number(rows.toString('latin1', labelEnd + 1, timeEnd)))}}`;
    const room = at + 1 + (end - timeEnd) + added.length * 3;
    if (room > out.length) out = Buffer.concat([out.subarray(0, at)], Math.max(room, out.length * 2));
    if (progress.rows > 0) out[at++] = separator;
    at += rows.copy(out, at, timeEnd + 1, end - 1);
    at += out.write(added, at);
    progress.lastRecordId = recordId;
    progress.rows++;
    from = end + 1;
  }
  return out.subarray(0, at);
}
