/* Shows: A-rotation, A-operator-accounts */
import { sendRequest, startMailServer, type MailServer } from '@redoubt/testkit';
import {
  programEnvironment,
  migrateDataFolder,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const program = join(import.meta.dirname, '../redoubt.ts');

describe('the command line of operators', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-operator-'));
  let post: MailServer;
  let server: ServerProcess;
  before(async () => {
    post = await startMailServer();
    server = await startServerProcess({
      dataDir: await migrateDataFolder(folder),
      environment: { SMTP_URL: post.url, MAIL_FROM: 'redoubt@example.org', SIGN_UP: 'invited' },
    });
  });
  after(async () => {
    await server.kill();
    await post.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const redoubt = (...args: string[]): Promise<{ code: number; text: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [program, ...args],
        { env: { ...programEnvironment, DATA_DIR: folder } },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : 1, text: stdout + stderr });
        },
      );
    });
  const linkIn = (text: string): string => {
    const [, token] = new RegExp(`^${server.url}/reset-password#([\\w-]+)$`, 'm').exec(text) ?? [];
    assert.ok(token, text);
    return token;
  };
  const setPassword = (token: string, password: string) =>
    sendRequest(server, 'POST', '/password-resets/confirm', { body: { token, password } });
  const signIn = async (email: string, password: string, workspaceId?: string) => {
    const body = { strategy: 'local', email, password, ...(workspaceId && { workspaceId }) };
    return sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body });
  };
  const roleIn = async (token: string): Promise<unknown> => {
    const { body } = await sendRequest<{ id: string }>(server, 'GET', '/users?$limit=-1', { token });
    return (body as unknown as { data: { email: string; role: string }[] }).data.find(({ email }) => email)
      ?.role;
  };

  test('the operator creates the first admin where nobody can sign up, with a link that works once', async () => {
    const { code, text } = await redoubt('accounts', 'create-admin', 'First@Example.org');
    assert.equal(code, 0, text);
    assert.match(text, /"main"/);
    const email = 'first@example.org';
    assert.equal((await signIn(email, '')).status, 401, 'without a password');
    const token = linkIn(text);
    assert.equal((await setPassword(token, 'the first password')).status, 201);
    assert.equal((await setPassword(token, 'another password')).status, 404);
    const { status, body } = await signIn(email, 'the first password');
    assert.equal(status, 201);
    assert.equal(await roleIn(body.accessToken), 'admin');
  });

  test('the operator makes the owner of an existing account an admin, and gets no link to it', async () => {
    const { body: first } = await signIn('first@example.org', 'the first password', 'main');
    const person = {
      email: 'second@example.org',
      firstName: 'S',
      lastName: 'O',
      password: 'a second password',
    };
    const made = await sendRequest<{ id: string }>(server, 'POST', '/users', {
      token: first.accessToken,
      body: person,
    });
    const { code, text } = await redoubt('accounts', 'create-admin', person.email, 'main');
    assert.equal(code, 0, text);
    assert.ok(!text.includes('/reset-password#'), text);
    const { body } = await signIn(person.email, person.password, 'main');
    const { body: seen } = await sendRequest<{ total: number }>(server, 'GET', '/users?role=admin', {
      token: body.accessToken,
    });
    assert.equal(seen.total, 2);
    const refused = await redoubt('accounts', 'create-admin', person.email, 'other');
    assert.deepEqual(
      [refused.code, /accounts reset second@example.org/.test(refused.text)],
      [1, true],
      refused.text,
    );
    const chosen = { currentPassword: person.password, password: 'their own password' };
    const changed = await sendRequest(server, 'PATCH', `/users/${made.body.id}`, {
      token: body.accessToken,
      body: chosen,
    });
    assert.equal(changed.status, 200);
    const other = await redoubt('accounts', 'create-admin', person.email, 'other');
    assert.equal(other.code, 0, other.text);
    assert.equal((await signIn(person.email, chosen.password, 'other')).status, 201);
    const unsaid = await redoubt('accounts', 'create-admin', person.email);
    assert.deepEqual([unsaid.code, /Name the one/.test(unsaid.text)], [1, true], unsaid.text);
  });

  test('the operator resets an account with a link that ends its sessions', async () => {
    const { body } = await signIn('second@example.org', 'their own password', 'main');
    const { code, text } = await redoubt('accounts', 'reset', 'second@example.org');
    assert.equal(code, 0, text);
    assert.equal(
      (await sendRequest(server, 'GET', '/me', { token: body.accessToken })).status,
      200,
      'not yet',
    );
    assert.equal((await setPassword(linkIn(text), 'a third password')).status, 201);
    assert.equal((await sendRequest(server, 'GET', '/me', { token: body.accessToken })).status, 401);
    assert.equal((await signIn('second@example.org', 'a third password', 'main')).status, 201);
    while (
      !post.mails.some(
        ({ to, subject }) => to.includes('second@example.org') && /password was changed/.test(subject),
      )
    )
      await setTimeout(50);
    const nobody = await redoubt('accounts', 'reset', 'nobody@example.org');
    assert.deepEqual(
      [nobody.code, nobody.text],
      [1, 'No account has the address "nobody@example.org". Check the address.\n'],
    );
  });

  test('the operator rotates the key of the secrets while the server runs', async () => {
    const file = join(folder, 'secrets.keys');
    const before = readFileSync(file, 'utf8');
    const { body: first } = await signIn('first@example.org', 'the first password', 'main');
    const provider = {
      providerType: 'custom',
      config: {
        key: 'redoubt',
        secret: 'a secret of the provider',
        authorizeUrl: 'https://id.example.org/authorize',
        accessUrl: 'https://id.example.org/token',
        profileUrl: 'https://id.example.org/me',
      },
    };
    const made = await sendRequest(server, 'POST', '/custom-identity-providers', {
      token: first.accessToken,
      body: provider,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { code, text } = await redoubt('secrets', 'rotate');
    assert.equal(code, 0, text);
    assert.match(text, /^[1-9]\d* secrets were encrypted again/);
    const now = readFileSync(file, 'utf8');
    assert.ok(!now.includes(before.trim()) && now.trim().split('\n').length === 1);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const log = server.output();
    assert.ok(!log.includes(now.trim()) && !log.includes('a secret of the provider'));
  });

  test('an unknown command prints the usage, and without a running server the error says so', async () => {
    for (const args of [
      [],
      ['accounts'],
      ['accounts', 'reset'],
      ['secrets', 'rotate', 'x'],
      ['accounts', 'drop', 'x'],
    ]) {
      const { code, text } = await redoubt(...args);
      assert.deepEqual([code, text.startsWith('Usage: npm run redoubt')], [1, true], text);
    }
    await server.stop();
    const { code, text } = await redoubt('secrets', 'rotate');
    assert.deepEqual([code, text.startsWith('No server is running on')], [1, true], text);
  });
});
