import { ClickHouseError } from '@clickhouse/client';

/** The header with the tag by which a server marks an error that occurs after the first rows. */
export const exceptionTagHeader = 'x-clickhouse-exception-tag';

const carriageReturn = 0x0d;
const maxErrorBytes = 65_536;

/**
 * Passes a response on until the server reports an error inside it. After the first rows, a server can only report an
 * error between the rows, behind a marker that no row contains.
 * @param tag the value of the header, which is part of the marker
 * @throws ClickHouseError with the error code if there is a marker; another error if the response breaks off
 */
export async function* untilError(chunks: AsyncIterable<Buffer>, tag: string): AsyncGenerator<Uint8Array> {
  const marker = Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  let kept: Buffer = Buffer.alloc(0);
  let errorText: Buffer | undefined;
  try {
    for await (const chunk of chunks) {
      if (errorText !== undefined) {
        if (errorText.length < maxErrorBytes) errorText = Buffer.concat([errorText, chunk]);
        continue;
      }
      const bytes: Buffer = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      const at = bytes.indexOf(marker);
      if (at >= 0) errorText = bytes.subarray(at + marker.length);
      const whole = at >= 0 ? at : bytes.length - partialMarkerLength(marker, bytes);
      kept = bytes.subarray(whole);
      if (whole > 0) yield bytes.subarray(0, whole);
    }
  } catch (error) {
    // A server closes the connection after it has reported an error, so the report explains the broken response.
    if (errorText === undefined) throw error;
  }
  if (errorText !== undefined) throw parseError(errorText.toString('utf8'));
  if (kept.length > 0) yield kept;
}

/** How many bytes at the end may be the start of the marker. */
function partialMarkerLength(marker: Buffer, bytes: Buffer): number {
  const from = Math.max(0, bytes.length - marker.length + 1);
  for (let at = bytes.indexOf(carriageReturn, from); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (marker.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
  }
  return 0;
}

/** Keeps nothing of the text but which memory was used up. */
const parseError = (text: string): ClickHouseError =>
  new ClickHouseError({
    message: /\(total\) memory limit exceeded/.exec(text)?.[0] ?? '',
    code: /Code: (\d+)/.exec(text)?.[1] ?? '',
  });
