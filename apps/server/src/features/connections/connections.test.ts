/* Shows: F-POST-/ingest-connectionId, R-minimum-label, R-restricted-rejects */
import type {
  Connection,
  ConnectionPermission,
  ConnectionTest,
  Job,
  JobReceipt,
  RejectedRow,
} from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  hasReferenceServer,
  labelField,
  outcomeOf,
  sendRequest,
  startHttpRelay,
  type HttpRelay,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import { startS3Peer, type TestS3Peer } from '@redoubt/testkit/s3-peer';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

// Before any suite is registered: the hooks of the file would run while this waits.
const storage = hasReferenceServer()
  ? { missing: 'it runs once, with embedded metadata' }
  : await startS3Peer();

const path = '/connections';
const secretAccessKey = 'never to be read again';
const keys = { accessKeyId: 'any-key', secretAccessKey };

let server: TestServer;
let fixture: RecordFixture;
let owner: TestPerson;
before(async () => {
  server = await startServer();
  fixture = await createRecordFixture(server);
  owner = await fixture.newReader('A');
});
after(() => server.close());

interface Refusal {
  message: string;
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const send = async <Body = Connection & Refusal>(
  status: number,
  method: Method,
  target: string,
  body?: unknown,
  { token }: { token: string } = owner,
): Promise<Body> =>
  fixture.call<Body>(status, method, target, body === undefined ? { token } : { token, body });

const bucketInfo = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'one' };
const bodyOf = (more: object = {}): object => ({
  workspaceId: fixture.workspace.id,
  name: 'Bucket',
  type: 'S3',
  connectionInfo: { ...bucketInfo, ...keys },
  ...more,
});
const create = (more: object = {}): Promise<Connection> => send(201, 'POST', path, bodyOf(more));
const refusal = async (method: Method, target: string, body?: unknown, status = 400): Promise<string> =>
  (await sendRequest<Refusal>(server, method, target, { token: owner.token, body })).status === status
    ? (await sendRequest<Refusal>(server, method, target, { token: owner.token, body })).body.message
    : 'not refused';

/** Creates a group of the admin with one person. */
const groupOf = async (person: TestPerson, name: string): Promise<string> => {
  const { id } = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
    body: { name, workspaceId: fixture.workspace.id },
  });
  await fixture.call(201, 'POST', '/group-memberships', {
    body: { groupId: id, userId: person.id, role: 'member' },
  });
  return id;
};

