import { connect } from 'node:net';
import { endOfChunks, endOfHead, lengthIn } from './response-text.ts';

const bufferBytes = 256 * 1024;

/** What is asked, and as whom. */
export interface RawRead {
  url: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Told of what comes, marks of chunked transfer among it. The bytes are overwritten by what comes next. */
  onBytes: (bytes: Buffer) => void;
}

/**
 * Reads an answer and keeps nothing of it, at next to no cost: where it shares the machine with the server, `node:http`
 * takes as much of it as the server itself.
 * @throws Error for anything but a whole answer of 200
 */
export const readRaw = async ({ url, path, headers, body, onBytes }: RawRead): Promise<void> => {
  const { hostname, port, host } = new URL(url);
  const sent = { host, ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries(sent).map(([name, value]) => `\r\n${name}: ${value}`);
  let answered = '';
  let tail = '';
  let size = 0;
  const take = (bytes: Buffer): void => {
    let rest = bytes;
    if (!answered.includes(endOfHead)) {
      const before = answered.length;
      answered += bytes.toString('latin1');
      const end = answered.indexOf(endOfHead);
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
  const length = lengthIn(answered);
  const isWhole = length === undefined ? tail === endOfChunks : size === length;
  if (!isWhole || !answered.startsWith('HTTP/1.1 200 '))
    throw new Error(`POST ${path} answered ${String(size)} bytes: ${answered.slice(0, 500)}`);
};
