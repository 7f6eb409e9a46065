import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.ts';

/** Stands between a client and a PostgreSQL server: offers TLS, watches the client, and misbehaves on demand. */
export interface PostgresGate {
  port: number;
  /** The numbers of rows that clients fetched at once. */
  portions: number[];
  /** Passes everything on, and forgets what it saw. */
  reset(): void;
  /** Cuts each connection after this number of bytes from the server. */
  cutAfter(bytes: number): void;
  /** Answers each client with an error. */
  refuse(code: string, message: string): void;
  /** Answers no client. */
  hang(): void;
  /** Resolves when a client has connected since the last reset. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

/** The first message of a client that wants TLS. */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const execute = 'E'.charCodeAt(0);

const errorMessage = (code: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

/** Finds the numbers of rows in the messages of a client. The first message has no type. */
const watchPortions = (found: (rows: number) => void): ((chunk: Buffer) => void) => {
  let waiting = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const typed = isFirst ? 0 : 1;
      if (waiting.length < typed + 4) return;
      const length = typed + waiting.readInt32BE(typed);
      if (waiting.length < length) return;
      if (!isFirst && waiting[0] === execute) found(waiting.readInt32BE(length - 4));
      isFirst = false;
      waiting = waiting.subarray(length);
    }
  };
};

/** @param certificate that of the gate */
export const startPostgresGate = async (target: string, certificate: Certificate): Promise<PostgresGate> => {
  const { hostname, port } = new URL(target);
  let action: { cut?: number; refusal?: Buffer; isSilent?: boolean } = {};
  let arrived = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const portions: number[] = [];
  const keep = <Kept extends Socket>(socket: Kept): Kept => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };

  const serve = (client: Socket): void => {
    if (action.refusal !== undefined) {
      client.end(action.refusal);
      return;
    }
    const upstream = keep(connect(Number(port), hostname));
    const watch = watchPortions((rows) => portions.push(rows));
    let left = action.cut ?? Infinity;
    client.on('data', (chunk: Buffer) => {
      watch(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) client.write(chunk);
      else client.destroy();
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  };

  const server = createServer((socket) => {
    keep(socket);
    arrived.resolve();
    if (action.isSilent === true) return;
    socket.once('data', (first: Buffer) => {
      if (!first.equals(tlsRequest)) {
        serve(socket);
        socket.emit('data', first);
        return;
      }
      socket.write('S');
      serve(keep(new TLSSocket(socket, { isServer: true, ...certificate })));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    portions,
    reset: () => {
      action = {};
      arrived = Promise.withResolvers<void>();
      portions.length = 0;
    },
    cutAfter: (cut) => {
      action = { cut };
    },
    refuse: (code, message) => {
      action = { refusal: errorMessage(code, message) };
    },
    hang: () => {
      action = { isSilent: true };
    },
    connected: () => arrived.promise,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};
