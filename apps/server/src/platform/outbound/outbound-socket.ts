import { isIP, Socket } from 'node:net';
import { checkedLookup } from './checked-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-addresses.ts';

const connectMs = 10_000;
/** The silence after which the system asks whether the other side is still there. Without answers it ends the connection after 10 s more. */
const keepAliveMs = 60_000;

/**
 * Creates a socket for a client library. Whatever host the library connects it to, the connection goes only to an address
 * that may be called, and never to a socket of this machine's file system.
 */
export const createOutboundSocket = (allowsPrivate: boolean): Socket => {
  const mayCall = (address: string): boolean => allowsPrivate || isPublicAddress(address);
  const socket = new Socket().setKeepAlive(true, keepAliveMs);
  const connect = socket.connect.bind(socket);
  const timer = setTimeout(() => {
    if (socket.connecting) socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
  }, connectMs);
  socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  return Object.assign(socket, {
    connect: (port: unknown, host: unknown): Socket => {
      if (typeof port !== 'number' || typeof host !== 'string' || host.startsWith('/'))
        throw new OutboundError('The connection names no host and port');
      if (isIP(host) !== 0 && !mayCall(host))
        throw new OutboundError(`The address ${host} may not be called by this server`);
      return connect({ port, host, lookup: checkedLookup(mayCall) });
    },
  });
};
