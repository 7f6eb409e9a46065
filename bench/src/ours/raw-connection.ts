import { connect } from 'node:net';
import { endOfChunks, endOfHead, lengthIn } from './response-text.ts';

/** A connection that stays open, with one request at a time. */
export interface RawConnection {
  /** The body of the answer; any status but 2xx is an error. */
  post(path: string, body: Uint8Array | string): Promise<Buffer>;
  isOpen(): boolean;
  close(): void;
}

/**
 * A client that costs next to nothing: where it shares the machine with the server, each request by `node:http` takes half a
 * millisecond, and a tenth of what the server has for many of them.
 */
export function openRawConnection(url: string, headers: Readonly<Record<string, string>>): RawConnection {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  let came: Buffer[] = [];
  let waiting: PromiseWithResolvers<Buffer> | undefined;
  let asked = '';

  socket.on('data', (bytes: Buffer) => {
    came.push(bytes);
    const all = came.length === 1 ? bytes : Buffer.concat(came);
    came = [all];
    const headEnd = all.indexOf(endOfHead);
    if (headEnd < 0) return;
    const head = all.toString('latin1', 0, headEnd + endOfHead.length);
    const body = wholeBody(lengthIn(head), all, headEnd + endOfHead.length);
    if (body === undefined) return;
    came = [];
    if (/^HTTP\/1\.1 2\d\d /.test(head)) waiting?.resolve(body);
    else waiting?.reject(new Error(`POST ${asked} answered ${head}${body.toString().slice(0, 500)}`));
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error(`The server closed a connection that asked ${asked}.`)));

  return {
    post: (path, body) => {
      if (socket.destroyed) throw new Error(`The server has closed the connection to ${path}.`);
      asked = path;
      waiting = Promise.withResolvers();
      socket.cork();
      const length = String(Buffer.byteLength(body));
      socket.write(`POST ${path} HTTP/1.1\r\n${fields.join('')}content-length: ${length}${endOfHead}`);
      socket.write(body);
      socket.uncork();
      return waiting.promise;
    },
    isOpen: () => !socket.destroyed,
    close: () => {
      socket.destroy();
    },
  };
}

/** The body of an answer that begins at `start`, once all of it has come. */
function wholeBody(length: number | undefined, all: Buffer, start: number): Buffer | undefined {
  if (length !== undefined) return all.length < start + length ? undefined : all.subarray(start);
  // No text of JSON holds the mark of the end.
  if (all.toString('latin1', all.length - endOfChunks.length) !== endOfChunks) return undefined;
  const pieces: Buffer[] = [];
  for (let at = start; at < all.length;) {
    const sizeEnd = all.indexOf('\r\n', at);
    const size = Number.parseInt(all.toString('latin1', at, sizeEnd), 16);
    pieces.push(all.subarray(sizeEnd + 2, sizeEnd + 2 + size));
    at = sizeEnd + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}
