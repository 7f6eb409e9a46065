import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { after } from 'node:test';

/** The options of a test host. */
export interface ServeOptions {
  /** The path on the host at which the site is served, such as `/help/`; `/` by default. */
  readonly baseUrl?: string;
  /** Headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before a file is looked up. Returns true if it has handled the request itself. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

/** A site that is served on a port of this machine. */
export interface ServedSite {
  /** Without a slash at its end, such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  stop(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Serves a built site, as `startSite` does, until the tests of the file have ended. */
export async function serveSite(folder: string, options: ServeOptions = {}): Promise<ServedSite> {
  const site = await startSite(folder, options);
  after(site.stop);
  return site;
}

/** Serves a built site as a static host does: folders by their `index.html`, all else by `404.html`. */
export async function startSite(folder: string, options: ServeOptions = {}): Promise<ServedSite> {
  const { baseUrl = '/', headers = {}, before } = options;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if ((await before?.(request, response)) === true) return;
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname);
    const inside = path.startsWith(baseUrl) ? normalize(`/${path.slice(baseUrl.length)}`) : undefined;
    const file = inside === undefined ? undefined : join(folder, inside);
    if (file !== undefined && isFolder(file) && !path.endsWith('/')) {
      response.writeHead(301, { location: `${pathname}/${search}` }).end();
      return;
    }
    const found = [file, file && join(file, 'index.html')].find(isFile);
    const sent = found ?? join(folder, '404.html');
    if (!isFile(sent)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
      return;
    }
    const type = types[extname(sent)] ?? 'application/octet-stream';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type });
    createReadStream(sent).pipe(response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function isFile(path: string | undefined): path is string {
  return path !== undefined && existsSync(path) && statSync(path).isFile();
}
