import { badField, badRequest, tooLarge } from '@redoubt/errors';
import { collectBytes } from '../collect-bytes.ts';
import { parsePartHeader, type PartHeader } from './part-header.ts';

/** A part of a multipart body. Read its content once, and completely, before the next part. */
export interface Part extends PartHeader {
  content: AsyncIterable<Buffer>;
  /**
   * Reads the content as text.
   * @throws RedoubtError 413 beyond the limit, before more is kept; 400 for text in another encoding than it says
   */
  readText(maxBytes: number): Promise<string>;
}

/** Maximum size of the header of a part, and of what follows the last part, in bytes. */
const maxHeaderBytes = 16 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const emptyLine = Buffer.from('\r\n\r\n');

const malformed = (problem: string): Error =>
  badRequest(`The body is no complete multipart/form-data: ${problem}. Nothing was stored; send it again.`);

const decodeText = (bytes: Buffer, { name, charset }: PartHeader): string => {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badField(
      name,
      `must be text in ${JSON.stringify(charset.slice(0, 80))}, got other bytes. Send it as UTF-8.`,
    );
  }
};

const space = 0x20;
const tab = 0x09;

/** @throws RedoubtError 400 for anything but blanks and line breaks */
const requireBlank = (bytes: Buffer, place: string): void => {
  if (bytes.some((byte) => byte !== carriageReturn && byte !== lineFeed && byte !== space && byte !== tab))
    throw malformed(`there is text ${place}`);
};

/**
 * Reads the parts of a multipart body one after another, to its end. It reads only as far as the parts are read, and
 * rejects whatever it does not understand: a label that is skipped would leave its rows without one.
 * @param source the bytes; an error of it means that they were cut off
 * @param keep called with the size of what a text keeps in memory, before it is kept
 * @throws RedoubtError 400
 */
export async function* readParts(
  source: AsyncIterator<Buffer>,
  boundary: string,
  keep: (bytes: number) => void,
): AsyncGenerator<Part> {
  const dashBoundary = Buffer.from(`--${boundary}`);
  const afterLineFeed = Buffer.from(`\n--${boundary}`);
  const afterCarriageReturn = Buffer.from(`\r--${boundary}`);
  // The first boundary needs no line break before it.
  let buffer: Buffer = Buffer.from('\r\n');

  /** @returns false at the end of the body */
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await source.next().catch(() => {
      throw badRequest(
        'The request ended before all of the upload had arrived. Nothing was stored; send it again.',
      );
    });
    if (done === true) return false;
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value]);
    return true;
  };
  const requireMore = async (): Promise<void> => {
    if (!(await readMore())) throw malformed('it ends before its last boundary');
  };

  /** The index of the line feed before the next boundary, or -1. */
  const findBoundary = (): number => {
    const at = buffer.indexOf(afterLineFeed);
    const single = buffer.subarray(0, at === -1 ? undefined : at).includes(afterCarriageReturn);
    if (single || (at !== -1 && buffer[at - 1] !== carriageReturn))
      throw malformed('lines with a boundary must begin after CR LF');
    return at;
  };

  /** Yields what comes before the next boundary, and skips the boundary. */
  const readToBoundary = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      const at = findBoundary();
      if (at !== -1) {
        const rest = buffer.subarray(0, at - 1);
        buffer = buffer.subarray(at + afterLineFeed.length);
        if (rest.length > 0) yield rest;
        return;
      }
      const complete = buffer.subarray(0, Math.max(0, buffer.length - afterLineFeed.length - 1));
      buffer = buffer.subarray(complete.length);
      if (complete.length > 0) yield complete;
      await requireMore();
    }
  };

  /** @returns the header of the next part; undefined after the last one */
  const readHeader = async (): Promise<PartHeader | undefined> => {
    while (buffer.length < 2) await requireMore();
    if (buffer[0] === 0x2d && buffer[1] === 0x2d) return undefined;
    let end = buffer.indexOf(emptyLine);
    for (; end === -1; end = buffer.indexOf(emptyLine)) {
      if (buffer.length > maxHeaderBytes) break;
      await requireMore();
    }
    if (end === -1 || end > maxHeaderBytes)
      throw malformed(`the header of a part has more than ${String(maxHeaderBytes)} bytes`);
    const text = buffer.subarray(0, end).toString();
    buffer = buffer.subarray(end + emptyLine.length);
    const padding = /^[ \t]*(?:\r\n|$)/.exec(text)?.[0];
    if (padding === undefined || text.includes(dashBoundary.toString()))
      throw malformed('a line with a boundary has more than the boundary');
    while (buffer.length < dashBoundary.length) await requireMore();
    if (buffer.subarray(0, dashBoundary.length).equals(dashBoundary))
      throw malformed('a part has a header without an empty line after it');
    return parsePartHeader(text.slice(padding.length));
  };

  for await (const bytes of readToBoundary()) requireBlank(bytes, 'before the first part');
  for (let header = await readHeader(); header !== undefined; header = await readHeader()) {
    const part: PartHeader = header;
    const content = readToBoundary();
    const readText = async (maxBytes: number): Promise<string> => {
      const collected = collectBytes();
      let size = 0;
      for await (const chunk of content) {
        size += chunk.length;
        if (size > maxBytes)
          throw tooLarge(
            `${part.name} must have at most ${String(maxBytes)} bytes, got more. Send a shorter text.`,
          );
        keep(chunk.length);
        // A copy, because a slice would keep the whole chunk that arrived.
        collected.add(Buffer.from(chunk));
      }
      return decodeText(collected.bytes(), part);
    };
    yield { ...part, content, readText };
    if ((await content.next()).done !== true)
      throw new Error(`The part ${part.name} was not read to its end.`);
  }
  requireBlank(buffer.subarray(2), 'after the last part');
  buffer = Buffer.alloc(0);
  while (await readMore()) {
    requireBlank(buffer, 'after the last part');
    buffer = Buffer.alloc(0);
  }
}
