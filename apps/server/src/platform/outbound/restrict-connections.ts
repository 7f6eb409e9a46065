import { isIP, Socket } from 'node:net';
import { checkedLookup } from './checked-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-addresses.ts';

/** The options of a connection, in the forms that Node.js itself passes on: an object, or a list that begins with it. */
const optionsOf = (first: unknown): Record<string, unknown> | undefined => {
  const options: unknown = Array.isArray(first) ? first[0] : first;
  return typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : undefined;
};

/**
 * Restricts all connections that this process makes from now on, by whatever library: they go only to addresses that may be
 * called, and never to a socket of the file system. For processes whose library opens its own sockets.
 * @returns the errors of connections that were refused so far
 */
export const restrictConnections = (allowsPrivate: boolean): OutboundError[] => {
  const refused: OutboundError[] = [];
  const mayCall = (address: string): boolean => allowsPrivate || isPublicAddress(address);
  const lookup = checkedLookup(mayCall);
  const original = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect')?.value as (
    ...words: unknown[]
  ) => Socket;

  const check = (options: Record<string, unknown> | undefined): OutboundError | undefined => {
    const { host, path } = options ?? {};
    if (typeof host !== 'string' || host === '' || typeof path === 'string')
      return new OutboundError('The connection names no host and port');
    return isIP(host) === 0 || mayCall(host)
      ? undefined
      : new OutboundError(`The address ${host} may not be called by this server`);
  };

  function connect(this: Socket, ...words: unknown[]): Socket {
    const options = optionsOf(words[0]);
    const error = check(options);
    if (error === undefined && options !== undefined) {
      options['lookup'] = lookup;
      this.once('error', (cause) => {
        if (cause instanceof OutboundError) refused.push(cause);
      });
      return Reflect.apply(original, this, words);
    }
    refused.push(error ?? new OutboundError('The connection names no host and port'));
    process.nextTick(() => this.destroy(refused.at(-1)));
    return this;
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: connect });
  return refused;
};
