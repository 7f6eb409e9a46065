/* Shows: S-route-trailing-slash, S-route-html, S-route-index, S-route-not-found, R-404-html */
import { allRoutes } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const scriptHash = `sha256-${'A'.repeat(43)}=`;
const styleHash = `sha256-${'B'.repeat(43)}=`;
const script = 'assets/js/main.0123abcd.js';

const pages: Record<string, string> = {
  'index.html': '<!doctype html><title>Home</title>',
  '404.html': '<!doctype html><title>Page Not Found</title>',
  'docs/intro/index.html': '<!doctype html><title>Introduction</title>',
  'docs/category/datasets/index.html': '<!doctype html><title>Datasets</title>',
  'api/index.html': '<!doctype html><title>API</title>',
  'api/datasets/index.html': '<!doctype html><title>Datasets API</title>',
  'search/index.html': '<!doctype html><title>Search</title>',
  'markdown-page/index.html': '<!doctype html><title>Page</title>',
};
const files: Record<string, string> = {
  ...pages,
  [script]: 'console.log(1);'.repeat(100),
  'llms.txt': 'What there is\n',
  'docs/intro.md': '# Introduction\n',
};

/** Writes a complete site of a few files, as the build does. */
const writeSite = async (folder: string, text = '', baseUrl = '/'): Promise<void> => {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content + text);
  }
  await writeFile(join(folder, `${script}.br`), brotliCompressSync(files[script] ?? ''));
  await writeFile(join(folder, `${script}.gz`), gzipSync(files[script] ?? ''));
  await writeFile(join(folder, 'unlisted.txt'), 'must not be served');
  await writeFile(
    join(folder, '.site.json'),
    JSON.stringify({
      format: 1,
      baseUrl,
      files: Object.fromEntries(
        Object.keys(files).map((file, index) => [
          file,
          { etag: `etag-000${index}${text}`, packed: file === script ? ['br', 'gzip'] : [] },
        ]),
      ),
      pages: Object.fromEntries(
        Object.keys(pages).map((file) => [file, { scripts: [scriptHash], styles: [styleHash] }]),
      ),
      origins: { 'connect-src': ['https://*.search.example'] },
    }),
  );
};

