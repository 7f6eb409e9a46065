/* Shows: F-GET-/datasets-filters, D-write-not-read, D-recordCount, D-recordCount-sort,
   D-dataset-delete-container, E-Dataset-recordCount, E-Dataset-schema, L-hazard-recordCount,
   A-label-cache-attributes */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Attribute, Dataset, Group } from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  createWorkspace,
  type ExpectedCall,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

describe('record count and schema of a dataset', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let admin: string;
  let holder: TestPerson;
  let other: TestPerson;
  let readers: Group;
  let count = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    admin = workspace.admin.token;
    holder = await addMember(server, workspace);
    other = await addMember(server, workspace);
    readers = await call<Group>(201, 'POST', '/groups', {
      body: { name: 'Readers', workspaceId: workspace.id },
    });
    for (const { id: userId } of [holder, other]) {
      await call(201, 'POST', '/group-memberships', {
        body: { groupId: readers.id, userId, role: 'member' },
      });
    }
    const { id: attributeId } = await call<Attribute>(201, 'POST', '/attributes', {
      body: { name: 'A', token: 'A' },
    });
    await call(201, 'POST', '/attribute-assignments', { body: { attributeId, userId: holder.id } });
  });

  const call = <T>(...request: ExpectedCall): Promise<T> => sendExpected<T>(server, admin, ...request);
  /** Creates a dataset that the readers may read, with the given numbers of records for everyone and of records labelled A. */
  const dataset = async (open: number, labelled: number, action = 'read'): Promise<Dataset> => {
    count += 1;
    const body = { name: `Dataset ${count}`, workspaceId: workspace.id };
    const made = await call<Dataset>(201, 'POST', '/datasets', { body });
    await call(201, 'POST', '/dataset-permissions', {
      body: { action, datasetId: made.id, groupId: readers.id },
    });
    const records = [
      ...Array.from({ length: open }, (_, index) => ({ city: `c${index}` })),
      ...Array.from({ length: labelled }, (_, index) => ({ city: `c${index}`, secret: index, label: 'A' })),
    ];
    if (records.length > 0) {
      await call(200, 'POST', `/v2/write/${made.id}?isAsync=false`, {
        body: {
          records,
          securityLabelInfo: {
            fields: ['label'],
            parserClassName: 'identity-parser',
            labelHandlingPolicy: 'ignore',
          },
        },
      });
    }
    return made;
  };
  const get = (id: string, { token }: TestPerson): Promise<Dataset> =>
    call(200, 'GET', `/datasets/${id}`, { token });

  test('the record count and the schema of a dataset cover the records visible to the requester', async () => {
    const { id } = await dataset(2, 3);
    const [full, part] = [await get(id, holder), await get(id, other)];
    assert.equal(full.recordCount, 5);
    assert.deepEqual(full.schema, {
      city: { type: 'text' },
      label: { type: 'text' },
      secret: { type: 'bigint' },
    });
    assert.equal(part.recordCount, 2);
    assert.deepEqual(part.schema, { city: { type: 'text' } });
    const page = await call<{ data: Dataset[] }>(200, 'GET', `/datasets?id=${id}`, { token: other.token });
    assert.deepEqual(page.data, [part]);
  });

  test('an admin of the workspace who holds no attribute counts no labelled record', async () => {
    const { id } = await dataset(1, 4);
    const shown = await get(id, workspace.admin);
    assert.equal(shown.recordCount, 1);
    assert.deepEqual(Object.keys(shown.schema), ['city']);
    const { recordCount, schema } = await call<Dataset>(200, 'PATCH', `/datasets/${id}`, {
      body: { name: 'Renamed' },
    });
    assert.deepEqual({ recordCount, schema }, { recordCount: 1, schema: { city: { type: 'text' } } });
  });

  test('an actor who may write but not read a dataset learns nothing about its records', async () => {
    const { id } = await dataset(2, 2, 'write');
    const { recordCount, schema, currentUserPermissions } = await get(id, holder);
    assert.deepEqual(currentUserPermissions, { read: false, write: true, manage: false });
    assert.equal(recordCount, 0);
    assert.deepEqual(schema, {});
    const found = await call<{ total: number }>(200, 'GET', `/datasets?id=${id}&recordCount[$gt]=0`, {
      token: holder.token,
    });
    assert.equal(found.total, 0);
  });

  test('datasets are sorted and filtered by the counts of the requester', async () => {
    const [mostlyOpen, mostlyLabelled] = [await dataset(3, 0), await dataset(1, 9)];
    const ids = `id[$in][]=${mostlyOpen.id}&id[$in][]=${mostlyLabelled.id}`;
    const list = async (query: string, { token }: TestPerson): Promise<string[]> => {
      const page = await call<{ total: number; data: Dataset[] }>(200, 'GET', `/datasets?${ids}&${query}`, {
        token,
      });
      assert.equal(page.total, query.includes('recordCount=') ? page.data.length : 2);
      return page.data.map(({ id }) => id);
    };
    const descending = '$sort[recordCount]=-1';
    assert.deepEqual(await list(descending, holder), [mostlyLabelled.id, mostlyOpen.id]);
    assert.deepEqual(await list(descending, other), [mostlyOpen.id, mostlyLabelled.id]);
    assert.deepEqual(await list(`${descending}&$limit=1`, other), [mostlyOpen.id]);
    assert.deepEqual(await list('recordCount=10', holder), [mostlyLabelled.id]);
    assert.deepEqual(await list('recordCount=10', other), []);
    assert.deepEqual(await list('recordCount=1', other), [mostlyLabelled.id]);
    assert.deepEqual(await list('$or[0][recordCount]=3&$or[1][recordCount]=1', other), [
      ...(await list('$limit=-1', other)),
    ]);
  });

  test('a revoked attribute removes its records from the count with the next request', async () => {
    const reader = await addMember(server, workspace);
    await call(201, 'POST', '/group-memberships', {
      body: { groupId: readers.id, userId: reader.id, role: 'member' },
    });
    const { id } = await dataset(0, 2);
    assert.equal((await get(id, reader)).recordCount, 0);
    const { data } = await call<{ data: Attribute[] }>(200, 'GET', '/attributes?token=A');
    const body = { attributeId: data[0]?.id, userId: reader.id };
    const assignment = await call<{ id: string }>(201, 'POST', '/attribute-assignments', { body });
    assert.equal((await get(id, reader)).recordCount, 2);
    await call(200, 'DELETE', `/attribute-assignments/${assignment.id}`);
    assert.equal((await get(id, reader)).recordCount, 0);
  });

  test('a schema names fields as they were written, including line breaks', async () => {
    const { id } = await dataset(0, 0);
    const names = ['two\nlines', 'with "quotes"', 'ünï', '', 'constructor'];
    await call(200, 'POST', `/write/${id}?isAsync=false`, {
      body: [Object.fromEntries(names.map((name) => [name, 1]))],
    });
    const { schema } = await get(id, other);
    assert.deepEqual(Object.keys(schema).toSorted(), names.toSorted());
  });

  test('deleting a dataset returns what was visible to the requester', async () => {
    const { id } = await dataset(1, 5);
    const removed = await call<Dataset>(200, 'DELETE', `/datasets/${id}`);
    assert.equal(removed.recordCount, 1);
    assert.deepEqual(removed.schema, { city: { type: 'text' } });
  });
});
