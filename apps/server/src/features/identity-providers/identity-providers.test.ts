/* Shows: E-CustomIdentityProvider-id, E-CustomIdentityProvider-workspaceId,
   E-CustomIdentityProvider-providerType, E-CustomIdentityProvider-config,
   E-CustomIdentityProvider-config-key, E-CustomIdentityProvider-config-secret,
   E-CustomIdentityProvider-config-authorizeUrl, E-CustomIdentityProvider-config-accessUrl,
   E-CustomIdentityProvider-config-profileUrl, E-CustomIdentityProvider-config-scope,
   E-CustomIdentityProvider-config-nonce, E-CustomIdentityProvider-config-state,
   E-CustomIdentityProvider-config-oauth, L30 */
import { sendRequest, createWorkspace, type TestWorkspace } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { CustomIdentityProvider } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const path = '/custom-identity-providers';
const config = {
  key: 'redoubt',
  secret: 'a secret that nobody reads again',
  authorizeUrl: 'https://id.example.org/authorize',
  accessUrl: 'https://id.example.org/token',
  profileUrl: 'https://id.example.org/me',
};

let server: TestServer;
let workspace: TestWorkspace;
before(async () => {
  server = await startServer();
});
after(() => server.close());

const withToken = (token: string) => ({
  list: (search = '') =>
    sendRequest<{ total: number; data: CustomIdentityProvider[] }>(server, 'GET', `${path}${search}`, {
      token,
    }),
  get: (id: string) => sendRequest<CustomIdentityProvider>(server, 'GET', `${path}/${id}`, { token }),
  create: (body: unknown) =>
    sendRequest<CustomIdentityProvider & { message: string }>(server, 'POST', path, { token, body }),
  patch: (id: string, body: unknown) =>
    sendRequest<CustomIdentityProvider & { message: string }>(server, 'PATCH', `${path}/${id}`, {
      token,
      body,
    }),
  remove: (id: string) => sendRequest<CustomIdentityProvider>(server, 'DELETE', `${path}/${id}`, { token }),
});

