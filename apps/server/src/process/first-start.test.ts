import { ServerDidNotStart, startServerProcess } from '@redoubt/server/testing';
import { match, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

describe('the first start', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'redoubt-first-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('an unknown option is rejected by its name', async () => {
    await rejects(
      startServerProcess({ dataDir, args: ['--dmeo'] }),
      (error) =>
        error instanceof ServerDidNotStart && /^Unknown option "--dmeo"\. .*--demo.*\n$/.test(error.output),
    );
  });

  test('where nobody can sign up, the start says how to create the first account', async () => {
    const server = await startServerProcess({ dataDir, environment: { SIGN_UP: 'invited' } });
    while (!server.output().includes('SIGN_UP')) await new Promise((resolve) => setTimeout(resolve, 20));
    match(
      server.output(),
      /The server has no account, and nobody can sign up \(SIGN_UP is invited\)\. .* start once with SIGN_UP=open\./,
    );
    await server.kill();
  });

  test('where nobody can sign up, the demo fails with one line that says what to set', async () => {
    const server = await startServerProcess({
      dataDir,
      args: ['--demo'],
      environment: { SIGN_UP: 'closed', LOG_LEVEL: 'silent' },
    });
    while (!server.output().includes('SIGN_UP')) await new Promise((resolve) => setTimeout(resolve, 20));
    match(server.output(), /\nThe demo creates accounts, but SIGN_UP is closed\. .* set SIGN_UP=open\.\n$/);
    await server.kill();
  });
});
