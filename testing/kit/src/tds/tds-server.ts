import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Certificate } from '../certificate.ts';
import {
  columnTokens,
  doneToken,
  encryption,
  errorToken,
  loginToken,
  preloginResponse,
  rowToken,
  type TdsColumn,
  type TdsValue,
} from './tds-tokens.ts';

/** What the server sends for a statement. */
export type TdsResponse =
  | { columns: readonly TdsColumn[]; rows: Iterable<readonly TdsValue[]> }
  | { error: number; message: string };

/** Speaks the protocol of SQL Server, and gives the responses of a test: there is no SQL Server for Linux without a licence. */
export interface TestTds {
  port: number;
  /** The statements that it got. */
  statements: string[];
  /** The response to a statement; by default, it has no rows. */
  respond: (sql: string) => TdsResponse | undefined;
  /** Cuts each connection after this many bytes of rows. */
  cutAfter: number;
  /** Whether it allows no connection without TLS, even if it has no certificate. */
  requiresTls: boolean;
  /** If it has one, it encrypts connections. */
  certificate: Certificate | undefined;
  stop(): Promise<void>;
}

const messageKinds = { batch: 1, response: 4, login: 16, prelogin: 18 } as const;
const headerLength = 8;
const packetLength = 4096;

/** Sends a message as packets. */
const send = async (
  socket: Duplex,
  parts: Iterable<Buffer>,
  { cutAfter = Infinity, kind = messageKinds.response }: { cutAfter?: number; kind?: number } = {},
): Promise<void> => {
  let waiting = Buffer.alloc(0);
  let sent = 0;
  const write = async (content: Buffer, isLast: boolean): Promise<void> => {
    const header = Buffer.alloc(headerLength);
    header[0] = kind;
    header[1] = isLast ? 1 : 0;
    header.writeUInt16BE(headerLength + content.length, 2);
    sent += content.length;
    if (sent > cutAfter) socket.destroy();
    else if (!socket.write(Buffer.concat([header, content]))) await once(socket, 'drain');
  };
  for (const part of parts) {
    waiting = Buffer.concat([waiting, part]);
    while (waiting.length > packetLength - headerLength) {
      await write(waiting.subarray(0, packetLength - headerLength), false);
      waiting = waiting.subarray(packetLength - headerLength);
    }
    if (socket.destroyed) return;
  }
  await write(waiting, true);
};

interface Message {
  kind: number | undefined;
  content: Buffer;
}

/** Creates a function that takes bytes of a client, and returns the messages that they complete. */
const createMessageReader = (): ((chunk: Buffer) => Message[]) => {
  let bytes = Buffer.alloc(0);
  let content = Buffer.alloc(0);
  return (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    const messages: Message[] = [];
    while (bytes.length >= headerLength && bytes.length >= bytes.readUInt16BE(2)) {
      const length = bytes.readUInt16BE(2);
      content = Buffer.concat([content, bytes.subarray(headerLength, length)]);
      const [kind, status = 0] = bytes;
      bytes = bytes.subarray(length);
      if ((status & 1) === 0) continue;
      messages.push({ kind, content });
      content = Buffer.alloc(0);
    }
    return messages;
  };
};

async function* messagesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Message> {
  const read = createMessageReader();
  for await (const chunk of stream) yield* read(chunk);
}

const tlsData = 23;

/** The stream inside TLS. Its handshake travels inside packets, and then packets travel inside TLS. */
const encrypt = (socket: Socket, certificate: Certificate): TLSSocket => {
  const read = createMessageReader();
  let isAgreed = false;
  const transport = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      if (isAgreed) socket.write(chunk);
      else void send(socket, [chunk], { kind: messageKinds.prelogin });
      done();
    },
  });
  socket.on('data', (chunk: Buffer) => {
    isAgreed ||= chunk[0] === tlsData;
    if (isAgreed) transport.push(chunk);
    else for (const { content } of read(chunk)) transport.push(content);
  });
  socket.on('close', () => transport.destroy());
  return new TLSSocket(transport, { isServer: true, maxVersion: 'TLSv1.2', ...certificate });
};

/** The password in a login message, whose bytes are veiled. */
const passwordOf = (content: Buffer): string => {
  const start = content.readUInt16LE(44);
  const veiled = content.subarray(start, start + 2 * content.readUInt16LE(46));
  const plain = veiled.map((byte) => {
    const open = byte ^ 0xa5;
    return ((open & 0x0f) << 4) | (open >> 4);
  });
  return Buffer.from(plain).toString('utf16le');
};

/** The statement in a batch, which begins with headers. */
const statementOf = (content: Buffer): string =>
  content.subarray(content.readUInt32LE(0)).toString('utf16le');

function* responseTokens(response: TdsResponse | undefined): Generator<Buffer> {
  if (response === undefined) yield doneToken(0);
  else if ('error' in response) {
    yield errorToken(response.error, response.message);
    yield doneToken(0, { isError: true });
  } else {
    yield columnTokens(response.columns);
    let count = 0;
    for (const row of response.rows) {
      count++;
      yield rowToken(response.columns, row);
    }
    yield doneToken(count);
  }
}

/** Starts a server that accepts one password. */
export const startTds = async (password: string): Promise<TestTds> => {
  const server = createServer();
  const sockets = new Set<Socket>();
  const peer: TestTds = {
    port: 0,
    statements: [],
    respond: () => undefined,
    cutAfter: Infinity,
    requiresTls: false,
    certificate: undefined,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  const answerLogin = (stream: Duplex, sent: string): Promise<void> =>
    send(
      stream,
      sent === password
        ? [loginToken(), doneToken(0)]
        : [errorToken(18456, `Login failed with ${sent}.`), doneToken(0, { isError: true })],
    );
  const serve = async (socket: Socket): Promise<void> => {
    const prelogin = messagesOf(socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
    await prelogin.next();
    await prelogin.return(undefined);
    const { certificate, requiresTls } = peer;
    const chosen = requiresTls ? 'required' : certificate === undefined ? 'notSupported' : 'on';
    await send(socket, [preloginResponse(encryption[chosen])]);
    const stream = certificate === undefined ? socket : encrypt(socket, certificate);
    stream.on('error', () => socket.destroy());
    for await (const { kind, content } of messagesOf(stream)) {
      if (kind === messageKinds.login) await answerLogin(stream, passwordOf(content));
      if (kind !== messageKinds.batch) continue;
      const sql = statementOf(content);
      peer.statements.push(sql);
      await send(stream, responseTokens(peer.respond(sql)), peer);
    }
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    serve(socket).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  peer.port = (server.address() as AddressInfo).port;
  return peer;
};