describe('stored connections', () => {
  test('a connection shows where it leads, and nobody reads its secrets', async () => {
    const made = await create({ allowed: { prefixes: ['in/'] }, minimumLabel: 'b&(a)' });
    const { id, createdAt, updatedAt } = made;
    const expected = {
      id,
      name: 'Bucket',
      type: 'S3',
      workspaceId: fixture.workspace.id,
      userId: owner.id,
      target: { hosts: ['127.0.0.1:1'], bucket: 'one' },
      allowed: { prefixes: ['in/'] },
      minimumLabel: 'A&B',
      testedAt: null,
      createdAt,
      updatedAt,
      currentUserPermissions: { use: true, manage: true },
    };
    assert.deepEqual(made, expected);
    assert.deepEqual(await send(200, 'GET', `${path}/${id}`), expected);
    const listed = await send<{ data: Connection[] }>(200, 'GET', `${path}?name=Bucket`);
    assert.deepEqual(listed.data, [expected]);
    const changed = await send(200, 'PATCH', `${path}/${id}`, {
      name: 'Other',
      connectionInfo: { ...bucketInfo, bucket: 'two' },
      allowed: null,
    });
    assert.deepEqual(
      [changed.name, changed.target, changed.allowed, changed.minimumLabel],
      ['Other', { hosts: ['127.0.0.1:1'], bucket: 'two' }, null, 'A&B'],
    );
    const tested = await send<ConnectionTest>(200, 'POST', `${path}/${id}/test`);
    assert.equal(tested.succeeded, false);
    assert.match(tested.message, /Cannot use the S3 bucket "two" at 127\.0\.0\.1:1: it did not respond/);
    assert.equal((await send(200, 'GET', `${path}/${id}`)).testedAt, null);
    assert.equal((await send(200, 'DELETE', `${path}/${id}`)).name, 'Other');
    await send(404, 'GET', `${path}/${id}`);
    assert.ok(!server.log.join('').includes(secretAccessKey));
    const events = await fixture.call<{ data: { description: string }[] }>(200, 'POST', '/audit-log/query', {
      body: { expression: `details.connectionId:"${id}"`, limit: -1 },
    });
    assert.deepEqual(events.data.map(({ description }) => description).toSorted(), [
      'changed the connection "Other"',
      'created the connection "Bucket"',
      'deleted the connection "Other"',
      'tested the connection "Other"',
    ]);
  });

  test('what a connection cannot hold or honour is refused with its field', async () => {
    const cases: [object, RegExp][] = [
      [{ connectionInfo: { ...bucketInfo, prefix: 'a' } }, /connectionInfo\.prefix must not be stored/],
      [{ connectionInfo: { ...bucketInfo, region: 'US EAST' } }, /^connectionInfo\.region must be/],
      [{ allowed: { tables: ['a.b'] } }, /allowed\.tables must not be sent for type S3/],
      [{ allowed: {} }, /allowed must name prefixes/],
      [{ minimumLabel: 'A&' }, /minimumLabel must be a label/],
      [{ minimumLabel: ' ' }, /minimumLabel/],
      [{ type: 'URL', connectionInfo: {} }, /allowed\.urlPrefixes must be sent/],
      [
        {
          type: 'URL',
          connectionInfo: { headers: { host: 'a' } },
          allowed: { urlPrefixes: ['http://a.example/'] },
        },
        /connectionInfo\.headers must not contain host/,
      ],
      [
        { type: 'URL', connectionInfo: {}, allowed: { urlPrefixes: ['http://a.example/%2f/'] } },
        /allowed\.urlPrefixes\.0/,
      ],
      [
        {
          type: 'JDBC',
          connectionInfo: { databaseType: 'postgresql', host: 'db', database: 'd', username: 'u' },
          allowed: { tables: ['airports'] },
        },
        /allowed\.tables\.0 must be a table as schema\.table/,
      ],
    ];
    for (const [more, message] of cases) {
      assert.match(await refusal('POST', path, bodyOf(more)), message);
    }
  });

  test('a grant to a group lets its members use a connection, and only managers change, share and delete it', async () => {
    const { id } = await create({ minimumLabel: 'SECRET' });
    const user = await fixture.newReader();
    const outer = await groupOf(owner, 'Outer');
    const inner = await groupOf(user, 'Inner');
    await send(404, 'GET', `${path}/${id}`, undefined, user);
    await fixture.call(201, 'POST', '/group-memberships', {
      body: { groupId: outer, childGroupId: inner, role: 'member' },
    });
    const grant = { action: 'use', connectionId: id, groupId: outer };
    const permission = await send<ConnectionPermission>(201, 'POST', '/connection-permissions', grant);
    await send(409, 'POST', '/connection-permissions', grant);
    const seen = await send(200, 'GET', `${path}/${id}`, undefined, user);
    assert.deepEqual([seen.currentUserPermissions, seen.minimumLabel], [{ use: true, manage: false }, null]);
    await send(200, 'POST', `${path}/${id}/test`, undefined, user);
    await send(403, 'PATCH', `${path}/${id}`, { name: 'Mine' }, user);
    await send(403, 'DELETE', `${path}/${id}`, undefined, user);
    await send(403, 'POST', '/connection-permissions', grant, user);
    await send(403, 'DELETE', `/connection-permissions/${permission.id}`, undefined, user);
    const listed = await send<{ data: unknown[] }>(200, 'GET', '/connection-permissions', undefined, user);
    assert.deepEqual(listed.data, [permission]);
    await send(200, 'DELETE', `/connection-permissions/${permission.id}`);
    await send(404, 'GET', `${path}/${id}`, undefined, user);
    assert.deepEqual((await send<{ data: unknown[] }>(200, 'GET', path, undefined, user)).data, []);
    const { connection: _none, ...manage } = { connection: id, ...grant, action: 'manage' };
    await send(201, 'POST', '/connection-permissions', manage);
    await send(403, 'PATCH', `${path}/${id}`, { minimumLabel: null }, user);
    await send(200, 'DELETE', `${path}/${id}`, undefined, user);
  });
});

