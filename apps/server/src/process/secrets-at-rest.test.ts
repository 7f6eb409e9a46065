/* Shows: L-hazard-secrets, A-mail, A-secrets-at-rest */
import { openDatabase } from '@redoubt/server/testing';
import { openChdbEngine } from '@redoubt/records';
import {
  sendRequest,
  createFormBrowser,
  createWorkspace,
  signIn,
  signUp,
  startMailServer,
  type MailServer,
} from '@redoubt/testkit';
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';

/** The secrets that must not be found anywhere, by a description. */
const secrets = new Map<string, string>();
const keep = (what: string, secret: unknown): string => {
  assert.ok(typeof secret === 'string' && secret.length >= 8, `${what}: ${String(secret)}`);
  secrets.set(`${what} ${secrets.size}`, secret);
  return secret;
};

/** The encodings in which a secret could be stored. */
const formsOf = (secret: string): [form: string, bytes: Buffer][] => {
  const bytes = Buffer.from(secret);
  return [
    ['as it is', bytes],
    ['in base64', Buffer.from(bytes.toString('base64').replace(/=+$/, '').slice(0, -1))],
    ['in hexadecimal', Buffer.from(bytes.toString('hex'))],
    ['percent-encoded', Buffer.from(encodeURIComponent(secret))],
  ];
};

const findIn = (content: Buffer): string[] =>
  [...secrets].flatMap(([what, secret]) =>
    formsOf(secret)
      .filter(([, bytes]) => content.includes(bytes))
      .map(([form]) => `${what}, ${form}`),
  );

