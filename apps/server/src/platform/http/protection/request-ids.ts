import type { IncomingHttpHeaders } from 'node:http';
import type { Ids } from '../../runtime.ts';
import type { IsTrustedProxy } from '../client-address.ts';

/** Ids are logged as they are, so only letters, digits and a few other characters are accepted. */
const plainId = /^[\w.:+/=-]{1,128}$/;

interface RawRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** The id of a request: the one that a trusted proxy has sent, else a new one. */
export const createRequestId =
  (ids: Ids, isTrusted: IsTrustedProxy) =>
  ({ headers, socket }: RawRequest): string => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && plainId.test(sent) && isTrusted(socket.remoteAddress)
      ? sent
      : ids.uuid();
  };