describe('identity providers of a workspace', () => {
  before(async () => {
    workspace = await createWorkspace(server);
  });

  test('an identity provider is created, read, listed, changed and deleted, and no response contains its secret', async () => {
    const admin = withToken(workspace.admin.token);
    const made = await admin.create({ workspaceId: workspace.id, providerType: 'keycloak', config });
    assert.equal(made.status, 201);
    const { id } = made.body;
    const { secret, ...shown } = config;
    const expected = {
      id,
      workspaceId: workspace.id,
      providerType: 'keycloak',
      config: { ...shown, scope: ['openid', 'email', 'profile'], nonce: true, state: true, oauth: 2 },
    };
    assert.deepEqual(made.body, expected);
    assert.deepEqual((await admin.get(id)).body, expected);
    assert.deepEqual((await admin.list('?providerType=keycloak')).body.data, [expected]);
    const changed = await admin.patch(id, { ...expected, config: { ...expected.config, scope: 'openid x' } });
    assert.deepEqual(changed.body.config.scope, ['openid', 'x']);
    assert.deepEqual((await admin.get(id)).body, changed.body);
    assert.equal((await admin.patch(id, { config: { secret: 'another secret' } })).status, 200);
    assert.deepEqual((await admin.remove(id)).body, changed.body);
    assert.equal((await admin.get(id)).status, 404);
    assert.ok(!server.log.join('').includes(secret));
  });

  test('a workspace has at most one identity provider of each type', async () => {
    const own = await createWorkspace(server);
    const admin = withToken(own.admin.token);
    assert.equal((await admin.create({ config })).status, 201);
    const second = await admin.create({ providerType: 'custom', config });
    assert.equal(second.status, 409);
    assert.match(second.body.message, /already has an identity provider of type "custom"/);
    assert.equal((await admin.create({ providerType: 'microsoft', config })).status, 201);
    for (const providerType of ['saml', ''])
      assert.equal((await admin.create({ providerType, config })).status, 400, providerType);
  });

  test('L30: addresses of an identity provider must be https and outside of private networks', async () => {
    const admin = withToken((await createWorkspace(server)).admin.token);
    const { id } = (await admin.create({ config })).body;
    for (const field of ['authorizeUrl', 'accessUrl', 'profileUrl']) {
      for (const address of [
        'http://id.example.org/token',
        'https://localhost/token',
        'https://127.0.0.1/token',
        'https://10.1.2.3/token',
        'https://169.254.169.254/latest',
        'https://[::ffff:192.168.0.1]/',
        'https://3232235521/',
        'https://user:password@id.example.org/',
        'file:///etc/passwd',
        'token',
      ]) {
        const wrong = { ...config, [field]: address };
        const refused = await admin.create({ providerType: 'okta', config: wrong });
        assert.equal(refused.status, 400, `${field} ${address}`);
        assert.match(refused.body.message, new RegExp(`config.${field}`));
        assert.equal((await admin.patch(id, { config: wrong })).status, 400, `${field} ${address}`);
      }
    }
  });

  test('a provider of type github must have addresses of GitHub or of a GitHub Enterprise Server', async () => {
    const admin = withToken((await createWorkspace(server)).admin.token);
    const github = {
      key: 'k',
      secret: 's',
      authorizeUrl: 'https://github.com/login/oauth/authorize',
      accessUrl: 'https://github.com/login/oauth/access_token',
      profileUrl: 'https://api.github.com/user',
    };
    const made = await admin.create({ providerType: 'github', config: github });
    assert.equal(made.status, 201);
    assert.deepEqual(made.body.config.scope, ['read:user', 'user:email']);
    const wrong = { ...github, accessUrl: 'https://github.com/token' };
    assert.equal((await admin.patch(made.body.id, { config: wrong })).status, 400);
    assert.equal((await admin.create({ providerType: 'google', config })).status, 201);
  });

  test('the stored secret of a provider is never sent to another address or for another client', async () => {
    const admin = withToken((await createWorkspace(server)).admin.token);
    const { id } = (await admin.create({ config })).body;
    for (const change of [{ accessUrl: 'https://thief.example.org/token' }, { key: 'another' }]) {
      const refused = await admin.patch(id, { config: change });
      assert.equal(refused.status, 400);
      assert.match(refused.body.message, /config\.secret/);
      assert.equal((await admin.patch(id, { config: { ...change, secret: 'new' } })).status, 200);
    }
  });

  test('of two changes at once, none puts a new secret beside an old address', async () => {
    const admin = withToken((await createWorkspace(server)).admin.token);
    const { id } = (await admin.create({ config })).body;
    for (let round = 0; round < 10; round++) {
      const accessUrl = `https://id.example.org/token-${String(round)}`;
      const changes = await Promise.all([
        admin.patch(id, { config: { scope: `openid s${String(round)}` } }),
        admin.patch(id, { config: { accessUrl, secret: `secret of round ${String(round)}` } }),
        admin.patch(id, { config: { scope: `openid t${String(round)}` } }),
      ]);
      assert.deepEqual(
        changes.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.equal((await admin.get(id)).body.config.accessUrl, accessUrl);
    }
  });

  test('nonce and state cannot be turned off, and workspace, type and OAuth version cannot be changed', async () => {
    const admin = withToken((await createWorkspace(server)).admin.token);
    const { id } = (await admin.create({ config })).body;
    for (const wrong of [
      { nonce: false },
      { state: false },
      { oauth: 1 },
      { scope: 'email' },
      { scope: [] },
      { response: ['tokens'] },
    ]) {
      assert.equal((await admin.patch(id, { config: wrong })).status, 400, JSON.stringify(wrong));
    }
    for (const wrong of [{ workspaceId: workspace.id }, { providerType: 'okta' }, { id: 'other' }])
      assert.equal((await admin.patch(id, wrong)).status, 403, JSON.stringify(wrong));
    assert.equal((await admin.create({ workspaceId: workspace.id, config })).status, 404);
  });
});
