import { ClickHouseError } from '@clickhouse/client';

/** The header in which a server says how it will mark a fault that comes after the first rows. */
export const exceptionTagHeader = 'x-clickhouse-exception-tag';

const carriageReturn = 0x0d;
const longestFaultText = 65_536;

/**
 * Passes an answer on, and fails where the server breaks it off to say what went wrong: it can do so only in the midst of
 * the rows, between marks that no row holds.
 * @param tag what the server named in its header: part of the mark
 * @throws ClickHouseError with the number of the fault, for a mark; any other error for an answer that was cut
 */
export async function* untilFault(chunks: AsyncIterable<Buffer>, tag: string): AsyncGenerator<Uint8Array> {
  const mark = Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  let kept: Buffer = Buffer.alloc(0);
  let fault: Buffer | undefined;
  try {
    for await (const chunk of chunks) {
      if (fault !== undefined) {
        if (fault.length < longestFaultText) fault = Buffer.concat([fault, chunk]);
        continue;
      }
      const bytes: Buffer = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      const at = bytes.indexOf(mark);
      if (at >= 0) fault = bytes.subarray(at + mark.length);
      const whole = at >= 0 ? at : bytes.length - beginningOf(mark, bytes);
      kept = bytes.subarray(whole);
      if (whole > 0) yield bytes.subarray(0, whole);
    }
  } catch (cut) {
    // A server that has said what went wrong closes the connection.
    if (fault === undefined) throw cut;
  }
  if (fault !== undefined) throw faultIn(fault.toString('utf8'));
  if (kept.length > 0) yield kept;
}

/** How many bytes at the end may be the beginning of the mark. */
function beginningOf(mark: Buffer, bytes: Buffer): number {
  const from = Math.max(0, bytes.length - mark.length + 1);
  for (let at = bytes.indexOf(carriageReturn, from); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (mark.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
  }
  return 0;
}

const faultIn = (text: string): ClickHouseError =>
  new ClickHouseError({ message: '', code: /Code: (\d+)/.exec(text)?.[1] ?? '' });
