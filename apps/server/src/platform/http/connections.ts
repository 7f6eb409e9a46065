import type { FastifyInstance } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** How long answers that tell of the stop may take to be read, in milliseconds. */
const lastAnswersMs = 1000;

/**
 * Lets the server stop as soon as the requests in flight are answered. Node waits for every connection that has asked
 * something or may be about to: for those that never sent a request a minute and more, and for those that kept their
 * connection after the last answer just as long.
 * @param cut when it is aborted, answers that have begun are broken off, and a moment later all connections
 */
export const stopWithoutIdleConnections = (app: FastifyInstance, cut: AbortSignal | undefined): void => {
  const inFlight = new Map<Socket, Set<ServerResponse>>();
  /** Those below TLS included, which may never come to ask anything. */
  const connected = new Set<Socket>();
  let stopping = false;
  const endIfIdle = (socket: Socket): void => {
    if (stopping && inFlight.get(socket)?.size === 0) socket.destroySoon();
  };

  app.server.on('connection', (socket: Socket) => {
    connected.add(socket);
    socket.once('close', () => connected.delete(socket));
  });
  // The sockets that requests name: above TLS, where there is any.
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
  const cutAll = (): void => {
    for (const socket of [...inFlight.keys(), ...connected]) socket.destroy();
  };
  cut?.addEventListener(
    'abort',
    () => {
      // Nobody shall take what has come for a whole answer.
      for (const [socket, responses] of inFlight)
        if ([...responses].some(({ headersSent, writableEnded }) => headersSent && !writableEnded))
          socket.destroy();
      setTimeout(cutAll, lastAnswersMs).unref();
    },
    { once: true },
  );
};
