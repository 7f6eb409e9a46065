/* Shows: F-POST-/query/lucene-total, D-batch-total, D-injected, D-no-counter, E-RecordBatch-total,
   X-NotFoundError, R-status-403, R-status-404, L1, L2, L5, L10, L11, L15, L17, L18, L19, L25, L31,
   L31-mass-assignment, L33, L-hazard-recordCount, V-datasetAction-read, A-label-cache-attributes, A-logs */
import { allRoutes, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import type { TwoWorlds } from '@redoubt/server/testing';
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { schema, search, sequence } from './cases/reading.ts';
import { compareHiddenAndAbsent, neighbourOf } from './leak-assertions.ts';
import { signInRequest } from '@redoubt/testkit/requests';
import { batchOf, idsOf, write, writeRequest } from './records.ts';
import { runCase } from './run-case.ts';
import type { Scenario } from './scenario.ts';
import { recordCalls, startWorlds, type WorldsFixture } from './worlds-fixture.ts';
import { as, bodyOf, type WireResponse, type Request } from '@redoubt/testkit/requests';

/** A sort key for calls, so that those that change something come late, and deletes after all others. */
const turnOf = ({ method, operationId }: RouteDescriptor): number => {
  // Its requests use a workspace that the reader created in an earlier case.
  if (operationId === 'listAuditLogConfigs') return 2;
  // A cleared dataset has no hidden records for later cases.
  if (operationId === 'clearDataset') return 4;
  // Deleting a dataset deletes its indexes, which earlier cases need.
  if (operationId === 'deleteDataset') return 5;
  return ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(method);
};

const idOf = (record: Record<string, unknown>): string => String(record['_koverse_record_id']);
const internal = { includeInternalFields: true };

describe('two worlds that differ only in what the requester may not see', () => {
  let worlds: TwoWorlds;
  let scenario: Scenario;
  let senderFor: WorldsFixture['senderFor'];
  let close: WorldsFixture['close'];
  before(async () => {
    ({ worlds, scenario, senderFor, close } = await startWorlds());
  });
  after(() => close());

  /** Sends a request to the second world only, as a person who sees more. */
  const peek = (request: Request): Promise<WireResponse> => worlds.hidden('peek', (send) => send(request));

  test('two servers with the same clock, ids and randomness send the same responses byte for byte', async () => {
    const send = senderFor('injected');
    const { reader, workspace } = scenario.people;
    const first = await send(signInRequest(reader, workspace.id));
    const again = await send(signInRequest(reader, workspace.id));
    equal(first.status, 201);
    notEqual(again.body, first.body);
  });

  test('a difference that the reader may see is found', async () => {
    const { people, datasets } = scenario;
    const { admin, outsider } = people;
    for (const request of [
      as(admin).get('/attributes'),
      as(admin).get('/groups?$limit=1'),
      as(admin).get('/datasets?$limit=1'),
      as(admin).get(`/users?id=${people.bystander.id}`),
      search(people.insider, datasets.shared, 'zebra', { limit: 1 }),
      sequence(people.insider, datasets.shared, { batchSize: 1 }),
      schema(people.insider, datasets.shared),
    ]) {
      await rejects(worlds.same('seen', request), /tells what is hidden/);
    }
    await worlds.same('not seen', as(outsider).get('/groups'));
  });

  test('L1: a hidden record is read, ranged and replaced like one that does not exist', async () => {
    const send = senderFor('L1');
    const { people, datasets, hidden } = scenario;
    const { reader } = people;
    ok((await peek(sequence(people.insider, datasets.shared, internal))).body.includes(hidden.record));
    const read = await compareHiddenAndAbsent(
      send,
      hidden.record,
      neighbourOf(hidden.record),
      (startingRecordId) =>
        sequence(reader, datasets.shared, { startingRecordId, batchSize: 5, ...internal }),
    );
    equal(batchOf(read).records.length, 5);
    await compareHiddenAndAbsent(send, hidden.record, neighbourOf(hidden.record), (endingRecordId) =>
      sequence(reader, datasets.shared, { endingRecordId, ...internal }),
    );
    for (const label of [undefined, 'ALPHA', 'SECRET']) {
      const replaced = await compareHiddenAndAbsent(send, hidden.note, neighbourOf(hidden.note), (id) =>
        writeRequest(
          reader,
          datasets.notes,
          [JSON.stringify({ note: 'mine now', label, _koverse_record_id: id })],
          ...(label === undefined ? [null] : []),
        ),
      );
      equal(replaced.status, 404);
    }
  });

  test('L2: totals, recordCount and more are those of the visible records', async () => {
    const send = senderFor('L2');
    const { people, datasets } = scenario;
    for (const [name, count] of [
      ['shared', 52],
      ['many', 320],
      ['mine', 3],
      ['empty', 0],
    ] as const) {
      const datasetId = datasets[name];
      const found = batchOf(await send(search(people.reader, datasetId, '*:*', { limit: -1 })));
      deepEqual([found.total, found.records.length, found.more], [count, count, false]);
      const read = batchOf(await send(sequence(people.reader, datasetId, { batchSize: count })));
      deepEqual([read.total, read.records.length, read.more], [count, count, false]);
      const dataset = bodyOf(await send(as(people.reader).get(`/datasets/${datasetId}`)));
      equal((dataset as { recordCount: number }).recordCount, count);
    }
    const byCount = await send(as(people.reader).get('/datasets?$sort[recordCount]=-1'));
    const { data } = bodyOf(byCount) as { data: { name: string; recordCount: number }[] };
    deepEqual(
      data.map(({ recordCount }) => recordCount),
      [320, 52, 6, 3, 0, 0],
    );
    const { total } = bodyOf(await send(as(people.reader).get('/datasets?recordCount[$gt]=49'))) as {
      total: number;
    };
    equal(total, 2);
  });

  test('L5: partitions, lastRecordId and record ids show no boundary and no sequence of hidden records', async () => {
    const send = senderFor('L5');
    const { people, datasets } = scenario;
    const written = await send(
      writeRequest(people.reader, datasets.notes, ['{"note":"L5"}', '{"note":"L5"}']),
    );
    deepEqual((bodyOf(written) as { partitions: number[] }).partitions, [0]);
    const found = batchOf(await send(search(people.reader, datasets.notes, 'note:L5', internal)));
    equal(found.lastRecordId, found.records.map(idOf).at(-1));
    for (const id of found.records.map(idOf))
      match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const nothing = batchOf(await send(sequence(people.reader, datasets.empty)));
    deepEqual([nothing.lastRecordId, nothing.more], [null, false]);
  });

  test('L10: hidden and absent objects give the same error in the same words', async () => {
    const send = senderFor('L10');
    const { people, hidden, datasets } = scenario;
    const absent = neighbourOf(hidden.dataset);
    for (const [id, path] of [
      [hidden.dataset, '/datasets/'],
      [hidden.group, '/groups/'],
      [hidden.membership, '/group-memberships/'],
      [hidden.attribute, '/attributes/'],
      [hidden.assignment, '/attribute-assignments/'],
      [hidden.permission, '/dataset-permissions/'],
      [hidden.hider.id, '/users/'],
      [hidden.workspace.id, '/workspaces/'],
      [hidden.dataset, '/query/schema?datasetId='],
    ] as const) {
      const { status } = await compareHiddenAndAbsent(send, id, absent, (one) =>
        as(people.reader).get(`${path}${one}`),
      );
      equal(status, 404, path);
    }
    for (const datasetId of [hidden.dataset, absent]) {
      equal((await send(search(people.reader, datasetId, 'n:['))).status, 404);
      equal((await send(sequence(people.reader, datasetId))).status, 404);
      equal((await send(writeRequest(people.reader, datasetId, ['{"a":1}']))).status, 404);
    }
    equal((await send(search(people.reader, datasets.dropBox, 'zebra'))).status, 403);
  });

  test('L11: the names of hidden objects are free for others', async () => {
    const send = senderFor('L11');
    const { people, datasets, groups } = scenario;
    const workspaceId = people.workspace.id;
    equal((await send(as(people.reader).post('/datasets', { name: 'Hidden 1', workspaceId }))).status, 201);
    equal((await send(as(people.reader).post('/groups', { name: 'A cabal 0', workspaceId }))).status, 201);
    equal((await send(as(people.reader).post('/groups', { name: 'Readers', workspaceId }))).status, 409);
    const renamed = as(people.reader).patch(`/groups/${groups.club}`, { name: 'A closed circle' });
    equal((await send(renamed)).status, 200);
    equal((await send(as(people.reader).patch(`/groups/${groups.club}`, { name: 'Club' }))).status, 200);
    // The writer may also use names of fields and labels that hidden records have, and gets the usual response.
    for (const record of ['{"secret":"L11"}', '{"p17":{"deep":1}}', '{"note":"L11","label":"ALPHA|H3"}']) {
      equal((await send(writeRequest(people.reader, datasets.notes, [record]))).status, 200);
    }
    const found = await send(
      search(people.reader, datasets.notes, 'secret:L11 OR p17.deep:1 OR note:L11', internal),
    );
    equal(batchOf(found).total, 3);
  });

  test('L15: no reader gets a cached response of another reader', async () => {
    const send = senderFor('L15');
    const { people, datasets } = scenario;
    const totals: number[] = [];
    for (const credentialsSubset of [undefined, [], ['ALPHA'], undefined, ['BETA'], ['SECRET'], undefined]) {
      await peek(search(people.insider, datasets.shared, '*:*'));
      await peek(sequence(people.insider, datasets.shared));
      const options = { limit: -1, ...(credentialsSubset && { credentialsSubset }) };
      totals.push(batchOf(await send(search(people.reader, datasets.shared, '*:*', options))).total);
      await send(search(people.admin, datasets.shared, '*:*'));
    }
    const [all = 0, none = 0, alpha = 0, , beta = 0, secret = 0] = totals;
    deepEqual(totals, [52, none, alpha, 52, beta, none, 52]);
    ok(none < alpha && alpha < all && none < beta && secret === none, String(totals));
  });

  test('L18: a write neither replaces a hidden record nor changes a label, and writing up is allowed', async () => {
    const send = senderFor('L18');
    const { people, datasets, hidden, records } = scenario;
    const look = () => peek(sequence(people.insider, datasets.notes, internal));
    const before = await look();
    for (const info of [null, { label: '', parserClassName: 'apply-label-to-all-records-parser' }]) {
      const record = JSON.stringify({ note: 'overwritten', _koverse_record_id: hidden.note });
      const { status } = await send(writeRequest(people.reader, datasets.notes, [record], info));
      ok(status === 404 || status === 400, String(status));
    }
    const [, note] = records.notes;
    const lowered = JSON.stringify({ note: 'lowered', label: '', _koverse_record_id: note });
    equal((await send(writeRequest(people.reader, datasets.notes, [lowered]))).status, 403);
    equal((await look()).body, before.body);
    const count = batchOf(await send(sequence(people.reader, datasets.notes))).total;
    equal(
      (await send(writeRequest(people.reader, datasets.notes, ['{"note":"up","label":"SECRET"}']))).status,
      200,
    );
    equal(batchOf(await send(sequence(people.reader, datasets.notes))).total, count);
    equal(batchOf(await peek(search(people.insider, datasets.notes, 'note:up'))).total, 1);
  });

  test('L25: attributes, groups, memberships and grants of others are in no list', async () => {
    const send = senderFor('L25');
    const { people, groups } = scenario;
    const listed = async (path: string): Promise<Record<string, unknown>[]> => {
      const response = await send(as(people.reader).get(`${path}${path.includes('?') ? '&' : '?'}$limit=-1`));
      return (bodyOf(response) as { data: Record<string, unknown>[] }).data;
    };
    const texts = async (path: string, field: string) =>
      (await listed(path)).map((one) => String(one[field])).toSorted();
    deepEqual(await texts('/attributes', 'token'), ['ALPHA', 'BETA']);
    deepEqual(await texts('/groups', 'name'), ['A cabal 0', 'Club', 'Parent', 'Readers']);
    deepEqual(new Set(await texts('/attribute-assignments', 'userId')), new Set([people.reader.id]));
    const nested = await listed(`/group-memberships?childGroupId=${groups.closed}&subGroup=true`);
    deepEqual(
      nested.map(({ childGroupId, subGroup }) => [childGroupId, subGroup]),
      [[groups.closed, null]],
    );
    ok(!(await texts('/dataset-permissions', 'groupId')).includes(groups.closed));
    deepEqual(await listed('/users?role=admin'), []);
    deepEqual(await listed('/users?email=bystander@example.org'), []);
  });

  test('L31: ids of another workspace get the same response as absent ones in paths, filters and bodies', async () => {
    const send = senderFor('L31');
    const { people, datasets, groups, attributes, permissions, hidden } = scenario;
    const { outsider, reader, workspace } = people;
    for (const [id, path] of [
      [datasets.shared, '/datasets/'],
      [groups.readers, '/groups/'],
      [attributes.alpha, '/attributes/'],
      [permissions.readShared, '/dataset-permissions/'],
      [reader.id, '/users/'],
    ] as const) {
      const response = await compareHiddenAndAbsent(send, id, neighbourOf(id), (one) =>
        as(outsider).get(`${path}${one}`),
      );
      equal(response.status, 404, path);
    }
    for (const path of [
      `/datasets?workspaceId=${workspace.id}`,
      `/groups?workspaceId=${workspace.id}`,
      `/attributes?workspaceId=${workspace.id}`,
      `/attribute-assignments?userId=${reader.id}`,
      `/group-memberships?groupId=${groups.readers}`,
      `/dataset-permissions?datasetId=${datasets.shared}`,
      `/users?id=${reader.id}`,
    ]) {
      equal((bodyOf(await send(as(outsider).get(path))) as { total: number }).total, 0, path);
    }
    for (const [path, body] of [
      ['/datasets', { name: 'In', workspaceId: workspace.id }],
      ['/groups', { name: 'In', workspaceId: workspace.id }],
      ['/attributes', { name: 'In', token: 'IN', workspaceId: workspace.id }],
      ['/attribute-assignments', { attributeId: attributes.alpha, userId: reader.id }],
      ['/group-memberships', { groupId: groups.readers, userId: outsider.id, role: 'admin' }],
      ['/dataset-permissions', { action: 'manage', datasetId: datasets.shared, groupId: groups.readers }],
      [
        '/users',
        {
          email: 'in@example.org',
          firstName: 'I',
          lastName: 'N',
          password: 'long enough',
          workspaceId: workspace.id,
        },
      ],
    ] as const) {
      equal((await send(as(outsider).post(path, body))).status, 404, path);
    }
    equal((await send(as(reader).get(`/datasets?workspaceId=${hidden.workspace.id}`))).status, 200);
  });

  test('L31: a PATCH or create that sends more than the asker may set changes nothing', async () => {
    const send = senderFor('L31b');
    const { people, datasets, groups, hidden } = scenario;
    const { reader, insider } = people;
    const mine = `/datasets/${datasets.mine}`;
    for (const [path, body] of [
      [`/users/${reader.id}`, { role: 'admin' }],
      [`/users/${reader.id}`, { workspaceId: hidden.workspace.id }],
      [`/users/${reader.id}`, { stripeLatestCharge: null }],
      [mine, { userId: insider.id }],
      [mine, { workspaceId: hidden.workspace.id }],
      [`/groups/${groups.club}`, { userId: insider.id }],
      [`/workspaces/${people.workspace.id}`, { subscription: {} }],
    ] as const) {
      equal((await send(as(reader).patch(path, body))).status, 403, `${path} ${JSON.stringify(body)}`);
    }
    const { data } = bodyOf(await send(as(reader).get(`/users?id=${reader.id}`))) as {
      data: { role: string }[];
    };
    equal(data[0]?.role, 'member');
  });

  test('L33: a record is found under its new label at once, and no longer under its old one', async () => {
    const sendToBoth = senderFor('L33');
    const { people, datasets } = scenario;
    const [id] = await worlds.both('L33 write', async (send) => {
      await write(send, people.reader, datasets.mine, ['{"title":"relabelled","label":"ALPHA"}']);
      return (await idsOf(send, people.reader, datasets.mine)).slice(-1);
    });
    const relabel = (label: string): Request => {
      const record = JSON.stringify({ title: 'relabelled', label, _koverse_record_id: id });
      return writeRequest(people.reader, datasets.mine, [record]);
    };
    const found = async () =>
      batchOf(await sendToBoth(search(people.reader, datasets.mine, 'title:relabelled'))).total;
    equal(await found(), 1);
    equal((await sendToBoth(relabel('BETA'))).status, 200);
    equal(await found(), 1);
    equal(batchOf(await sendToBoth(search(people.admin, datasets.mine, 'title:relabelled'))).total, 0);
    equal((await sendToBoth(relabel('SECRET'))).status, 200);
    equal(await found(), 0);
    equal((await sendToBoth(relabel('ALPHA'))).status, 404);
  });

  test('L17: a revoked attribute, group, grant or session has no effect from the next request on', async () => {
    const send = senderFor('L17');
    const { people, datasets, attributes } = scenario;
    const { admin, writer, workspace } = people;
    const { accessToken: token } = bodyOf(await send(signInRequest(writer, workspace.id))) as {
      accessToken: string;
    };
    const person = { ...writer, token };
    const made = async (path: string, body: unknown): Promise<string> => {
      const response = await send(as(admin).post(path, body));
      equal(response.status, 201, response.body);
      return (bodyOf(response) as { id: string }).id;
    };
    const gone = async (path: string): Promise<void> => {
      equal((await send(as(admin).remove(path))).status, 200);
    };
    const seen = async (): Promise<number> => {
      const response = await send(search(person, datasets.shared, '*:*'));
      return response.status === 200 ? batchOf(response).total : -response.status;
    };
    const groupId = await made('/groups', { name: 'For a while', workspaceId: workspace.id });
    const membership = { groupId, userId: writer.id, role: 'member' };
    const permission = { action: 'read', datasetId: datasets.shared, groupId };
    equal(await seen(), -403);
    let membershipId = await made('/group-memberships', membership);
    const permissionId = await made('/dataset-permissions', permission);
    const unlabelled = await seen();
    ok(unlabelled > 0);
    const assignmentId = await made('/attribute-assignments', {
      attributeId: attributes.beta,
      userId: writer.id,
    });
    ok((await seen()) > unlabelled);
    await gone(`/attribute-assignments/${assignmentId}`);
    equal(await seen(), unlabelled);
    await gone(`/group-memberships/${membershipId}`);
    equal(await seen(), -403);
    membershipId = await made('/group-memberships', membership);
    equal(await seen(), unlabelled);
    await gone(`/dataset-permissions/${permissionId}`);
    equal(await seen(), -403);
    await gone(`/groups/${groupId}`);
    equal((await send(as(person).remove('/authentication/null'))).status, 200);
    equal(await seen(), -401);
  });

  const others = allRoutes.filter(({ operationId }) => !recordCalls.has(operationId as OperationId));
  for (const route of others.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    test(`two worlds: ${route.operationId}`, async () => {
      await runCase(route.operationId as OperationId, worlds.same, scenario);
    });
  }

  test('L19: the log of all requests contains no values, labels, searches, tokens or passwords', () => {
    const log = worlds.log();
    ok(log.includes('/query/lucene'));
    const { people } = scenario;
    for (const secret of [
      'zebra',
      'lodge',
      'SECRET',
      'ALPHA',
      'H17',
      'Hidden 1',
      'priority',
      people.reader.password,
    ]) {
      ok(!log.includes(secret), secret);
    }
    for (const { token } of [people.reader, people.admin, scenario.hidden.hider]) ok(!log.includes(token));
  });
});
