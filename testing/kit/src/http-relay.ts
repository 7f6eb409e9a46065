import { createServer, request as send, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RelayedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** What a relay does to a request instead of passing it on as it is. */
export interface RelayAction {
  /** The path to request instead. */
  path?: string;
  /** Called before the request is passed on. */
  before?: () => Promise<void>;
  /** Cuts the connection after this number of bytes of the body. */
  cutAfter?: number;
  /** The response instead of that of the server. */
  response?: { status: number; headers?: Record<string, string>; body?: string };
  /** Waits for ever. */
  isSilent?: boolean;
}

/** Passes requests on to an HTTP server, records them, and misbehaves on demand. */
export interface HttpRelay {
  url: string;
  requests: RelayedRequest[];
  /** Set it to choose what happens to each request. */
  act: (request: RelayedRequest) => RelayAction | undefined;
  close(): Promise<void>;
}

export const startHttpRelay = async (target: string): Promise<HttpRelay> => {
  const relay: HttpRelay = { url: '', requests: [], act: () => undefined, close: async () => undefined };
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const relayed = { method, path, headers };
    relay.requests.push(relayed);
    const action = relay.act(relayed) ?? {};
    const pass = async (): Promise<void> => {
      await action.before?.();
      if (action.isSilent === true) return;
      if (action.response !== undefined) {
        const { status, headers: more = {}, body = '' } = action.response;
        response.writeHead(status, more).end(body);
        return;
      }
      // Host and path stay as they are, because a signature covers them.
      const upstream = send(target, { method, path: action.path ?? path, headers }, (from) => {
        response.writeHead(from.statusCode ?? 500, from.headers);
        let left = action.cutAfter ?? Infinity;
        from.on('data', (chunk: Buffer) => {
          if (left <= 0) return;
          const part = chunk.subarray(0, left);
          left -= part.length;
          response.write(part, () => {
            if (left <= 0) setTimeout(() => response.destroy(), 10);
          });
        });
        from.on('end', () => left > 0 && response.end());
      });
      upstream.on('error', () => response.destroy());
      request.pipe(upstream);
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  relay.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  relay.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return relay;
};
