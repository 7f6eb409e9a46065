import { connect } from 'node:net';
import { endOfChunks, endOfHead, lengthIn } from './response-text.ts';

const bufferBytes = 256 * 1024;

/** A request and its handler. */
export interface RawRead {
  url: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Called with the received bytes, including chunk headers. The buffer is reused for the next bytes. */
  onBytes: (bytes: Buffer) => void;
}

/**
 * Reads a response and discards it, with very little CPU time. On a machine shared with the server, `node:http` would
 * take as much CPU time as the server itself.
 * @throws Error for anything but a complete response with status 200
 */
export const readRaw = async ({ url, path, headers, body, onBytes }: RawRead): Promise<void> => {
  const { hostname, port, host } = new URL(url);
  const sent = { host, ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries(sent).map(([name, value]) => `\r\n${name}: ${value}`);
  let responseHead = '';
  let tail = '';
  let size = 0;
  const take = (bytes: Buffer): void => {
    let rest = bytes;
    if (!responseHead.includes(endOfHead)) {
      const before = responseHead.length;
      responseHead += bytes.toString('latin1');
      const end = responseHead.indexOf(endOfHead);
      if (end < 0) return;
      rest = bytes.subarray(end + endOfHead.length - before);
    }
    size += rest.length;
    tail = (tail + rest.toString('latin1', Math.max(0, rest.length - endOfChunks.length))).slice(
      -endOfChunks.length,
    );
    onBytes(rest);
  };
  await new Promise<void>((resolve, reject) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(bufferBytes),
        callback: (length, bytes) => {
          take(Buffer.from(bytes.buffer, bytes.byteOffset, length));
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('end', resolve);
    socket.write(`POST ${path} HTTP/1.1${head.join('')}${endOfHead}${body}`);
  });
  const length = lengthIn(responseHead);
  const isComplete = length === undefined ? tail === endOfChunks : size === length;
  if (!isComplete || !responseHead.startsWith('HTTP/1.1 200 '))
    throw new Error(`POST ${path} returned ${String(size)} bytes: ${responseHead.slice(0, 500)}`);
};
