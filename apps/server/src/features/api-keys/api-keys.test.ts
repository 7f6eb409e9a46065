/* Shows: K-keyId, D-member-makes-keys, E-APIKey-id, E-APIKey-name, E-APIKey-key, E-APIKey-keyId,
   E-APIKey-workspaceId, E-APIKey-description, E-APIKey-revoked, E-APIKey-createdBy, E-APIKey-expirationAt,
   E-APIKey-userId, E-APIKey-created, E-APIKey-updated, E-APIKey-deleted, E-APIKey-groupNames,
   E-APIKey-attributeNames, L25, L-hazard-key-attributes, R-bearer-api-keys, R-required-api-key,
   R-api-key-attribute-names, W-api-keys */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ApiKey, IssuedApiKey } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createRecordFixture,
  type TestResponse,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Page<T> {
  total: number;
  data: T[];
}

describe('API keys', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let owner: TestPerson;
  let colleague: TestPerson;
  /** An admin without attributes and groups. */
  let admin: TestPerson;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    owner = await fixture.newReader('A', 'B');
    colleague = await fixture.newReader('C');
    admin = await addMember(server, fixture.workspace, 'admin');
  });
  after(() => server.close());

  const post = <T = IssuedApiKey>(token: string, fields: object): Promise<TestResponse<T>> =>
    sendRequest<T>(server, 'POST', '/api-keys', {
      token,
      body: {
        name: 'Key',
        workspaceId: fixture.workspace.id,
        description: '',
        groupNames: ['Readers'],
        attributeNames: ['A'],
        ...fields,
      },
    });
  const make = async (fields: object = {}, token = owner.token): Promise<IssuedApiKey> => {
    const { status, body } = await post(token, fields);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const get = (id: string, token = owner.token): Promise<TestResponse<ApiKey>> =>
    sendRequest<ApiKey>(server, 'GET', `/api-keys/${id}`, { token });
  const patch = (id: string, body: object, token = owner.token): Promise<TestResponse<ApiKey>> =>
    sendRequest<ApiKey>(server, 'PATCH', `/api-keys/${id}`, { token, body });
  const remove = (id: string, token = owner.token): Promise<TestResponse<ApiKey>> =>
    sendRequest<ApiKey>(server, 'DELETE', `/api-keys/${id}`, { token });
  const list = async (query: string, token = owner.token): Promise<Page<ApiKey>> =>
    (await sendRequest<Page<ApiKey>>(server, 'GET', `/api-keys?${query}`, { token })).body;
  const works = async (key: string): Promise<number> =>
    (await sendRequest(server, 'GET', '/datasets', { headers: { 'x-api-key': key } })).status;

  test('an API key is shown in the response that creates it, and in no other', async () => {
    const made = await make({ name: 'Load', description: 'At night', attributeNames: ['b', 'A'] });
    const { key, ...rest } = made;
    assert.match(key, /^[\w-]{49}$/);
    assert.equal(rest.keyId, key.slice(0, 6));
    assert.deepEqual(rest, {
      id: rest.id,
      name: 'Load',
      keyId: rest.keyId,
      workspaceId: fixture.workspace.id,
      description: 'At night',
      revoked: false,
      createdBy: owner.id,
      userId: owner.id,
      expirationAt: null,
      createdAt: rest.createdAt,
      updatedAt: rest.createdAt,
      deletedAt: null,
      groupNames: ['Readers'],
      attributeNames: ['A', 'B'],
    });
    assert.deepEqual((await get(made.id)).body, rest);
    assert.deepEqual((await list(`id=${made.id}`)).data, [rest]);
    const changed = await patch(made.id, { ...rest, name: 'Load again' });
    const removed = await remove(made.id);
    for (const { body } of [changed, removed]) assert.ok(!JSON.stringify(body).includes(key.slice(6)));
  });

  test('neither an API key nor its hash is in any other response or in the log', async () => {
    const { key, id } = await make();
    await works(key);
    await works(`${key.slice(0, -1)}!`);
    const all = JSON.stringify([await get(id), await list('$limit=-1'), server.log]);
    const hash = createHash('sha256').update(key).digest('hex');
    for (const secret of [key, key.slice(6), hash, 'keyHash', 'key_hash']) assert.ok(!all.includes(secret));
  });

  test('API keys cannot be filtered or sorted by properties that no response shows', async () => {
    for (const field of ['key', 'keyHash', 'key_hash', 'groupNames', 'attributeNames']) {
      for (const query of [`${field}=x`, `$sort[${field}]=1`]) {
        const { status } = await sendRequest(server, 'GET', `/api-keys?${query}`, { token: owner.token });
        assert.equal(status, 400, query);
      }
    }
    const { id, keyId } = await make({ name: 'Filtered' });
    const query = `keyId=${keyId}&name=Filtered&revoked=false&$sort[createdAt]=-1&expirationAt[$ne]=2030-01-01T00:00:00Z`;
    assert.deepEqual(
      (await list(query)).data.map((key) => key.id),
      [id],
    );
  });

  test('a key with a group of other people gets the same error as one with an absent group', async () => {
    const foreign = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
      body: { name: 'Project X', workspaceId: fixture.workspace.id },
    });
    assert.ok(foreign.id);
    const refusals = [];
    for (const name of ['Project X', 'Project Y']) {
      const { status, body } = await post<{ message: string }>(owner.token, {
        groupNames: ['Readers', name],
      });
      refusals.push([status, body.message.replace(name, '…')]);
    }
    assert.deepEqual(refusals[0], refusals[1]);
    assert.equal(refusals[0]?.[0], 400);
    // An admin sees all groups without being in them.
    assert.equal((await post(admin.token, { groupNames: ['Project X'], attributeNames: [] })).status, 400);
  });

  test('a key with an attribute that its creator does not hold gets the same error as one with an absent attribute', async () => {
    const refusals = [];
    for (const name of ['C', 'NOWHERE']) {
      const { status, body } = await post<{ message: string }>(owner.token, { attributeNames: ['A', name] });
      refusals.push([status, body.message.replace(`"${name}"`, '…')]);
    }
    assert.deepEqual(refusals[0], refusals[1]);
    assert.equal(refusals[0]?.[0], 403);
    const { total } = await fixture.call<Page<unknown>>(200, 'GET', '/attributes?token=NOWHERE');
    assert.equal(total, 0);
  });

  test('creating a key as an attribute manager creates its missing attributes, and assigns none of them to the manager', async () => {
    const { attributeNames, key } = await make(
      { groupNames: [], attributeNames: ['made-by-key'] },
      admin.token,
    );
    assert.deepEqual(attributeNames, ['MADE-BY-KEY']);
    const { total } = await fixture.call<Page<unknown>>(200, 'GET', '/attributes?token=MADE-BY-KEY');
    assert.equal(total, 1);
    const { body } = await sendRequest<Page<unknown>>(server, 'GET', '/attributes', {
      headers: { 'x-api-key': key },
    });
    assert.equal(body.total, 0);
  });

  test('attributes of a key that are not valid tokens are rejected', async () => {
    const { status, body } = await post(admin.token, { groupNames: [], attributeNames: ['\u0000'] });
    assert.equal(status, 400, JSON.stringify(body));
  });

  test('a key can be created only for oneself, in the workspace of the session, without unknown fields', async () => {
    const refusals: [object, number][] = [
      [{ userId: colleague.id }, 403],
      [{ createdBy: colleague.id }, 403],
      [{ workspaceId: 'elsewhere' }, 404],
      [{ role: 'admin' }, 400],
      [{ key: 'mine' }, 400],
      [{ keyId: 'abcdef' }, 400],
      [{ revoked: true }, 400],
      [{ groupNames: 'Readers' }, 400],
      [{ expirationAt: 'tomorrow' }, 400],
      [{ expirationAt: '2020-01-01T00:00:00Z' }, 400],
    ];
    for (const [fields, status] of refusals) {
      assert.equal((await post(owner.token, fields)).status, status, JSON.stringify(fields));
    }
    assert.equal((await post(owner.token, { userId: owner.id, createdBy: owner.id })).status, 201);
  });

  test('a key without name, workspace, groups or attributes is rejected with the missing field', async () => {
    for (const field of ['name', 'workspaceId', 'groupNames', 'attributeNames']) {
      const { status, body } = await post<{ message: string }>(owner.token, { [field]: undefined });
      assert.equal(status, 400, field);
      assert.match(body.message, new RegExp(field));
    }
  });

  test('a key manager can revoke and delete the keys of others, and change nothing else', async () => {
    const { key, ...made } = await make();
    for (const change of [
      { name: 'Other' },
      { description: 'Other' },
      { expirationAt: '2030-01-01T00:00:00.000Z' },
      { groupNames: [] },
      { attributeNames: ['A', 'B'] },
      { attributeNames: [] },
    ]) {
      assert.equal((await patch(made.id, change, admin.token)).status, 403, JSON.stringify(change));
    }
    assert.equal(await works(key), 200);
    const { status, body } = await patch(made.id, { ...made, revoked: true }, admin.token);
    assert.deepEqual([status, body.revoked], [200, true]);
    assert.equal(await works(key), 401);
    assert.equal((await remove(made.id, admin.token)).status, 200);
    assert.equal((await get(made.id)).status, 404);
  });

  test('a revoked key stays revoked, and a deleted one is no longer found', async () => {
    const { id, key } = await make();
    assert.equal((await patch(id, { revoked: false })).status, 200);
    assert.equal(await works(key), 200);
    assert.equal((await patch(id, { revoked: true })).body.revoked, true);
    assert.equal(await works(key), 401);
    assert.equal((await patch(id, { revoked: false })).status, 403);
    assert.equal((await patch(id, { name: 'Renamed' })).body.revoked, true);
    const removed = await remove(id);
    assert.equal(removed.status, 200);
    assert.match(String(removed.body.deletedAt), /^2026-/);
    assert.equal((await get(id)).status, 404);
    assert.equal((await list(`id=${id}`)).total, 0);
    assert.equal((await remove(id)).status, 404);
  });

  test('people can change the name, description, expiry, groups and attributes of their keys within their own', async () => {
    const { id } = await make();
    const end = '2031-01-01T00:00:00.000Z';
    const { body } = await patch(id, {
      name: 'N',
      description: 'D',
      expirationAt: end,
      groupNames: [],
      attributeNames: ['B'],
    });
    assert.deepEqual(
      [body.name, body.description, body.expirationAt, body.groupNames, body.attributeNames],
      ['N', 'D', end, [], ['B']],
    );
    assert.equal((await patch(id, { expirationAt: end, groupNames: ['Readers'] })).status, 200);
    assert.equal((await patch(id, { expirationAt: null })).body.expirationAt, null);
    const refusals: [object, number][] = [
      [{ groupNames: ['Project X'] }, 400],
      [{ attributeNames: ['C'] }, 403],
      [{ expirationAt: '2020-01-01T00:00:00Z' }, 400],
      [{ userId: colleague.id }, 403],
      [{ keyId: 'abcdef' }, 403],
      [{ workspaceId: 'elsewhere' }, 403],
      [{ key: 'abcdef' }, 400],
      [{ stripeLatestCharge: {} }, 400],
    ];
    for (const [fields, status] of refusals) {
      assert.equal((await patch(id, fields)).status, status, JSON.stringify(fields));
    }
  });

  test('keys do not show their owner the names of groups that the owner has left', async () => {
    const leaver = await fixture.newReader('A');
    const { id } = await make({ name: 'Left' }, leaver.token);
    const { data } = await fixture.call<Page<{ id: string }>>(
      200,
      'GET',
      `/group-memberships?groupId=${fixture.readers.id}&userId=${leaver.id}`,
    );
    await fixture.call(200, 'DELETE', `/group-memberships/${data[0]?.id}`);
    assert.deepEqual((await get(id, leaver.token)).body.groupNames, []);
  });

  test('changes of API keys are in the audit log, without the keys, their groups and attributes', async () => {
    const { id, key, keyId } = await make({ name: 'Audited' });
    await patch(id, { description: 'Other' });
    await patch(id, { revoked: true }, admin.token);
    await remove(id);
    const { status, body } = await sendRequest<{
      records: unknown[];
      data: { description: string; actor: string }[];
    }>(server, 'POST', '/audit-log/query', {
      token: admin.token,
      body: { expression: `"${keyId}"`, limit: -1 },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.data.map(({ description, actor }) => `${actor} ${description}`).toSorted(),
      [
        `${owner.email} created the API key "Audited"`,
        `${owner.email} changed the API key "Audited"`,
        `${admin.email} revoked the API key "Audited"`,
        `${owner.email} deleted the API key "Audited"`,
      ].toSorted(),
    );
    for (const hidden of [key, key.slice(6), 'Readers']) assert.ok(!JSON.stringify(body).includes(hidden));
  });

  test('an API key cannot manage API keys', async () => {
    const { id, key } = await make();
    for (const [method, path] of [
      ['GET', '/api-keys'],
      ['POST', '/api-keys'],
      ['GET', `/api-keys/${id}`],
      ['PATCH', `/api-keys/${id}`],
      ['DELETE', `/api-keys/${id}`],
    ] as const) {
      const response = await sendRequest<{ message: string }>(server, method, path, {
        headers: { 'x-api-key': key },
      });
      assert.equal(response.status, 403, path);
      assert.match(response.body.message, /Authorization: Bearer/);
    }
  });
});
