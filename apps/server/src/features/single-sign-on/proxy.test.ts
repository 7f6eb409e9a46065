/* Shows: F-POST-/authentication-proxy, D-proxy, R-auth-proxy-fields, V-strategy-proxy, W-auth-proxy */
import type { AuthenticationResult } from '@redoubt/contract';
import { addMember, sendRequest, createWorkspace, type TestPerson } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const secret = 'what the proxy and the server know alone';
const settings = { from: ['127.0.0.0/8'], secret, emailHeader: 'x-forwarded-email' };
let server: TestServer;
before(async () => {
  server = await startServer({ singleSignOn: { proxy: settings } });
});
after(() => server.close());

type SignInResponse = AuthenticationResult & { message: string };
/** Signs in behind a proxy, with the headers that the proxy adds. */
const signInBehind = (headers: Record<string, string>, more: object = {}, at = server) =>
  sendRequest<SignInResponse>(at, 'POST', '/authentication', {
    headers,
    body: { strategy: 'proxy', email: '', password: '', firstName: 'Pat', ...more },
  });
const vouched = (email: string) => ({ 'x-proxy-secret': secret, 'x-forwarded-email': email });
const verify = ({ id }: Pick<TestPerson, 'id'>) =>
  server.db.updateTable('accounts').set({ verified: true }).where('id', '=', id).execute();

describe('signing in through a proxy', () => {
  test('a listed proxy with the secret signs in the person that it names, in the requested workspace', async () => {
    const workspace = await createWorkspace(server);
    const person = await addMember(server, workspace);
    await verify(person);
    const response = await signInBehind(vouched(person.email.toUpperCase()), { workspaceId: workspace.id });
    assert.equal(response.status, 201, response.body.message);
    assert.deepEqual([response.body.user.id, response.body.authentication.strategy], [person.id, 'proxy']);
    const me = await sendRequest(server, 'GET', '/me', { token: response.body.accessToken });
    assert.deepEqual([me.body['email'], me.body['workspaceId']], [person.email, workspace.id]);
  });

  test('a proxy creates an account for a new person, with a verified address and no workspace', async () => {
    const { status, body } = await signInBehind(vouched('pat@example.org'));
    assert.equal(status, 201, body.message);
    assert.deepEqual([body.user.firstName, body.user.verified, body.user.workspaceCount], ['Pat', true, 0]);
    assert.equal((await signInBehind(vouched('pat@example.org'))).body.user.id, body.user.id);
    const workspace = await createWorkspace(server);
    const stranger = await signInBehind(vouched('stranger@example.org'), { workspaceId: workspace.id });
    assert.equal(stranger.status, 401);
    assert.match(stranger.body.message, /not a member/);
  });

  test('the header with the person is ignored without the secret or from another address', async () => {
    const workspace = await createWorkspace(server);
    const person = await addMember(server, workspace);
    await verify(person);
    const wrong: Record<string, string>[] = [
      { 'x-forwarded-email': person.email },
      { 'x-forwarded-email': person.email, 'x-proxy-secret': '' },
      { 'x-forwarded-email': person.email, 'x-proxy-secret': `${secret}x` },
      { 'x-forwarded-email': person.email, 'x-proxy-secret': secret.slice(1) },
    ];
    for (const headers of wrong) {
      const { status, body } = await signInBehind(headers);
      assert.equal(status, 401);
      assert.match(body.message, /does not come through a proxy/);
    }
    const elsewhere = await startServer({
      singleSignOn: { proxy: { ...settings, from: ['192.0.2.0/24'] } },
    });
    try {
      const headers = { ...vouched(person.email), 'x-forwarded-for': '192.0.2.1' };
      const { status, body } = await signInBehind(headers, {}, elsewhere);
      assert.equal(status, 401);
      assert.match(body.message, /does not come through a proxy/);
    } finally {
      await elsewhere.close();
    }
  });

  test('a proxy that names nobody, or several people, signs in nobody', async () => {
    for (const email of ['', ' ', 'no address', 'a@example.org, b@example.org', 'a@b c']) {
      const { status, body } = await signInBehind(vouched(email));
      assert.equal(status, 401, email);
      assert.match(body.message, /does not identify the person/);
    }
  });

  test('behind a proxy nobody can name another person or send a password', async () => {
    const headers = vouched('quin@example.org');
    assert.equal((await signInBehind(headers, { email: 'other@example.org' })).status, 401);
    assert.equal((await signInBehind(headers, { email: 'Quin@example.org' })).status, 201);
    assert.equal((await signInBehind(headers, { password: 'x' })).status, 400);
  });

  test('a proxy cannot sign in a person with an unverified address', async () => {
    const workspace = await createWorkspace(server);
    const person = await addMember(server, workspace);
    const { status, body } = await signInBehind(vouched(person.email), { workspaceId: workspace.id });
    assert.equal(status, 401);
    assert.match(body.message, /has not confirmed it/);
  });

  test('signing in through a proxy is off unless it is set up', async () => {
    const plain = await startServer();
    try {
      const { status, body } = await signInBehind(vouched('pat@example.org'), {}, plain);
      assert.equal(status, 401);
      assert.match(body.message, /is turned off on this server/);
    } finally {
      await plain.close();
    }
  });
});
