import type { IncomingHttpHeaders } from 'node:http';
import type { Ids } from '../../runtime.ts';
import type { IsTrustedProxy } from '../client-address.ts';

/** What stands in the log as it is, so letters, digits and few signs. */
const plainId = /^[\w.:+/=-]{1,128}$/;

interface RawRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** The id of a request: the one that a trusted proxy has given it, else a new one. */
export const createRequestId =
  (ids: Ids, isTrusted: IsTrustedProxy) =>
  ({ headers, socket }: RawRequest): string => {
    const told = headers['x-request-id'];
    return typeof told === 'string' && plainId.test(told) && isTrusted(socket.remoteAddress)
      ? told
      : ids.uuid();
  };
