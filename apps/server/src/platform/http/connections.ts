import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * Lets the server stop as soon as the requests in flight are answered. Node waits for every connection that has asked
 * something or may be about to: for those that never sent a request a minute and more, and for those that kept their
 * connection after the last answer just as long.
 */
export const stopWithoutIdleConnections = (app: FastifyInstance): void => {
  const inFlight = new Map<Socket, number>();
  let stopping = false;
  const endIfIdle = (socket: Socket): void => {
    if (stopping && inFlight.get(socket) === 0) socket.destroySoon();
  };

  app.server.on('connection', (socket: Socket) => {
    inFlight.set(socket, 0);
    socket.once('close', () => inFlight.delete(socket));
    endIfIdle(socket);
  });
  app.server.on('request', ({ socket }, response) => {
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const others = (inFlight.get(socket) ?? 1) - 1;
      if (inFlight.has(socket)) inFlight.set(socket, others);
      endIfIdle(socket);
    });
  });
  app.addHook('preClose', () => {
    stopping = true;
    for (const socket of inFlight.keys()) endIfIdle(socket);
    return Promise.resolve();
  });
};
