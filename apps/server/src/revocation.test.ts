/* Shows: A-revocation */
import type { Dataset, Group, Job } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  bodyOf,
  createRecordFixture,
  labelField,
  createSender,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applicationToken } from '@redoubt/testkit/requests';

/** The credential of requests: a token or a key. */
type Headers = Record<string, string>;

/** What an actor can still do after a right was revoked. */
interface Remaining {
  /** Status of the next read and of the next write. */
  read: number;
  write: number;
  /** Number of records in the next read, if it succeeds. */
  records?: number;
  /** Status of a job that was requested before, and how many of the three records it keeps. */
  job: 'completed' | 'failed';
  kept: number;
}

interface Scenario {
  headers: Headers;
  /** The owner of the datasets that the jobs change; an admin by default. */
  owner?: TestPerson;
  /** Another group that gets the grants on these datasets. */
  grantTo?: string;
  /** @param small the datasets that the jobs change */
  revoke(small: readonly string[]): Promise<unknown>;
}

const bearer = ({ token }: { token: string }): Headers => ({ authorization: `Bearer ${token}` });
const nothing: Remaining = { read: 404, write: 404, job: 'failed', kept: 3 };
const nobody: Remaining = { read: 401, write: 401, job: 'failed', kept: 3 };
const unlabelled: Remaining = { read: 200, records: 1, write: 200, job: 'completed', kept: 2 };

