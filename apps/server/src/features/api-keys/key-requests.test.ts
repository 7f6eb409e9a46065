/* Shows: F-POST-/authentication-apiKey, D-key-subset, D-key-dies, D-key-token, E-APIKey-workspaceId,
   E-APIKey-expirationAt, E-APIKey-groupNames, E-APIKey-attributeNames, L17, L28, L29, L31, R-scheme-api-key,
   R-auth-key-fields, V-strategy-apiKey, W-api-key-header, W-bearer-wins, W-auth-key */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuthenticationResult, Dataset, IssuedApiKey, Job } from '@redoubt/contract';
import {
  addMember,
  chooseOwnPassword,
  sendRequest,
  bodyOf,
  createRecordFixture,
  createWorkspace,
  labelField,
  type TestResponse,
  type SendOptions,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

interface Page<T> {
  total: number;
  data: T[];
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

describe('requests with an API key', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** Creates a dataset with a record for everyone (n 0), for holders of A (n 1), of B (n 2) and of both (n 3). */
  let dataset: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    dataset = await labelled();
  });
  after(() => server.close());

  const labelled = async (): Promise<string> => {
    const id = await fixture.dataset();
    const records = [{ n: 0 }, { n: 1, label: 'A' }, { n: 2, label: 'B' }, { n: 3, label: 'A&B' }];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };
  const keyOf = async (person: Pick<TestPerson, 'token'>, fields: object = {}): Promise<IssuedApiKey> =>
    fixture.call<IssuedApiKey>(201, 'POST', '/api-keys', {
      token: person.token,
      body: {
        name: 'Key',
        workspaceId: fixture.workspace.id,
        groupNames: ['Readers'],
        attributeNames: ['A'],
        ...fields,
      },
    });
  const withKey = <T = Record<string, unknown>>(
    key: string,
    method: Method,
    path: string,
    options: SendOptions = {},
  ): Promise<TestResponse<T>> =>
    sendRequest<T>(server, method, path, { ...options, headers: { 'x-api-key': key } });
  const search = (key: string, id = dataset, fields: object = {}) =>
    withKey<{ records: { n: number }[] }>(key, 'POST', '/query/lucene', {
      body: { datasetId: id, expression: '*:*', limit: -1, ...fields },
    });
  /** Returns the records that the key reads, or the status of the error. */
  const reads = async (key: string, id = dataset): Promise<number[] | number> => {
    const { status, body } = await search(key, id);
    return status === 200 ? body.records.map(({ n }) => n).toSorted((a, b) => a - b) : status;
  };
  const exchange = (key: string, fields: object = {}) =>
    sendRequest<AuthenticationResult & { message: string }>(server, 'POST', '/authentication?apiKey=true', {
      body: { strategy: 'api-key', key, ...fields },
    });
  const leave = async (person: TestPerson, groupId = fixture.readers.id): Promise<void> => {
    const path = `/group-memberships?groupId=${groupId}&userId=${person.id}`;
    const { data } = await fixture.call<Page<{ id: string }>>(200, 'GET', path);
    await fixture.call(200, 'DELETE', `/group-memberships/${data[0]?.id}`);
  };
  const join = (person: TestPerson, groupId = fixture.readers.id) =>
    fixture.call(201, 'POST', '/group-memberships', { body: { groupId, userId: person.id, role: 'member' } });

  test('a key reads with its own attributes, not with all attributes of its owner', async () => {
    const person = await fixture.newReader('A', 'B');
    assert.deepEqual(await reads((await keyOf(person)).key), [0, 1]);
    assert.deepEqual(await reads((await keyOf(person, { attributeNames: ['B'] })).key), [0, 2]);
    assert.deepEqual(await reads((await keyOf(person, { attributeNames: ['A', 'B'] })).key), [0, 1, 2, 3]);
    assert.deepEqual(await reads((await keyOf(person, { attributeNames: [] })).key), [0]);
  });

  test('credentialsSubset limits a key further, and never adds an attribute that only its owner holds', async () => {
    const { key } = await keyOf(await fixture.newReader('A', 'B'));
    for (const [credentialsSubset, expected] of [
      [['A', 'B'], 2],
      [['B'], 1],
      [[], 1],
    ] as const) {
      const { body } = await search(key, dataset, { credentialsSubset });
      assert.equal(body.records.length, expected);
    }
  });

  test('a key without the group to which a dataset is granted learns nothing of the dataset', async () => {
    const { key } = await keyOf(await fixture.newReader('A'), { groupNames: [] });
    const absent = '00000000-0000-4000-8000-000000000000';
    const responses = [];
    for (const id of [dataset, absent]) {
      const response = await search(key, id);
      responses.push([response.status, JSON.stringify(response.body).replaceAll(id, '…')]);
    }
    assert.deepEqual(responses[0], responses[1]);
    assert.equal(responses[0]?.[0], 404);
    assert.equal((await withKey<Page<Dataset>>(key, 'GET', '/datasets')).body.total, 0);
    const sql = { expression: `SELECT * FROM "${dataset}"` };
    assert.equal((await withKey(key, 'POST', '/query', { body: sql })).status, 404);
  });

  test('a key has the permissions of parents of its groups, and not of their children', async () => {
    const person = await fixture.newReader('A');
    const outer = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
      body: { name: 'Outer', workspaceId: fixture.workspace.id },
    });
    const body = { groupId: outer.id, childGroupId: fixture.readers.id, role: 'member' };
    await fixture.call(201, 'POST', '/group-memberships', { body });
    const id = await fixture.dataset([]);
    bodyOf(200, await fixture.write(id, [{ n: 7 }]));
    const grant = { action: 'read', datasetId: id, groupId: outer.id };
    await fixture.call(201, 'POST', '/dataset-permissions', { body: grant });
    const inner = await keyOf(person);
    const outerOnly = await keyOf(person, { groupNames: ['Outer'] });
    assert.deepEqual(await reads(inner.key, id), [7]);
    assert.deepEqual(await reads(outerOnly.key, id), [7]);
    assert.deepEqual(await reads(inner.key), [0, 1]);
    assert.equal(await reads(outerOnly.key), 404);
    const names = await withKey<Page<{ name: string }>>(outerOnly.key, 'GET', '/groups');
    assert.deepEqual(
      names.body.data.map(({ name }) => name),
      ['Outer'],
    );
  });

  test('a key gains nothing if its owner is an admin, a dataset creator or a group admin', async () => {
    const admin = await addMember(server, fixture.workspace, 'admin');
    const { key } = await keyOf(admin, { groupNames: [], attributeNames: [] });
    const own = await fixture.call<Dataset>(201, 'POST', '/datasets', {
      token: admin.token,
      body: { name: 'Own', workspaceId: fixture.workspace.id },
    });
    const group = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
      token: admin.token,
      body: { name: 'Own group', workspaceId: fixture.workspace.id },
    });
    const inGroup = await keyOf(admin, { groupNames: ['Own group'], attributeNames: [] });
    const { workspace } = fixture;
    const person = await fixture.newReader();
    const refusals: [string, Method, string, object | undefined, number][] = [
      [key, 'GET', `/datasets/${own.id}`, undefined, 404],
      [key, 'DELETE', `/datasets/${own.id}`, undefined, 404],
      [key, 'GET', `/groups/${group.id}`, undefined, 404],
      [inGroup.key, 'PATCH', `/groups/${group.id}`, { name: 'Taken' }, 403],
      [inGroup.key, 'DELETE', `/groups/${group.id}`, undefined, 403],
      [
        inGroup.key,
        'POST',
        '/group-memberships',
        { groupId: group.id, userId: person.id, role: 'admin' },
        403,
      ],
      [key, 'POST', '/attributes', { name: 'T', token: 'T' }, 403],
      [key, 'PATCH', `/workspaces/${workspace.id}`, { name: 'Mine' }, 403],
      [key, 'POST', '/workspaces', { name: 'another' }, 403],
      [key, 'PATCH', `/write/schema/${own.id}`, {}, 403],
      [key, 'PATCH', `/users/${person.id}`, { role: 'admin' }, 403],
      [key, 'DELETE', `/users/${person.id}`, undefined, 403],
    ];
    for (const [credential, method, path, body, status] of refusals) {
      const response = await withKey(credential, method, path, body === undefined ? {} : { body });
      assert.equal(response.status, status, `${method} ${path} ${JSON.stringify(response.body)}`);
    }
    for (const path of ['attributes', 'groups', 'datasets']) {
      assert.equal((await withKey<Page<unknown>>(key, 'GET', `/${path}`)).body.total, 0, path);
    }
  });

  test('a key neither has nor sees the workspace permissions of its owner', async () => {
    const person = await fixture.newReader('A');
    const code = 'manage-datasets';
    await fixture.call(201, 'POST', '/workspace-permissions-assignments', {
      body: {
        workspacePermissionsId: code,
        workspacePermissionsCode: code,
        userId: person.id,
        workspaceId: fixture.workspace.id,
      },
    });
    const closed = await fixture.dataset([]);
    const { key } = await keyOf(person);
    await fixture.call(200, 'GET', `/datasets/${closed}`, { token: person.token });
    assert.equal((await withKey(key, 'GET', `/datasets/${closed}`)).status, 404);
    const seen = await withKey<Page<unknown>>(key, 'GET', '/workspace-permissions-assignments');
    assert.equal(seen.body.total, 0);
  });

  test('a key cannot change or remove the account of its owner', async () => {
    const person = await fixture.newReader('A');
    const { key } = await keyOf(person);
    const body = { password: 'another password', currentPassword: person.password };
    assert.equal((await withKey(key, 'PATCH', `/users/${person.id}`, { body })).status, 403);
    assert.equal((await withKey(key, 'DELETE', `/users/${person.id}`)).status, 403);
    await fixture.call(200, 'GET', '/me', { token: person.token });
  });

  test('a dataset created with a key belongs to the owner of the key, and the key has no access to it', async () => {
    const person = await fixture.newReader('A');
    const { key } = await keyOf(person);
    const body = { name: 'Made with a key', workspaceId: fixture.workspace.id };
    const made = await withKey<Dataset>(key, 'POST', '/datasets', { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.body.currentUserPermissions, { read: false, write: false, manage: false });
    assert.equal(made.body.userId, person.id);
    assert.equal((await withKey(key, 'GET', `/datasets/${made.body.id}`)).status, 404);
    const own = await fixture.call<Dataset>(200, 'GET', `/datasets/${made.body.id}`, { token: person.token });
    assert.equal(own.currentUserPermissions.manage, true);
    const group = { name: 'Made with a key', workspaceId: fixture.workspace.id };
    assert.equal((await withKey(key, 'POST', '/groups', { body: group })).status, 201);
    const { body: seen } = await withKey<Page<{ name: string }>>(key, 'GET', '/groups');
    assert.ok(!seen.data.some(({ name }) => name === group.name));
  });

  test('every call for data works with the header X-API-Key alone', async () => {
    const { key } = await keyOf(await fixture.newReader('A', 'B'));
    const id = await fixture.dataset();
    const write = { body: [{ n: 1, city: 'Bonn' }] };
    assert.equal((await withKey(key, 'POST', `/write/${id}?isAsync=false`, write)).status, 200);
    const v2 = { records: [{ n: 2, label: 'A' }], securityLabelInfo: labelField };
    assert.equal((await withKey(key, 'POST', `/v2/write/${id}?isAsync=true`, { body: v2 })).status, 200);
    const reading: [Method, string, unknown][] = [
      ['POST', '/query', { datasetId: id, expression: `SELECT * FROM "${id}"` }],
      ['POST', '/query/lucene', { datasetId: id, expression: '*:*' }],
      ['POST', '/read', { datasetId: id, startingRecordId: '', endingRecordId: '' }],
      ['POST', '/readInSequence', { datasetId: id, startingRecordId: '' }],
    ];
    for (const [method, path, body] of reading) {
      const response = await withKey<{ records: unknown[] }>(key, method, path, { body });
      assert.equal(response.status, 200, path);
      assert.equal(response.body.records.length, 2, path);
    }
    for (const path of [
      `/splits/${id}`,
      `/query/schema?datasetId=${id}`,
      `/datasets/${id}`,
      '/me',
      '/users',
      '/workspaces',
      '/dataset-permissions',
      '/attribute-assignments',
      '/abac-label-parsers',
    ]) {
      assert.equal((await withKey(key, 'GET', path)).status, 200, path);
    }
    const dataset = await withKey<Dataset>(key, 'GET', `/datasets/${id}`);
    assert.equal(dataset.body.recordCount, 2);
  });

  test('if a request has a token and a key, the token applies', async () => {
    const person = await fixture.newReader('A', 'B');
    const { key } = await keyOf(person, { attributeNames: [] });
    const body = { datasetId: dataset, expression: '*:*', limit: -1 };
    const both = await sendRequest<{ records: unknown[] }>(server, 'POST', '/query/lucene', {
      token: person.token,
      body,
      headers: { 'x-api-key': key },
    });
    assert.equal(both.body.records.length, 4);
    const bad = await sendRequest(server, 'POST', '/query/lucene', {
      token: 'no token',
      body,
      headers: { 'x-api-key': key },
    });
    assert.equal(bad.status, 401);
  });

  test('a wrong key gets the same error, whether or not another key has its id', async () => {
    const { key, keyId, id } = await keyOf(await fixture.newReader('A'));
    await fixture.call(200, 'PATCH', `/api-keys/${id}`, { token: fixture.admin, body: { revoked: true } });
    const wrong = [
      key,
      `${key}x`,
      key.slice(0, -1),
      keyId,
      `${keyId}${'x'.repeat(43)}`,
      'x'.repeat(49),
      'x',
      key.toUpperCase(),
    ];
    const messages = new Set<string>();
    for (const sent of wrong) {
      const { status, body } = await withKey<{ message: string }>(sent, 'GET', '/datasets');
      assert.equal(status, 401, sent);
      messages.add(body.message);
      const refused = await exchange(sent);
      assert.equal(refused.status, 401, sent);
    }
    assert.equal(messages.size, 1);
  });

  test('an expired key is rejected from the next request on, and so is a token that was issued for it', async () => {
    const person = await fixture.newReader('A');
    const end = new Date(server.runtime.clock.now().getTime() + 3_600_000);
    const { key } = await keyOf(person, { expirationAt: end.toISOString() });
    const { body } = await exchange(key);
    assert.equal(body.authentication.payload.exp, Math.floor(end.getTime() / 1000));
    assert.deepEqual(await reads(key), [0, 1]);
    server.runtime.clock.advance(3_600_000);
    assert.equal(await reads(key), 401);
    assert.equal((await sendRequest(server, 'GET', '/datasets', { token: body.accessToken })).status, 401);
    assert.equal((await exchange(key)).status, 401);
  });

  test('a token for a key always has the scope of the key, and is no token of the owner', async () => {
    const person = await fixture.newReader('A', 'B');
    const { key, id } = await keyOf(person);
    const { status, body } = await exchange(key, { workspaceId: fixture.workspace.id });
    assert.equal(status, 201);
    assert.deepEqual([body.user.id, body.authentication.strategy], [person.id, 'api-key']);
    const token = body.accessToken;
    const numbers = async (): Promise<number> => {
      const query = { datasetId: dataset, expression: '*:*', limit: -1 };
      return (await sendRequest<{ total: number }>(server, 'POST', '/query/lucene', { token, body: query }))
        .body.total;
    };
    assert.equal(await numbers(), 2);
    assert.equal((await sendRequest(server, 'GET', '/api-keys', { token })).status, 403);
    assert.equal(
      (await sendRequest(server, 'PATCH', `/workspaces/${fixture.workspace.id}`, { token, body: {} })).status,
      403,
    );
    await fixture.call(200, 'PATCH', `/api-keys/${id}`, {
      token: person.token,
      body: { attributeNames: [] },
    });
    assert.equal(await numbers(), 1);
    await fixture.call(200, 'DELETE', `/api-keys/${id}`, { token: person.token });
    assert.equal((await sendRequest(server, 'GET', '/datasets', { token })).status, 401);
  });

  test('a token for a key is valid for no other workspace, and cannot be exchanged for more access', async () => {
    const person = await fixture.newReader('A');
    const other = await createWorkspace(server);
    const { key } = await keyOf(person);
    for (const workspaceId of [other.id, 'nowhere']) {
      assert.equal((await exchange(key, { workspaceId })).status, 401, workspaceId);
    }
    const { accessToken } = (await exchange(key)).body;
    const jwt = (fields: object) =>
      sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
        body: { strategy: 'jwt', accessToken, ...fields },
      });
    assert.equal((await jwt({ workspaceId: fixture.workspace.id })).body.accessToken, accessToken);
    // The owner is in another workspace too, but the token is only valid for the workspace of the key.
    const admin = await chooseOwnPassword(server, await addMember(server, fixture.workspace, 'admin'));
    const second = await fixture.call<{ id: string }>(201, 'POST', '/workspaces', {
      token: admin.token,
      body: { name: 'second-1', id: 'second-1' },
    });
    const adminKey = await keyOf(admin, { groupNames: [], attributeNames: [] });
    const wide = await sendRequest(server, 'POST', '/authentication', {
      body: {
        strategy: 'jwt',
        accessToken: (await exchange(adminKey.key)).body.accessToken,
        workspaceId: second.id,
      },
    });
    assert.equal(wide.status, 401);
  });

  test('a key loses an attribute, a group and a membership of its owner with the next request', async () => {
    const person = await fixture.newReader('B');
    const assignment = await fixture.assign(person.id, 'A');
    const { key } = await keyOf(person, { attributeNames: ['A', 'B'] });
    assert.deepEqual(await reads(key), [0, 1, 2, 3]);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    assert.deepEqual(await reads(key), [0, 2]);
    await fixture.assign(person.id, 'A');
    assert.deepEqual(await reads(key), [0, 1, 2, 3]);
    await leave(person);
    assert.equal(await reads(key), 404);
    await join(person);
    assert.deepEqual(await reads(key), [0, 1, 2, 3]);
    await fixture.call(200, 'PATCH', `/users/${person.id}`, { body: { disabled: true } });
    assert.equal(await reads(key), 401);
    await fixture.call(200, 'PATCH', `/users/${person.id}`, { body: { disabled: false } });
    await fixture.call(200, 'DELETE', `/users/${person.id}`);
    assert.equal(await reads(key), 401);
  });

  test('a new membership of its owner does not reactivate a key', async () => {
    const person = await fixture.newReader('A');
    const { key, id } = await keyOf(person);
    const { accessToken } = (await exchange(key)).body;
    await fixture.call(200, 'DELETE', `/users/${person.id}`);
    const invited = await fixture.call<{ token?: string; id: string }>(201, 'POST', '/users', {
      body: {
        email: person.email,
        firstName: 'Back',
        lastName: 'Again',
        password: 'a good password',
        workspaceId: fixture.workspace.id,
      },
    });
    assert.ok(invited.token);
    const session = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: person.email, password: person.password },
    });
    await fixture.call(201, 'POST', '/invitations/accept', {
      token: session.body.accessToken,
      body: { token: invited.token },
    });
    assert.equal(await reads(key), 401);
    assert.equal((await sendRequest(server, 'GET', '/datasets', { token: accessToken })).status, 401);
    await fixture.call(404, 'GET', `/api-keys/${id}`);
  });

  test('the id of one key with the secret of another is not a key', async () => {
    const person = await fixture.newReader('A', 'B');
    const [one, two] = [await keyOf(person), await keyOf(person, { attributeNames: ['B'] })];
    assert.notEqual(one.key, two.key);
    assert.deepEqual(await reads(one.key), [0, 1]);
    assert.deepEqual(await reads(`${one.keyId}${two.key.slice(6)}`), 401);
    assert.deepEqual(await reads(two.key), [0, 2]);
  });

  test('a running read with a key is cut off once the key is revoked or loses access', async () => {
    const large = await fixture.dataset();
    const text = 'x'.repeat(1000);
    for (let part = 0; part < 10; part += 1) {
      const records = Array.from({ length: 2000 }, (_, n) => ({ n, text, label: 'A' }));
      bodyOf(200, await fixture.write(large, records, { labelInfo: labelField }));
    }
    for (const change of [{ revoked: true }, { attributeNames: [] }, { groupNames: [] }]) {
      const person = await fixture.newReader('A');
      const { key, id } = await keyOf(person);
      const response = await fetch(`${server.url}/readInSequence`, {
        method: 'POST',
        headers: { 'x-api-key': key },
        body: JSON.stringify({ datasetId: large, batchSize: -1 }),
      });
      assert.equal(response.status, 200);
      await fixture.call(200, 'PATCH', `/api-keys/${id}`, { token: person.token, body: change });
      server.runtime.clock.advance(2000);
      await assert.rejects(response.text(), JSON.stringify(change));
    }
  });

  const deleteAll = (key: string, id: string): Promise<TestResponse<Job>> =>
    withKey<Job>(key, 'POST', `/storage/datasets/${id}/deleteRecords`, {
      body: { recordIds: [], deleteAll: true },
    });
  const countOf = async (id: string, token: string): Promise<number> =>
    (await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`, { token })).recordCount;

  describe('jobs that a key started', () => {
    test('a job deletes what is visible to the key, not what is visible to its owner', async () => {
      const person = await fixture.newReader('A', 'B');
      const id = await labelled();
      const { key } = await keyOf(person);
      const job = await deleteAll(key, id);
      assert.equal(job.status, 202);
      await server.jobsSettled();
      const ended = await withKey<Job>(key, 'GET', `/jobs/${job.body.id}`);
      assert.deepEqual([ended.body.status, ended.body.recordCount], ['completed', 2]);
      assert.equal(await countOf(id, person.token), 2);
    });

    test('a queued job respects access that the key has lost meanwhile', async () => {
      for (const [change, status, left] of [
        [{ attributeNames: [] }, 'completed', 3],
        [{ groupNames: [] }, 'failed', 4],
        [{ revoked: true }, 'failed', 4],
      ] as const) {
        const person = await fixture.newReader('A', 'B');
        const id = await labelled();
        const key = await keyOf(person);
        const letGo = server.holdChanges();
        const job = await deleteAll(key.key, id);
        await fixture.call(200, 'PATCH', `/api-keys/${key.id}`, { token: person.token, body: change });
        letGo();
        await server.jobsSettled();
        const { body } = await sendRequest<Job>(server, 'GET', `/jobs/${job.body.id}`, {
          token: person.token,
        });
        assert.equal(body.status, status, JSON.stringify(change));
        assert.equal(await countOf(id, person.token), left);
      }
    });

    test('a key neither sees nor retries the jobs of its owner', async () => {
      const person = await fixture.newReader('A', 'B');
      const id = await fixture.dataset(['read', 'write', 'manage']);
      const { key } = await keyOf(person);
      const start = { recordIds: [], deleteAll: true };
      const job = await fixture.call<Job>(202, 'POST', `/storage/datasets/${id}/deleteRecords`, {
        token: person.token,
        body: start,
      });
      await server.jobsSettled();
      const outside = await withKey<Job>(key, 'GET', `/jobs/${job.id}`);
      assert.deepEqual([outside.body.config, outside.body.recordCount], [null, null]);
      const again = { body: { status: 'queued' } };
      assert.equal((await withKey(key, 'PATCH', `/jobs/${job.id}`, again)).status, 403);
      const noGroup = await keyOf(person, { groupNames: [] });
      assert.equal((await withKey(noGroup.key, 'GET', `/jobs/${job.id}`)).status, 404);
      const listed = await withKey<Page<Job>>(noGroup.key, 'GET', `/jobs?datasetId=${id}`);
      assert.equal(listed.body.total, 0);
    });
  });

  test('a key is valid for no other workspace, whatever workspaces its owner is in', async () => {
    const admin = await chooseOwnPassword(server, await addMember(server, fixture.workspace, 'admin'));
    const { id: elsewhere } = await fixture.call<{ id: string }>(201, 'POST', '/workspaces', {
      token: admin.token,
      body: { name: 'third-1', id: 'third-1' },
    });
    const { key } = await keyOf(admin, { groupNames: [], attributeNames: [] });
    for (const path of [`/datasets?workspaceId=${elsewhere}`, `/groups?workspaceId=${elsewhere}`]) {
      const { status, body } = await withKey<Page<unknown>>(key, 'GET', path);
      assert.deepEqual([status, body.total], [200, 0], path);
    }
    assert.equal((await withKey(key, 'GET', `/workspaces/${elsewhere}`)).status, 404);
    const { body: workspaces } = await withKey<Page<{ id: string }>>(key, 'GET', '/workspaces');
    assert.deepEqual(
      workspaces.data.map(({ id }) => id),
      [fixture.workspace.id],
    );
    const body = { name: 'D', workspaceId: elsewhere };
    assert.equal((await withKey(key, 'POST', '/datasets', { body })).status, 404);
  });
});
