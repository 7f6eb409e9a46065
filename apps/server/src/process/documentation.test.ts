import { migrateDataFolder, startServerProcess } from '@redoubt/server/testing';
import { equal, match, ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const built = join(import.meta.dirname, '../../../docs/build/.site.json');
const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('the documentation on the server', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-docs-')));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('a start prints the URL of the documentation, which is served if it is built, and reported as being built otherwise', async () => {
    const server = await startServerProcess({ dataDir, environment: { DOCS_DIR: '' } });
    try {
      ok(server.output().includes(`Read the documentation on ${server.url}/\n`), server.output());
      const wasThere = existsSync(built);
      const home = await fetch(`${server.url}/`, asBrowser);
      // Another process may build it at the same time.
      if (wasThere === existsSync(built)) equal(home.status, wasThere ? 200 : 503);
      match(await home.text(), /^<!doctype html>/i);
      match(home.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      equal((await fetch(`${server.url}/health`, asBrowser)).status, 200);
    } finally {
      await server.kill();
    }
  });

  test('with DOCS_DIR=none there are no pages, and the start mentions none', async () => {
    const server = await startServerProcess({ dataDir, environment: { DOCS_DIR: 'none' } });
    try {
      ok(!server.output().includes('documentation'));
      const home = await fetch(`${server.url}/`, asBrowser);
      equal(home.status, 404);
      match(home.headers.get('content-type') ?? '', /^application\/json/);
    } finally {
      await server.kill();
    }
  });
});
