import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** How long clients have to read the responses that report the stop, in milliseconds. */
const lastResponsesMs = 1000;

/**
 * Lets the server stop as soon as it has responded to the requests in flight. Node.js would also wait for idle
 * connections: a minute or more for those that never sent a request, and as long for those that are kept alive after a
 * response.
 * @param cut when it is aborted, responses that have started are cut off, and soon after all connections are closed
 */
export const stopWithoutIdleConnections = (app: FastifyInstance, cut: AbortSignal | undefined): void => {
  const inFlight = new Map<Socket, Set<ServerResponse>>();
  /** All connections, including the TCP connections below TLS, which may never send a request. */
  const connected = new Set<Socket>();
  let stopping = false;
  const endIfIdle = (socket: Socket): void => {
    if (stopping && inFlight.get(socket)?.size === 0) socket.destroySoon();
  };

  app.server.on('connection', (socket: Socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  // The sockets that requests refer to: with TLS, these are the TLS sockets, not the TCP connections below them.
  app.server.on(app.server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    inFlight.set(socket, new Set());
    socket.once('close', () => inFlight.delete(socket));
    endIfIdle(socket);
  });
  app.server.on('request', ({ socket }, response) => {
    const responses = inFlight.get(socket);
    responses?.add(response);
    response.once('close', () => {
      responses?.delete(response);
      endIfIdle(socket);
    });
  });
  app.addHook('preClose', () => {
    stopping = true;
    for (const socket of inFlight.keys()) endIfIdle(socket);
    return Promise.resolve();
  });
  const closeAll = (): void => {
    for (const socket of [...inFlight.keys(), ...connected]) socket.destroy();
  };
  cut?.addEventListener(
    'abort',
    () => {
      // Closing the connection in the middle of a response shows the client that the response is incomplete.
      for (const [socket, responses] of inFlight)
        if ([...responses].some(({ headersSent, writableEnded }) => headersSent && !writableEnded))
          socket.destroy();
      setTimeout(closeAll, lastResponsesMs).unref();
    },
    { once: true },
  );
};
