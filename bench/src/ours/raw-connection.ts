import { connect } from 'node:net';
import { endOfChunks, endOfHead, lengthIn } from './response-text.ts';

/** A connection that stays open and sends one request at a time. */
export interface RawConnection {
  /** Sends a request. @returns the body of the response. @throws Error for any status but 2xx */
  post(path: string, body: Uint8Array | string): Promise<Buffer>;
  isOpen(): boolean;
  close(): void;
}

/**
 * Opens an HTTP connection that needs very little CPU time. A request by `node:http` takes half a millisecond of it, a
 * tenth of what the server has for a request under load, which would distort measurements on a machine shared with the
 * server.
 */
export function openRawConnection(url: string, headers: Readonly<Record<string, string>>): RawConnection {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  let received: Buffer[] = [];
  let waiting: PromiseWithResolvers<Buffer> | undefined;
  let currentPath = '';

  socket.on('data', (bytes: Buffer) => {
    received.push(bytes);
    const all = received.length === 1 ? bytes : Buffer.concat(received);
    received = [all];
    const headEnd = all.indexOf(endOfHead);
    if (headEnd < 0) return;
    const head = all.toString('latin1', 0, headEnd + endOfHead.length);
    const body = completeBody(lengthIn(head), all, headEnd + endOfHead.length);
    if (body === undefined) return;
    received = [];
    if (/^HTTP\/1\.1 2\d\d /.test(head)) waiting?.resolve(body);
    else waiting?.reject(new Error(`POST ${currentPath} answered ${head}${body.toString().slice(0, 500)}`));
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () =>
    waiting?.reject(new Error(`The server closed the connection during a request to ${currentPath}.`)),
  );

  return {
    post: (path, body) => {
      if (socket.destroyed) throw new Error(`The server has closed the connection to ${path}.`);
      currentPath = path;
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

/** The body of a response that begins at `start`; undefined until it is complete. */
function completeBody(length: number | undefined, all: Buffer, start: number): Buffer | undefined {
  if (length !== undefined) return all.length < start + length ? undefined : all.subarray(start);
  // JSON cannot contain the end of a chunked body.
  if (all.toString('latin1', all.length - endOfChunks.length) !== endOfChunks) return undefined;
  const chunks: Buffer[] = [];
  for (let at = start; at < all.length;) {
    const sizeEnd = all.indexOf('\r\n', at);
    const size = Number.parseInt(all.toString('latin1', at, sizeEnd), 16);
    chunks.push(all.subarray(sizeEnd + 2, sizeEnd + 2 + size));
    at = sizeEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
