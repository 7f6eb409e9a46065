import type { LabelVisibility } from '@redoubt/contract';
import { addMember, createRecordFixture, sendRequest, type RecordFixture } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

let server: SharedServer;
let fixture: RecordFixture;
let dataset: string;
before(async () => {
  server = await sharedServer();
  fixture = await createRecordFixture(server);
  dataset = await fixture.dataset(['read']);
});

const look = (token: string, body: object) =>
  sendRequest<{ labels: LabelVisibility[]; message: string }>(server, 'POST', '/label-visibility', {
    token,
    body,
  });
const visible = async (token: string, labels: string[]) =>
  (await look(token, { labels })).body.labels.map(({ isVisible }) => isVisible);
const readers = async (token: string, labels: string[]) =>
  (await look(token, { labels, datasetId: dataset })).body.labels.map((one) => one.readers);

test('everybody learns which labels they satisfy themselves', async () => {
  const reader = await fixture.reader('EU');
  assert.deepEqual(await visible(reader, ['', 'EU', 'eu&US', 'EU|US', 'NEVER']), [
    true,
    true,
    false,
    true,
    false,
  ]);
  assert.deepEqual(await visible(fixture.admin, ['', 'EU']), [true, false]);
  assert.deepEqual(await readers(reader, ['', 'EU']), [null, null]);
});

test('an admin gets the number of people who may read the dataset and satisfy the label', async () => {
  await fixture.newReader('COUNTED');
  const outsider = await addMember(server, fixture.workspace);
  await fixture.assign(outsider.id, 'COUNTED');
  assert.deepEqual(await readers(fixture.admin, ['COUNTED', 'COUNTED&EU', 'NEVER']), [1, 0, 0]);
  const child = await fixture.call<{ id: string }>(201, 'POST', '/groups', {
    body: { name: 'Child', workspaceId: fixture.workspace.id },
  });
  await fixture.call(201, 'POST', '/group-memberships', {
    body: { groupId: fixture.readers.id, childGroupId: child.id, role: 'member' },
  });
  await fixture.call(201, 'POST', '/group-memberships', {
    body: { groupId: child.id, userId: outsider.id, role: 'member' },
  });
  assert.deepEqual(await readers(fixture.admin, ['COUNTED']), [2]);
  await fixture.call(200, 'PATCH', `/users/${outsider.id}`, { body: { disabled: true } });
  assert.deepEqual(await readers(fixture.admin, ['COUNTED']), [1]);
});

test('managing the dataset is not enough to see numbers: manage-attributes and manage-groups are needed as well', async () => {
  const manager = await addMember(server, fixture.workspace);
  const own = await fixture.call<{ id: string }>(201, 'POST', '/datasets', {
    token: manager.token,
    body: { name: 'Of the manager', workspaceId: fixture.workspace.id },
  });
  const query = async () =>
    (await look(manager.token, { labels: ['', 'EU'], datasetId: own.id })).body.labels.map(
      (one) => one.readers,
    );
  const { data: codes } = await fixture.call<{ data: { id: string; code: string }[] }>(
    200,
    'GET',
    '/workspace-permissions?$limit=-1',
  );
  for (const code of ['manage-attributes', 'manage-groups']) {
    assert.deepEqual(await query(), [null, null], code);
    await fixture.call(201, 'POST', '/workspace-permissions-assignments', {
      body: {
        workspacePermissionsId: codes.find((one) => one.code === code)?.id,
        workspacePermissionsCode: code,
        userId: manager.id,
        workspaceId: fixture.workspace.id,
      },
    });
  }
  assert.deepEqual(await query(), [2, 0]);
});

test('a hidden dataset gets the response of an absent one, and looking creates no attribute', async () => {
  const stranger = await addMember(server, fixture.workspace);
  const absent = '00000000-0000-4000-8000-000000000000';
  const [hidden, none] = [
    await look(stranger.token, { labels: ['LOOKED:AT'], datasetId: dataset }),
    await look(stranger.token, { labels: ['LOOKED:AT'], datasetId: absent }),
  ];
  assert.deepEqual([hidden.status, none.status], [404, 404]);
  assert.equal(hidden.body.message.replace(dataset, absent), none.body.message);
  await look(fixture.admin, { labels: ['LOOKED:AT'], datasetId: dataset });
  const found = await fixture.call<{ total: number }>(200, 'GET', '/attributes?token=LOOKED:AT');
  assert.equal(found.total, 0);
});

test('a label that cannot be parsed names its place', async () => {
  const { status, body } = await look(fixture.admin, { labels: ['A', 'A&'] });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /labels\[1\]/);
});