describe('secrets at rest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-at-rest-'));
  const data = join(folder, 'data');
  let post: MailServer;
  let server: ServerProcess;
  before(async () => {
    post = await startMailServer();
    server = await startServerProcess({
      dataDir: await migrateDataFolder(data),
      environment: { SMTP_URL: post.url, MAIL_FROM: 'redoubt@example.org', LOG_LEVEL: 'debug' },
    });
  });
  after(async () => {
    await server.kill();
    await post.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The tokens of mailed links to a page; waits until there are `count`. */
  const mailed = async (page: string, count: number): Promise<string[]> => {
    for (;;) {
      const found = post.mails.flatMap(({ text }) => [
        ...text.matchAll(new RegExp(`/${page}[/#]([\\w-]+)`, 'g')),
      ]);
      if (found.length >= count) return found.map(([, token]) => keep(`a link to ${page}`, token));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const send = async <T>(method: 'GET' | 'POST' | 'PATCH', path: string, token?: string, body?: unknown) => {
    const response = await sendRequest<T>(server, method, path, {
      ...(token && { token }),
      ...(body ? { body } : {}),
    });
    assert.ok(
      response.status < 300,
      `${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`,
    );
    return response.body;
  };

  const useLinks = async (): Promise<void> => {
    const person = await signUp(server, 'mover');
    keep('a password', person.password);
    keep('an access token', person.token);
    const [verification = ''] = (await mailed('verify-email', 2)).slice(-1);
    await send('POST', '/email-verifications/confirm', undefined, { token: verification });
    await send('PATCH', `/users/${person.id}`, person.token, { email: 'moved@example.org' });
    for (const token of await mailed('change-email', 2))
      await send('POST', '/email-changes/confirm', undefined, { token });
    await send('POST', '/password-resets', undefined, { email: 'moved@example.org' });
    const [reset] = await mailed('reset-password', 1);
    const password = keep('a password', 'the password after the reset');
    await send('POST', '/password-resets/confirm', undefined, { token: reset, password });
    keep('an access token', await signIn(server, { email: 'moved@example.org', password }));
    const wrong = keep('a wrong password', 'a password that was mistyped');
    await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: 'moved@example.org', password: wrong },
    });
  };

  const useKeys = async (token: string, workspaceId: string): Promise<void> => {
    const key = await send<{ key: string }>('POST', '/api-keys', token, {
      name: 'Load',
      workspaceId,
      groupNames: [],
      attributeNames: [],
    });
    keep('an API key', key.key);
    const exchanged = await send<{ accessToken: string }>('POST', '/authentication?apiKey=true', undefined, {
      strategy: 'apiKey',
      key: key.key,
    });
    keep('an access token of a key', exchanged.accessToken);
    await sendRequest(server, 'GET', '/datasets', { headers: { 'x-api-key': key.key } });
    await sendRequest(server, 'GET', '/datasets', {
      headers: { 'x-api-key': keep('a wrong key', `${key.key}x`) },
    });
    await send('POST', '/custom-identity-providers', token, {
      config: {
        key: 'redoubt',
        secret: keep('a provider secret', 'a secret of the provider'),
        authorizeUrl: 'https://id.example.org/authorize',
        accessUrl: 'https://id.example.org/token',
        profileUrl: 'https://id.example.org/me',
      },
    });
  };

  const useApplication = async (
    admin: { token: string; id: string; email: string; password: string },
    workspaceId: string,
  ): Promise<void> => {
    const application = await send<{ id: string; clientId: string; clientSecret: string }>(
      'POST',
      '/applications',
      admin.token,
      {
        name: 'Atlas',
        url: 'https://atlas.example.org',
        redirectUrl: 'https://atlas.example.org/back',
        workspaceId,
        allowedUsers: [admin.id],
      },
    );
    keep('a client secret', application.clientSecret);
    const again = await send<{ clientSecret: string }>(
      'PATCH',
      `/applications/${application.id}`,
      admin.token,
      {
        resetSecret: true,
      },
    );
    keep('a client secret', again.clientSecret);
    const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: application.clientId,
      redirect_uri: 'https://atlas.example.org/back',
      state: 'state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const browser = createFormBrowser(server);
    const page = await browser.open(`/oauth2/auth?${parameters.toString()}`);
    const signedIn = await browser.submit(page.forms[0], { email: admin.email, password: admin.password });
    const { location = '' } = await browser.submit(signedIn.forms[0], { decision: 'allow' });
    const code = keep('a code', new URL(location).searchParams.get('code'));
    const exchange = async (fields: Record<string, string>) => {
      const response = await fetch(`${server.url}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: application.clientId,
          client_secret: again.clientSecret,
          ...fields,
        }),
      });
      const tokens = (await response.json()) as { access_token: string; refresh_token: string };
      keep('an access token of an application', tokens.access_token);
      return keep('a refresh token', tokens.refresh_token);
    };
    const refreshToken = await exchange({
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://atlas.example.org/back',
      code_verifier: verifier,
    });
    await exchange({ grant_type: 'refresh_token', refresh_token: refreshToken });
  };

  test('the data folder and a dump of both databases contain no password, key, client secret, provider secret, link or token', async () => {
    const { admin, id: workspaceId } = await createWorkspace(server);
    keep('a password', admin.password);
    keep('an access token', admin.token);
    await useLinks();
    const guest = await signUp(server, 'guest');
    const names = { firstName: 'G', lastName: 'U', password: keep('a password', 'a password nobody used') };
    await send('POST', '/users', admin.token, { email: guest.email, ...names });
    await mailed('invite', 1);
    await useKeys(admin.token, workspaceId);
    await useApplication(admin, workspaceId);
    assert.ok(secrets.size >= 20, `${secrets.size} secrets were used`);
    assert.deepEqual(findIn(Buffer.from(server.output())), [], 'in the log');
    await server.stop();

    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    assert.ok(files.length > 100);
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      assert.deepEqual(findIn(readFileSync(path)), [], relative(data, path));
    }
    for (const name of ['signing.key', 'secrets.keys'])
      assert.equal(statSync(join(data, name)).mode & 0o77, 0, name);

    // Databases compress their files, so search the rows that they return as well.
    const copy = join(folder, 'copy');
    cpSync(data, copy, { recursive: true });
    const db = await openDatabase({ dataDir: join(copy, 'metadata') });
    const tables = await db.introspection.getTables();
    let dump = '';
    for (const { name } of tables) {
      const rows = await db
        .selectFrom(name as 'accounts')
        .selectAll()
        .execute();
      const text = JSON.stringify(rows);
      dump += text;
      assert.deepEqual(findIn(Buffer.from(text)), [], name);
    }
    await db.destroy();
    assert.ok(tables.length > 30, `${tables.length} tables`);
    for (const known of ['moved@example.org', 'https://id.example.org/token', 'Atlas'])
      assert.ok(dump.includes(known), `the dump does not contain ${known}, which is not a secret`);
    const engine = await openChdbEngine({ path: join(copy, 'records') });
    const found = await engine.text(
      "SELECT concat('`', database, '`.`', name, '`') FROM system.tables WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')",
      { lane: 'short' },
    );
    for (const name of found.split('\n').filter(Boolean)) {
      const rows = await engine.text(`SELECT * FROM ${name}`, { lane: 'short', format: 'JSONEachRow' });
      assert.deepEqual(findIn(Buffer.from(rows)), [], name);
    }
    await engine.close();
  });
});