describe('the documentation site on the server', () => {
  let folder: string;
  let site: string;
  let server: TestServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-site-'));
    site = join(folder, 'build');
    await writeSite(site);
    await symlink('/etc/passwd', join(site, 'passwd'));
    server = await startServer({ docsFolder: site });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' });

  /** The response of the server to exactly this request line. */
  const request = (line: string, more = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
        socket.write(`${line} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });

  test('each page is served at its URL with a trailing slash, whatever the request accepts', async () => {
    for (const [path, title] of [
      ['/', 'Home'],
      ['/docs/intro/', 'Introduction'],
      ['/docs/category/datasets/', 'Datasets'],
      ['/api/', 'API'],
      ['/api/?host=https://data.example.org', 'API'],
      ['/search/?q=label', 'Search'],
      ['/markdown-page/', 'Page'],
    ] as const) {
      for (const accept of [browserAccept, '*/*', 'application/json']) {
        const response = await get(path, { accept });
        equal(response.status, 200, path);
        equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
        match(await response.text(), new RegExp(`<title>${title}</title>`));
      }
    }
  });

  test('other URLs of a page redirect permanently to the canonical one, with their query string', async () => {
    for (const [path, expected] of [
      ['/docs/intro', '/docs/intro/'],
      ['/docs/intro?a=1&b=%2F', '/docs/intro/?a=1&b=%2F'],
      ['/docs/intro.html', '/docs/intro/'],
      ['/docs/intro/index.html?x', '/docs/intro/?x'],
      ['/docs/intro/index', '/docs/intro/'],
      ['/docs/intro/index/', '/docs/intro/'],
      ['/index.html', '/'],
      ['/index?q=1', '/?q=1'],
      ['/api', '/api/'],
      ['/search?q=a', '/search/?q=a'],
    ] as const) {
      const response = await get(path);
      equal(response.status, 301, path);
      equal(response.headers.get('location'), expected);
    }
  });

  test('no URL leads to another host or out of the folder, and unlisted files are not served', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/docs/intro',
      '//docs/intro',
      '/\\evil.example',
      '/%2Fevil.example/index.html',
      '/docs/../../../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/docs/intro/..%2f..%2f.site.json',
      '/.site.json',
      '/unlisted.txt',
      '/passwd',
      `/${script}.br`,
      '/404.html',
      '/404',
      '/docs/Intro/',
      '/docs/intro/%00',
    ]) {
      const response = await request(`GET ${path}`);
      match(response, /^HTTP\/1\.1 404 .*"name":"NotFoundError"/s, path);
    }
    match(await request('GET /docs/%ff'), /^HTTP\/1\.1 400 .*"BadRequestError"/s);
    match(await request('GET http://evil.example/docs/intro'), /\r\nlocation: \/docs\/intro\/\r\n/);
  });

  test('an unknown path is the not-found page for requests that prefer HTML, and JSON for all others', async () => {
    for (const [accept, isPage] of [
      [browserAccept, true],
      ['text/html', true],
      ['text/*, application/json;q=0.9', true],
      ['text/html, */*', true],
      ['text/html;q=0.8, application/json;q=0.5', true],
      ['text/html;q=0.5, application/json', false],
      ['text/html, application/json', false],
      ['text/html;q=0', false],
      ['*/*', false],
      ['application/json', false],
      ['image/png', false],
    ] as const) {
      const response = await get('/no/such/page', { accept });
      equal(response.status, 404, accept);
      const body = await response.text();
      if (isPage) match(body, /<title>Page Not Found<\/title>/, accept);
      else equal((JSON.parse(body) as { name: string }).name, 'NotFoundError', accept);
      match(response.headers.get('vary') ?? '', /Accept\b/);
    }
    const plain = await (await get('/nowhere?x=1')).json();
    deepEqual(plain, { name: 'NotFoundError', message: 'There is no GET /nowhere in this API.', code: 404 });
  });

  test('routes of the API take precedence over pages, and methods other than GET and HEAD get JSON', async () => {
    equal((await get('/health', { accept: browserAccept })).status, 200);
    const refused = await get('/datasets/', { accept: browserAccept });
    equal(refused.status, 401);
    match(refused.headers.get('content-type') ?? '', /^application\/json/);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await get('/docs/intro/', { accept: browserAccept }, method);
      equal(response.status, 404, method);
      equal(((await response.json()) as { name: string }).name, 'NotFoundError');
    }
  });

  test('no route of the API has a path of the site', () => {
    const siteFolders = new Set(['', 'docs', 'api', 'search', 'markdown-page', 'assets', 'img']);
    const taken = allRoutes.flatMap(({ path, aliases = [] }) =>
      [path, ...aliases].filter((one) => siteFolders.has(one.split('/')[1] ?? '')),
    );
    deepEqual(taken, []);
  });

  test('HEAD returns the headers of a page or file without its content', async () => {
    const head = await get(`/${script}`, { 'accept-encoding': 'identity' }, 'HEAD');
    equal(head.status, 200);
    equal(head.headers.get('content-length'), String(files[script]?.length));
    equal(await head.text(), '');
    equal((await get('/docs/intro/', {}, 'HEAD')).status, 200);
    equal((await get('/nowhere', { accept: browserAccept }, 'HEAD')).status, 404);
  });

  test('files with a hash in their name are cached for a year, and pages are revalidated and are 304 when unchanged', async () => {
    const kept = await get(`/${script}`);
    equal(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const page = await get('/docs/intro/');
    equal(page.headers.get('cache-control'), 'no-cache');
    const etag = page.headers.get('etag') ?? '';
    match(etag, /^"etag-/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/docs/intro/', { 'if-none-match': held });
      equal(again.status, 304, held);
      equal(await again.text(), '');
      equal(again.headers.get('etag'), etag);
      match(again.headers.get('content-security-policy') ?? '', /sha256-/);
    }
    equal((await get('/docs/intro/', { 'if-none-match': '"other"' })).status, 200);
    equal((await get('/no/page', { accept: browserAccept })).headers.get('etag'), null);
  });

  test('a file that exists in compressed form is sent compressed to clients that accept it', async () => {
    const tags = new Set<string | null>();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await get(`/${script}`, { 'accept-encoding': accepted });
      equal(response.headers.get('content-encoding'), encoding, accepted);
      equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
      match(response.headers.get('vary') ?? '', /Accept-Encoding/);
      equal(await response.text(), files[script]);
      tags.add(response.headers.get('etag'));
    }
    equal(tags.size, 3);
  });

  test('a page runs only its own scripts, cannot be framed, and connects only to hosts that the site was built with', async () => {
    const { headers } = await get('/docs/intro/');
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      `script-src 'self' '${scriptHash}'`,
      `style-src 'self' 'unsafe-hashes' '${styleHash}'`,
      "connect-src 'self' https://*.search.example",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      ok(policy.split('; ').includes(part), part);
    ok(!/unsafe-inline|unsafe-eval|https?:\/\/(?!\*\.search)/.test(policy), policy);
    equal(headers.get('x-content-type-options'), 'nosniff');
    equal(headers.get('x-frame-options'), 'DENY');
    equal(headers.get('referrer-policy'), 'no-referrer');
    const asset = await get(`/${script}`);
    equal(asset.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  });

  test('only the pages of the API reference may connect to any host, since their reader enters one', async () => {
    for (const [path, reach] of [
      ['/api/?host=https://data.example.org', ' https: http:'],
      ['/api/datasets/', ' https: http:'],
      ['/docs/intro/?host=https://data.example.org', ''],
      ['/', ''],
    ] as const) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      const part = policy.split('; ').find((one) => one.startsWith('connect-src'));
      equal(part, `connect-src 'self'${reach} https://*.search.example`, path);
    }
  });

  test('pages and files of the site do not count against the limit of an address, but unknown paths do', async () => {
    const limited = await startServer({
      docsFolder: site,
      protection: { rateLimits: { perCredential: 0, perAddress: 5 } },
    });
    try {
      const path = async (one: string, headers: Record<string, string> = {}) =>
        (await fetch(`${limited.url}${one}`, { headers })).status;
      for (let count = 0; count < 20; count += 1) {
        equal(await path(`/${script}`), 200);
        equal(await path('/docs/intro/', { authorization: 'Bearer no.such.token' }), 200);
      }
      const statuses = [];
      for (let count = 0; count < 7; count += 1) statuses.push(await path('/nowhere'));
      deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429]);
      for (const accept of ['*/*', browserAccept])
        equal(await path('/nowhere', { accept, authorization: 'Bearer no.such.token' }), 429, accept);
      equal(await path('/docs/intro/'), 200);
    } finally {
      await limited.close();
    }
  });

  test('the log has one name for all URLs of the site', async () => {
    await get('/docs/intro/?secret=in-an-address');
    await get('/a-path-that-nobody-knows');
    const log = server.log.join('');
    ok(log.includes('"route":"site"'));
    ok(!/in-an-address|a-path-that-nobody-knows/.test(log));
  });

  test('a missing site responds that it is being built, and a new or changed site is served at once', async () => {
    const later = join(folder, 'later');
    const waiting = await startServer({ docsFolder: later });
    try {
      const send = (path: string, accept = browserAccept) =>
        fetch(`${waiting.url}${path}`, { headers: { accept } });
      for (const path of ['/', '/docs/intro/', '/api/', '/search/?q=a']) {
        const absent = await send(path);
        equal(absent.status, 503, path);
        equal(absent.headers.get('retry-after'), '5');
        match(await absent.text(), /npm run docs:build/);
      }
      equal((await send('/', '*/*')).status, 404);
      equal((await send('/nowhere')).status, 404);
      equal((await send('/health')).status, 200);
      await cp(site, join(folder, 'made'), { recursive: true });
      await rename(join(folder, 'made'), later);
      waiting.runtime.clock.advance(1000);
      equal((await send('/docs/intro/')).status, 200);
      const other = join(folder, 'other');
      await writeSite(other, '2');
      await rename(later, join(folder, 'old'));
      await rename(other, later);
      waiting.runtime.clock.advance(1000);
      match(await (await send('/docs/intro/')).text(), /Introduction<\/title>2/);
      await writeFile(join(later, '.site.json'), '{"format":1,"baseUrl":"/help/"}');
      waiting.runtime.clock.advance(1000);
      equal((await send('/docs/intro/')).status, 503);
      match(waiting.log.join(''), /must be the manifest of a built site, .* Run npm run docs:build/);
    } finally {
      await waiting.close();
    }
  });

  test('without a site every unknown path is JSON, also for browsers', async () => {
    const bare = await startServer();
    try {
      for (const path of ['/', '/docs/intro/']) {
        const response = await fetch(`${bare.url}${path}`, { headers: { accept: browserAccept } });
        equal(response.status, 404);
        equal(((await response.json()) as { name: string }).name, 'NotFoundError');
      }
    } finally {
      await bare.close();
    }
  });
});

test('the pages of the console are served whatever the request accepts, but sign-in pages only to browsers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-console-'));
  const built = join(folder, 'build');
  const server = await startServer({ consoleFolder: built });
  try {
    const statusOf = async (path: string, accept: string): Promise<number> =>
      (await fetch(`${server.url}${path}`, { headers: { accept } })).status;
    const accepts = [browserAccept, '*/*', 'application/json'];
    for (const accept of accepts) equal(await statusOf('/app/', accept), 503, accept);
    await writeSite(built, '', '/app/');
    server.runtime.clock.advance(1000);
    for (const path of ['/app/', '/app/datasets/any']) {
      for (const accept of accepts) equal(await statusOf(path, accept), 200, `${path} ${accept}`);
    }
    equal(await statusOf('/app/assets/absent.js', '*/*'), 404);
    equal(await statusOf('/login', browserAccept), 200);
    equal(await statusOf('/login', '*/*'), 404);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
