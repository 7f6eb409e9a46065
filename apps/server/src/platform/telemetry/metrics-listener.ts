import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Serves `GET /metrics` on a separate port, so that clients of the API cannot reach the metrics. They show how busy the
 * server is, which only operators may know: requests must send the token, if one is set.
 */
export const listenForMetrics = async (
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): Promise<MetricsListener> => {
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  const server = createServer((request, response) => {
    const isAllowed =
      expected === undefined || timingSafeEqual(digest(request.headers.authorization ?? ''), expected);
    if (!isAllowed) {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer' })
        .end('Send "Authorization: Bearer <METRICS_TOKEN>".\n');
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end('This port serves only GET /metrics.\n');
      return;
    }
    metrics.text().then(
      (text) =>
        response
          .writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' })
          .end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
