/* Shows: A-derived-sessions, E-Session */
import { addMember, sendRequest, createWorkspace, signIn, signUp } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { Session } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

const list = async (token: string, query = '') =>
  (await sendRequest<{ total: number; data: Session[] }>(server, 'GET', `/sessions${query}`, { token })).body;
const remove = (token: string, id: string) =>
  sendRequest<Session>(server, 'DELETE', `/sessions/${id}`, { token });
const me = async (token: string) => (await sendRequest(server, 'GET', '/me', { token })).status;

describe('one’s own sessions', () => {
  test('people see their own valid sessions, and which one is current', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const second = await signIn(server, member);
    const { total, data } = await list(member.token, '?$sort[createdAt]=1');
    assert.equal(total, 2);
    assert.deepEqual(
      data.map(({ workspaceId, credential, current }) => [workspaceId, credential, current]),
      [
        [workspace.id, 'session', true],
        [workspace.id, 'session', false],
      ],
    );
    for (const { createdAt, expiresAt } of data)
      assert.equal(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 3_600_000), 24);
    assert.deepEqual(
      (await list(second, '?current=true')).data.map(({ id }) => id),
      data.slice(1).map(({ id }) => id),
    );
    for (const offset of ['%2B23:59', '-16:00', '%2B15:59'])
      assert.equal((await list(second, `?createdAt[$gt]=2020-01-01T00:00:00.5${offset}`)).total, 2, offset);
    server.runtime.clock.advance(24 * 60 * 60 * 1000);
    const later = await signIn(server, member);
    assert.equal((await list(later)).total, 1, 'those that have expired are gone');
  });

  test('an ended session is rejected from the next request on, and others stay valid', async () => {
    const person = await signUp(server);
    const second = await signIn(server, person);
    const [other] = (await list(person.token, '?current=false')).data;
    const { status, body } = await remove(person.token, other?.id ?? '');
    assert.deepEqual([status, body], [200, other]);
    assert.equal(await me(second), 401);
    assert.equal(await me(person.token), 200);
    assert.equal((await remove(person.token, other?.id ?? '')).status, 404);
    const [own] = (await list(person.token)).data;
    assert.equal((await remove(person.token, own?.id ?? '')).status, 200);
    assert.equal(await me(person.token), 401);
  });

  test('a session that was exchanged for another ends with it, and so do its own exchanges', async () => {
    const [first, second] = [await createWorkspace(server), await createWorkspace(server)];
    const member = await addMember(server, first);
    await server.db
      .insertInto('memberships')
      .values(
        (
          await server.db
            .selectFrom('workspaces')
            .where('slug', '=', second.id)
            .select('unique_id as workspace_uid')
            .execute()
        ).map((workspace) => ({
          ...workspace,
          account_id: member.id,
          role: 'member' as const,
          disabled: false,
          created_at: server.runtime.clock.now(),
        })),
      )
      .execute();
    const exchange = async (accessToken: string, workspaceId: string): Promise<string> => {
      const body = { strategy: 'jwt', accessToken, workspaceId };
      const response = await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', {
        body,
      });
      assert.equal(response.status, 201, JSON.stringify(response.body));
      return response.body.accessToken;
    };
    const signInAgain = async (): Promise<string> => {
      const body = {
        strategy: 'local',
        email: member.email,
        password: member.password,
        workspaceId: first.id,
      };
      return (await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })).body
        .accessToken;
    };
    const origin = await signInAgain();
    const derived = await exchange(origin, second.id);
    const back = await exchange(derived, first.id);
    const [beside, alone] = [await signInAgain(), await exchange(await signInAgain(), second.id)];
    for (const token of [origin, derived, back, beside, alone]) assert.equal(await me(token), 200);
    await sendRequest(server, 'DELETE', '/authentication/null', { token: derived });
    assert.deepEqual([await me(origin), await me(derived), await me(back)], [200, 401, 401]);
    const again = await exchange(await exchange(origin, second.id), first.id);
    await sendRequest(server, 'DELETE', '/authentication/null', { token: origin });
    for (const token of [origin, again]) assert.equal(await me(token), 401);
    for (const token of [beside, alone]) assert.equal(await me(token), 200, 'others go on');
  });

  test('nobody can see or end the sessions of another person, not even an admin', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const [theirs] = (await list(member.token)).data;
    const { token } = workspace.admin;
    assert.equal((await list(token, `?id=${theirs?.id}`)).total, 0);
    assert.equal((await remove(token, theirs?.id ?? '')).status, 404);
    assert.equal(await me(member.token), 200);
  });
});