describe('jobs through a connection to S3', { skip: 'missing' in storage ? storage.missing : false }, () => {
  const peer = storage as TestS3Peer;
  let relay: HttpRelay;
  let uploads: UploadFixture;
  let user: TestPerson;
  let grant: ConnectionPermission;
  let connection: Connection;
  const info = () => ({ endpoint: relay.url, region: peer.region, bucket: 'shared', ...peer.keys });

  before(async () => {
    relay = await startHttpRelay(peer.endpoint);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    user = await fixture.newReader('A');
    await peer.put('shared', 'in/a.csv', 'n,label\n1,A\n2,B\n3,\n4,A&\n');
    await peer.put('shared', 'secret/b.csv', 'n,label\n9,\n');
    connection = await send(
      201,
      'POST',
      path,
      bodyOf({ connectionInfo: info(), allowed: { prefixes: ['in/'] }, minimumLabel: 'M' }),
    );
    grant = await send(201, 'POST', '/connection-permissions', {
      action: 'use',
      connectionId: connection.id,
      groupId: fixture.readers.id,
    });
  });
  after(async () => {
    await relay.close();
    await peer.stop();
  });

  const start = <Result = Job>(
    status: number,
    datasetId: string,
    connectionInfo: object | undefined,
    more: object = {},
  ): Promise<Result> =>
    fixture.call<Result>(status, 'POST', '/ingest?isAsync=true', {
      token: user.token,
      body: {
        datasetId,
        dataSourceParams: { type: 'S3', connectionId: connection.id, connectionInfo },
        securityLabeled: true,
        securityLabelInfo: labelField,
        ...more,
      },
    });
  const run = async (datasetId: string, connectionInfo: object, more: object = {}): Promise<Job> => {
    const { id } = await start(202, datasetId, connectionInfo, more);
    await server.jobsSettled();
    return createSourceFixture(fixture, server.jobsSettled, 'S3', user.token).jobOf(id);
  };
  const numbersOf = async (datasetId: string, token: string): Promise<unknown[]> =>
    (await uploads.records(datasetId, token)).map(({ n }) => Number(n)).toSorted((a, b) => a - b);

  test('a connection must pass a test first, which lists what it allows', async () => {
    const datasetId = await fixture.dataset();
    const before = await start<Refusal>(400, datasetId, { prefix: 'in/' });
    assert.match(before.message, /must pass a test before it is used/);
    const result = await send<ConnectionTest>(200, 'POST', `${path}/${connection.id}/test`, undefined, user);
    assert.deepEqual(result, {
      succeeded: true,
      message: 'The source works, and lists 1.',
      found: ['in/a.csv'],
    });
    assert.notEqual((await send(200, 'GET', `${path}/${connection.id}`)).testedAt, null);
    const allowing = async (...prefixes: string[]): Promise<ConnectionTest> => {
      const body = bodyOf({ connectionInfo: info(), allowed: { prefixes } });
      const { id } = await send(201, 'POST', path, body);
      return send<ConnectionTest>(200, 'POST', `${path}/${id}/test`);
    };
    assert.deepEqual(await allowing('none/', 'in/'), result);
    const empty = await allowing('none/');
    assert.deepEqual([empty.succeeded, empty.found], [true, []]);
    assert.match(empty.message, /lists nothing that the connection allows/);
  });

  test('the minimum label is added to the label of every record, and two people see what they satisfy', async () => {
    const datasetId = await fixture.dataset();
    const job = await run(datasetId, { prefix: 'in/' });
    assert.equal(outcomeOf(job), 'completed: : ');
    assert.deepEqual(await numbersOf(datasetId, user.token), []);
    const one = await fixture.newReader('A', 'M');
    const other = await fixture.newReader('B', 'M');
    assert.deepEqual(await numbersOf(datasetId, one.token), [1, 3]);
    assert.deepEqual(await numbersOf(datasetId, other.token), [2, 3]);
    const unlabelled = await fixture.dataset();
    await run(unlabelled, { prefix: 'in/' }, { securityLabeled: false, securityLabelInfo: null });
    assert.deepEqual(await numbersOf(unlabelled, user.token), []);
    assert.deepEqual(await numbersOf(unlabelled, one.token), [1, 2, 3, 4]);
    const kept = await start<Refusal>(
      400,
      datasetId,
      { prefix: 'in/' },
      {
        securityLabeled: false,
        securityLabelInfo: null,
        writeMode: 'upsert',
        keyColumns: ['n'],
      },
    );
    assert.match(kept.message, /securityLabeled must be true for writeMode upsert/);
  });

  test('a request reads only what the connection allows, and sends no field of the connection', async () => {
    const datasetId = await fixture.dataset();
    for (const [connectionInfo, message] of [
      [undefined, /connectionInfo\.prefix must be a prefix that the connection allows, got the string ""/],
      [{ prefix: 'secret/' }, /got the string "secret\/"/],
      [{ prefix: 'in' }, /got the string "in"/],
      [{ prefix: 'in/', bucket: 'other' }, /connectionInfo\.bucket must not be sent with connectionId/],
      [{ prefix: 'in/', endpoint: 'http://127.0.0.1:1' }, /connectionInfo\.endpoint must not be sent/],
    ] as const)
      assert.match((await start<Refusal>(400, datasetId, connectionInfo)).message, message);
    const wrong = await start<Refusal>(
      400,
      datasetId,
      {},
      {
        dataSourceParams: { type: 'JDBC', connectionId: connection.id },
      },
    );
    assert.match(wrong.message, /dataSourceParams\.type must be "S3"/);
  });

  test('the starter of a job sees what their labels show, and rejected rows only with an attribute of the dataset', async () => {
    const datasetId = await fixture.dataset();
    const { id, recordCount } = await run(datasetId, { prefix: 'in/' });
    assert.equal(recordCount, null);
    const hidden = {
      received: null,
      rejected: null,
      dropped: null,
      duplicate: null,
      replaced: null,
      replayed: null,
    };
    const receiptOf = () =>
      fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, { token: user.token });
    const { files, jobId: _job, datasetId: _dataset, uploadId: _upload, ...sums } = await receiptOf();
    assert.deepEqual(
      [sums, files.map(({ name, written }) => [name, written])],
      [{ fileCount: 1, written: 0, ...hidden }, [['in/a.csv', 0]]],
    );
    const rejects = () =>
      fixture.call<{ data: RejectedRow[] }>(200, 'GET', `/rejected-rows?datasetId=${datasetId}`, {
        token: user.token,
      });
    assert.deepEqual((await rejects()).data, []);
    const replay = { rows: [{ id: `${files[0]?.id ?? ''}/3`, text: '{"n":4,"label":"A"}' }] };
    await fixture.call(404, 'POST', `/jobs/${id}/rejected-rows/replay`, { token: user.token, body: replay });
    const token = `REJECTS:${datasetId.toUpperCase()}`;
    const attributes = await fixture.call<{ total: number }>(
      200,
      'GET',
      `/attributes?token=${encodeURIComponent(token)}`,
    );
    assert.equal(attributes.total, 1);
    await fixture.assign(user.id, token);
    assert.deepEqual((await rejects()).data, []);
    const minimum = await fixture.assign(user.id, 'M');
    assert.deepEqual(
      (await rejects()).data.map(({ row }) => row),
      [3],
    );
    const seen = await receiptOf();
    assert.deepEqual([seen.written, seen.rejected, seen.received], [2, 1, null]);
    await fixture.call(202, 'POST', `/jobs/${id}/rejected-rows/replay`, { token: user.token, body: replay });
    await server.jobsSettled();
    const without = await fixture.newReader('A');
    const all = await numbersOf(datasetId, user.token);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${minimum}`);
    assert.deepEqual([all, await numbersOf(datasetId, without.token)], [[1, 3, 4], []]);
  });

  test('a prefix of a connection is a folder or a key, and no beginning of a name', async (t) => {
    // It stores objects as files.
    if (peer.checksSignatures) return t.skip('versitygw has no object whose key is the folder of another');
    await peer.put('shared', 'team-a/a.csv', 'n,label\n5,A\n');
    await peer.put('shared', 'team-a', 'n,label\n6,A\n');
    await peer.put('shared', 'team-ab/b.csv', 'n,label\n7,A\n');
    const body = bodyOf({ connectionInfo: info(), allowed: { prefixes: ['team-a'] } });
    const own = await send(201, 'POST', path, body);
    const tested = await send<ConnectionTest>(200, 'POST', `${path}/${own.id}/test`);
    assert.deepEqual(tested.found.toSorted(), ['team-a', 'team-a/a.csv']);
    const datasetId = await fixture.dataset();
    const prefix = (sent: string) => ({
      dataSourceParams: { type: 'S3', connectionId: own.id, connectionInfo: { prefix: sent } },
    });
    const source = createSourceFixture(fixture, server.jobsSettled, 'S3', owner.token);
    await source.send<Refusal>(datasetId, {}, prefix('team-ab'), 400);
    const more = { securityLabeled: true, securityLabelInfo: labelField, fileOptions: { format: 'csv' } };
    assert.equal(
      outcomeOf(await source.run(datasetId, {}, { ...prefix('team-a'), ...more })),
      'completed: : ',
    );
    assert.deepEqual(await numbersOf(datasetId, owner.token), [5, 6]);
  });

  test('a preview shows only rows whose label, with the minimum label, one satisfies', async () => {
    const datasetId = await fixture.dataset();
    const preview = async (token: string): Promise<unknown[]> => {
      const { rows } = await fixture.call<{ rows: { line: number; label: string }[] }>(
        200,
        'POST',
        '/ingest/preview',
        {
          token,
          body: {
            datasetId,
            dataSourceParams: { type: 'S3', connectionId: connection.id, connectionInfo: { prefix: 'in/' } },
            securityLabeled: true,
            securityLabelInfo: labelField,
          },
        },
      );
      return rows.map(({ line, label }) => [line, label]);
    };
    assert.deepEqual(await preview(user.token), []);
    const other = await fixture.newReader('B', 'M');
    assert.deepEqual(await preview(other.token), [
      [1, 'B&M'],
      [2, 'M'],
    ]);
  });

  test('a revoked grant stops a running job before its next block, and the next request', async () => {
    const datasetId = await fixture.dataset();
    let isRevoked = false;
    relay.act = ({ path: key }) =>
      key.includes('a.csv') && !isRevoked
        ? {
            before: async () => {
              isRevoked = true;
              await send(200, 'DELETE', `/connection-permissions/${grant.id}`);
            },
          }
        : undefined;
    const { status, error } = await run(datasetId, { prefix: 'in/' });
    assert.deepEqual([status, error?.name], ['failed', 'ForbiddenError']);
    assert.equal(
      error?.message,
      `You may no longer use the connection "${connection.id}", or it was deleted. Ask a person who manages it, then start the job again. The records that were stored until then stay.`,
    );
    const reader = await fixture.newReader('A', 'B', 'M');
    assert.deepEqual(await numbersOf(datasetId, reader.token), []);
    await start(404, datasetId, { prefix: 'in/' });
  });
});