describe('rights that are revoked while they are used', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** The owner of the large dataset, who is in no group. */
  let owner: TestPerson;
  let large: string;

  const call: RecordFixture['call'] = (...given) => fixture.call(...given);
  const ids = async (path: string): Promise<string[]> => {
    const { data } = await call<{ data: { id: string }[] }>(200, 'GET', `${path}&$limit=-1`);
    return data.map(({ id }) => id);
  };
  const removeAll = async (path: string, listed: readonly string[]): Promise<void> => {
    for (const id of listed) await call(200, 'DELETE', `${path}/${id}`);
  };
  /** A person outside the group with the attribute. */
  const outsider = async (role: 'admin' | 'member' = 'member'): Promise<TestPerson> => {
    const person = await addMember(server, fixture.workspace, role);
    await fixture.assign(person.id, 'A');
    return person;
  };
  const grantAll = async (datasetId: string, group: string, token: string): Promise<void> => {
    for (const action of ['read', 'write'] as const) {
      const body = { action, datasetId, groupId: group };
      await call(201, 'POST', '/dataset-permissions', { body, token });
    }
  };
  const ownDataset = async ({ token }: TestPerson): Promise<string> => {
    const body = { name: 'Own', workspaceId: fixture.workspace.id };
    return (await call<Dataset>(201, 'POST', '/datasets', { token, body })).id;
  };
  const smallDataset = async (by: TestPerson): Promise<string> => {
    const id = await ownDataset(by);
    await grantAll(id, fixture.readers.id, fixture.admin);
    const records = [{ n: 1 }, { n: 2, label: 'A' }, { n: 3, label: 'A' }];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField, token: by.token }));
    return id;
  };
  const newKey = async (person: TestPerson): Promise<{ id: string; key: string }> => {
    const body = {
      name: 'Key',
      workspaceId: fixture.workspace.id,
      groupNames: [fixture.readers.name],
      attributeNames: ['A'],
    };
    return call(201, 'POST', '/api-keys', { token: person.token, body });
  };
  const newApplicationToken = (person: TestPerson): Promise<string> =>
    applicationToken(createSender(server), fixture.workspace.admin, fixture.workspace.id, person, 'mls');
  const membershipsOf = ({ id }: TestPerson): Promise<string[]> => ids(`/group-memberships?userId=${id}`);
  const leaveGroups = async (person: TestPerson): Promise<void> =>
    removeAll('/groups-memberships', await membershipsOf(person));
  const takeAttribute = async ({ id }: TestPerson): Promise<void> =>
    removeAll('/attribute-assignments', await ids(`/attribute-assignments?userId=${id}`));
  const grantsOf = async (groupId: string, datasets: readonly string[]): Promise<string[]> =>
    (
      await Promise.all(datasets.map((id) => ids(`/dataset-permissions?groupId=${groupId}&datasetId=${id}`)))
    ).flat();

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    // Creates the attribute.
    await fixture.reader('A');
    owner = await outsider();
    large = await ownDataset(owner);
    await grantAll(large, fixture.readers.id, fixture.admin);
    const text = 'x'.repeat(1000);
    for (let part = 0; part < 8; part += 1) {
      const records = Array.from({ length: 2000 }, (_, n) => ({ n, text, label: 'A' }));
      bodyOf(200, await fixture.write(large, records, { labelInfo: labelField }));
    }
  });
  after(() => server.close());

  const cases: [name: string, left: Remaining, arrange: () => Promise<Scenario>][] = [
    [
      'a session is signed out: its jobs continue, since the person still has the right',
      { ...nobody, job: 'completed', kept: 0 },
      async () => {
        const person = await fixture.newReader('A');
        const headers = bearer(person);
        return {
          headers,
          revoke: () => call(200, 'DELETE', `/authentication/${person.token}`, { token: person.token }),
        };
      },
    ],
    [
      'a person is disabled',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        const revoke = () => call(200, 'PATCH', `/users/${person.id}`, { body: { disabled: true } });
        return { headers: bearer(person), revoke };
      },
    ],
    [
      'a person is removed from the workspace',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        return { headers: bearer(person), revoke: () => call(200, 'DELETE', `/users/${person.id}`) };
      },
    ],
    [
      'a person leaves the group',
      nothing,
      async () => {
        const person = await fixture.newReader('A');
        return { headers: bearer(person), revoke: () => leaveGroups(person) };
      },
    ],
    [
      'the group of a person leaves the group that has the grant',
      nothing,
      async () => {
        const person = await outsider();
        const body = { name: `Inner of ${person.id}`, workspaceId: fixture.workspace.id };
        const inner = await call<Group>(201, 'POST', '/groups', { body });
        const add = (membership: object) =>
          call<{ id: string }>(201, 'POST', '/group-memberships', {
            body: { role: 'member', ...membership },
          });
        await add({ groupId: inner.id, userId: person.id });
        const { id } = await add({ groupId: fixture.readers.id, childGroupId: inner.id });
        return { headers: bearer(person), revoke: () => call(200, 'DELETE', `/groups-memberships/${id}`) };
      },
    ],
    [
      'an attribute is taken from a person',
      unlabelled,
      async () => {
        const person = await fixture.newReader('A');
        return { headers: bearer(person), revoke: () => takeAttribute(person) };
      },
    ],
    [
      'a grant is taken from the group',
      nothing,
      async () => {
        const person = await outsider();
        const body = { name: `Granted to ${person.id}`, workspaceId: fixture.workspace.id };
        const group = await call<Group>(201, 'POST', '/groups', { body });
        const membership = { groupId: group.id, userId: person.id, role: 'member' };
        await call(201, 'POST', '/group-memberships', { body: membership });
        await grantAll(large, group.id, fixture.admin);
        return {
          headers: bearer(person),
          grantTo: group.id,
          revoke: async (small) =>
            removeAll('/dataset-permissions', await grantsOf(group.id, [large, ...small])),
        };
      },
    ],
    [
      'an admin becomes a member',
      nothing,
      async () => {
        const person = await outsider('admin');
        const revoke = () => call(200, 'PATCH', `/users/${person.id}`, { body: { role: 'member' } });
        return { headers: bearer(person), revoke };
      },
    ],
    [
      'the permission manage-datasets is taken from a person',
      nothing,
      async () => {
        const person = await outsider();
        const code = 'manage-datasets';
        const body = {
          workspacePermissionsId: code,
          workspacePermissionsCode: code,
          userId: person.id,
          workspaceId: fixture.workspace.id,
        };
        const path = '/workspace-permissions-assignments';
        const { id } = await call<{ id: string }>(201, 'POST', path, { body });
        return { headers: bearer(person), revoke: () => call(200, 'DELETE', `${path}/${id}`) };
      },
    ],
    [
      'an API key is revoked',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        const { id, key } = await newKey(person);
        const revoke = () =>
          call(200, 'PATCH', `/api-keys/${id}`, { token: person.token, body: { revoked: true } });
        return { headers: { 'x-api-key': key }, revoke };
      },
    ],
    [
      'the person of an API key leaves the group',
      nothing,
      async () => {
        const person = await fixture.newReader('A');
        const { key } = await newKey(person);
        return { headers: { 'x-api-key': key }, revoke: () => leaveGroups(person) };
      },
    ],
    [
      'an attribute is taken from the person of an API key',
      unlabelled,
      async () => {
        const person = await fixture.newReader('A');
        const { key } = await newKey(person);
        return { headers: { 'x-api-key': key }, revoke: () => takeAttribute(person) };
      },
    ],
    [
      'the person of an API key is removed from the workspace',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        const { key } = await newKey(person);
        return { headers: { 'x-api-key': key }, revoke: () => call(200, 'DELETE', `/users/${person.id}`) };
      },
    ],
    [
      'the person of an application leaves the group',
      nothing,
      async () => {
        const person = await fixture.newReader('A');
        const token = await newApplicationToken(person);
        return { headers: bearer({ token }), revoke: () => leaveGroups(person) };
      },
    ],
    [
      'the person of an application is disabled',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        const token = await newApplicationToken(person);
        const revoke = () => call(200, 'PATCH', `/users/${person.id}`, { body: { disabled: true } });
        return { headers: bearer({ token }), revoke };
      },
    ],
    [
      'a person revokes their grant to an application',
      nobody,
      async () => {
        const person = await fixture.newReader('A');
        const token = await newApplicationToken(person);
        const revoke = () => call(200, 'DELETE', `/authentication/${token}`, { token });
        return { headers: bearer({ token }), revoke };
      },
    ],
    [
      'the ownership of a dataset is transferred',
      nothing,
      async () => {
        const heir = await fixture.newReader();
        return {
          headers: bearer(owner),
          owner,
          revoke: async (small) => {
            for (const resourceId of [large, ...small]) {
              const path = '/transfer-resource-requests';
              const body = { resourceId, resourceType: 'dataset', recipientUserId: heir.id };
              const { id } = await call<{ id: string }>(201, 'POST', path, { token: owner.token, body });
              await call(200, 'PATCH', `${path}/${id}`, { token: heir.token, body: { status: 'accepted' } });
            }
          },
        };
      },
    ],
  ];

  const post = (path: string, headers: Headers, body: unknown): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const numbers = async (datasetId: string, headers: Headers): Promise<number> => {
    const { body } = await sendRequest<{ records: unknown[] }>(server, 'POST', '/readInSequence', {
      headers,
      body: { datasetId },
    });
    return body.records.length;
  };

  const startDelete = async (datasetId: string, headers: Headers): Promise<string> => {
    const body = { recordIds: [], deleteAll: true };
    const started = await post(`/storage/datasets/${datasetId}/deleteRecords`, headers, body);
    assert.equal(started.status, 202);
    return ((await started.json()) as Job).id;
  };

  for (const [name, left, arrange] of cases) {
    test(`${name}: the next request, the open reads, the queued job and the running job obey`, async () => {
      const arranged = await arrange();
      const { headers, revoke } = arranged;
      const maker = arranged.owner ?? fixture.workspace.admin;
      const [waited, worked] = [await smallDataset(maker), await smallDataset(maker)];
      for (const small of [waited, worked]) {
        if (arranged.grantTo !== undefined) await grantAll(small, arranged.grantTo, fixture.admin);
        assert.equal(await numbers(small, headers), 3);
      }
      const open = await Promise.all([
        post('/readInSequence', headers, { datasetId: large, batchSize: -1 }),
        post('/query', headers, { expression: `SELECT * FROM "${large}"`, limit: -1 }),
      ]);
      for (const { status } of open) assert.equal(status, 200);
      const atWork = server.holdWork();
      const jobs = [await startDelete(worked, headers)];
      await atWork.reached;
      const letGo = server.holdChanges();
      jobs.push(await startDelete(waited, headers));

      await revoke([waited, worked]);
      server.runtime.clock.advance(2000);
      const read = await post('/readInSequence', headers, { datasetId: waited });
      assert.equal(read.status, left.read, await read.clone().text());
      if (left.records !== undefined) {
        const { records } = (await read.json()) as { records: unknown[] };
        assert.equal(records.length, left.records);
      }
      for (const response of open) await assert.rejects(response.text());
      atWork.letGo();
      letGo();
      await server.jobsSettled();
      for (const id of jobs) assert.equal((await call<Job>(200, 'GET', `/jobs/${id}`)).status, left.job);
      const reader = bearer({ token: await fixture.reader('A') });
      for (const small of [waited, worked]) assert.equal(await numbers(small, reader), left.kept);
      const write = await post(`/write/${waited}`, headers, [{ n: 4 }]);
      assert.equal(write.status, left.write, await write.text());
    });
  }

  test('filling an index stops when its creator may no longer manage the dataset', async () => {
    const person = await outsider();
    const id = await ownDataset(person);
    bodyOf(200, await fixture.write(id, [{ n: 1 }], { token: person.token }));
    const atWork = server.holdWork();
    const { id: index } = await call<{ id: string }>(201, 'POST', '/indexes', {
      token: person.token,
      body: { datasetId: id, fields: ['n'] },
    });
    assert.ok(index);
    await atWork.reached;
    await call(200, 'PATCH', `/users/${person.id}`, { body: { disabled: true } });
    atWork.letGo();
    await server.jobsSettled();
    const { data } = await call<{ data: Job[] }>(200, 'GET', `/jobs?datasetId=${id}&type=reindex`);
    assert.deepEqual(
      data.map(({ status }) => status),
      ['failed'],
    );
  });
});
