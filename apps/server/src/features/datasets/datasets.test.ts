/* Shows: F-GET-/datasets-filters, F-POST-/datasets-schema-text, D-member-datasets, D-member-makes-datasets,
   D-grants-to-groups, D-manage-needs-patch, D-creator-manages, D-admins-manage, D-currentUserPermissions,
   D-recordCount, D-group-nesting, D-deny-by-default, E-Dataset-name, E-Dataset-recordCount,
   E-Dataset-autoCreateIndexes, E-Dataset-schema, E-Dataset-searchAnyField, E-Dataset-userId,
   E-Dataset-workspaceId, E-Dataset-currentUserPermissions, E-Dataset-currentUserPermissions-read,
   E-Dataset-currentUserPermissions-write, E-Dataset-currentUserPermissions-manage, R-status-delete,
   R-list-order-stable, R-role-admin, R-manage-covers, V-datasetAction-read, V-datasetAction-manage,
   W-datasets-post, W-datasets-schema-text, W-datasets-same-name */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Dataset, Group } from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  createWorkspace,
  type ExpectedCall,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';
const everything = { read: true, write: true, manage: true };

describe('datasets', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: string;
  let maker: TestPerson;
  let count = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    admin = workspace.admin.token;
    maker = await addMember(server, workspace);
  });

  const call = <T>(...request: ExpectedCall): Promise<T> => sendExpected<T>(server, admin, ...request);
  const dataset = (body: object = {}, token = maker.token): Promise<Dataset> => {
    count += 1;
    return call(201, 'POST', '/datasets', {
      token,
      body: { name: `Dataset ${count}`, workspaceId: workspace.id, ...body },
    });
  };
  /** Creates a person who has `action` on the dataset through a group of their own. */
  const holder = async (datasetId: string, action: string): Promise<TestPerson> => {
    const person = await addMember(server, workspace);
    count += 1;
    const { id: groupId } = await call<Group>(201, 'POST', '/groups', {
      body: { name: `Group ${count}`, workspaceId: workspace.id },
    });
    await call(201, 'POST', '/group-memberships', { body: { groupId, userId: person.id, role: 'member' } });
    await call(201, 'POST', '/dataset-permissions', { body: { action, datasetId, groupId } });
    return person;
  };
  const seen = async (token: string, query = ''): Promise<string[]> => {
    const page = await call<{ data: Dataset[] }>(200, 'GET', `/datasets?$limit=-1${query}`, { token });
    return page.data.map(({ id }) => id).toSorted();
  };

  test('a new dataset has exactly the fields of the specification, and its creator manages it', async () => {
    const made = await dataset({ name: 'First' });
    assert.deepEqual(made, {
      id: made.id,
      name: 'First',
      recordCount: 0,
      description: '',
      autoCreateIndexes: true,
      schema: {},
      searchAnyField: true,
      userId: maker.id,
      workspaceId: workspace.id,
      currentUserPermissions: everything,
    });
    assert.deepEqual(await call(200, 'GET', `/datasets/${made.id}`, { token: maker.token }), made);
    assert.deepEqual(await call(200, 'GET', `/datasets/${made.id}`), made);
  });

  test('a dataset is created from the body of existing clients, even with the schema as a string', async () => {
    const sent = {
      name: 'As sent',
      recordCount: 0,
      description: '',
      autoCreateIndexes: true,
      schema: {},
      searchAnyField: true,
      workspaceId: workspace.id,
    };
    await dataset(sent);
    await dataset({ ...sent, schema: '{}' });
  });

  test('the record count of a dataset is never accepted from a client', async () => {
    for (const recordCount of [5000, -1, 'many', null]) {
      assert.equal((await dataset({ recordCount })).recordCount, 0);
    }
    const made = await dataset();
    const path = `/datasets/${made.id}`;
    const changed = await call<Dataset>(200, 'PATCH', path, { body: { recordCount: 7 } });
    assert.equal(changed.recordCount, 0);
  });

  const refused = (schema: unknown): Promise<{ message: string }> =>
    call(400, 'POST', '/datasets', { body: { name: 'x', workspaceId: workspace.id, schema } });

  test('a non-empty schema is rejected, because schemas are derived from records', async () => {
    for (const schema of [{ city: { type: 'text' } }, '{"city":1}', '', [], 5]) await refused(schema);
    assert.match((await refused({ city: { type: 'text' } })).message, /schema/);
  });

  test('a dataset can be created only in the actor’s own name and workspace', async () => {
    const make = (expected: number, body: object) =>
      call(expected, 'POST', '/datasets', {
        token: maker.token,
        body: { name: 'x', workspaceId: workspace.id, ...body },
      });
    await make(403, { userId: workspace.admin.id });
    await make(404, { workspaceId: elsewhere.id });
    await make(400, { name: '' });
    await make(400, { currentUserPermissions: everything });
    await make(400, { labelCount: 3 });
    await call(400, 'POST', '/datasets', { body: { name: 'Nowhere' } });
    assert.equal((await dataset({ userId: maker.id })).userId, maker.id);
  });

  test('names of datasets need not be unique', async () => {
    const [one, two] = [await dataset({ name: 'Same' }), await dataset({ name: 'Same' })];
    assert.notEqual(one.id, two.id);
    assert.deepEqual(await seen(maker.token, '&name=Same'), [one.id, two.id].toSorted());
  });

  test('a dataset without a grant for the actor gets the same response as an absent one', async () => {
    const made = await dataset();
    const stranger = await addMember(server, workspace);
    const { token } = stranger;
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const options = { token, ...(method === 'PATCH' ? { body: { name: 'Taken over' } } : {}) };
      const hidden = await call<{ message: string }>(404, method, `/datasets/${made.id}`, options);
      const absent = await call<{ message: string }>(404, method, `/datasets/${absentId}`, options);
      assert.deepEqual(hidden, { ...absent, message: absent.message.replace(absentId, made.id) });
    }
    assert.deepEqual(await seen(token), []);
    assert.deepEqual(await seen(token, `&id=${made.id}`), []);
  });

  test('each grant makes the dataset visible, and the response lists the permissions', async () => {
    const made = await dataset();
    for (const [action, permissions] of [
      ['read', { read: true, write: false, manage: false }],
      ['write', { read: false, write: true, manage: false }],
      ['manage', everything],
    ] as const) {
      const { token } = await holder(made.id, action);
      const shown = await call<Dataset>(200, 'GET', `/datasets/${made.id}`, { token });
      assert.deepEqual(shown, { ...made, currentUserPermissions: permissions });
      assert.deepEqual(await seen(token), [made.id]);
    }
  });

  test('several grants add up', async () => {
    const made = await dataset();
    const person = await holder(made.id, 'read');
    const { data } = await call<{ data: Group[] }>(200, 'GET', '/groups', { token: person.token });
    const body = { action: 'write', datasetId: made.id, groupId: data[0]?.id };
    await call(201, 'POST', '/dataset-permissions', { body });
    const shown = await call<Dataset>(200, 'GET', `/datasets/${made.id}`, { token: person.token });
    assert.deepEqual(shown.currentUserPermissions, { read: true, write: true, manage: false });
  });

  test('a grant applies to people in nested groups, and ends with the nesting', async () => {
    const made = await dataset();
    const person = await addMember(server, workspace);
    const groups: Group[] = [];
    for (const name of ['Nest outer', 'Nest middle', 'Nest inner']) {
      groups.push(await call(201, 'POST', '/groups', { body: { name, workspaceId: workspace.id } }));
    }
    const [outer, middle, inner] = groups;
    const put = (groupId: string | undefined, member: object) =>
      call<{ id: string }>(201, 'POST', '/group-memberships', {
        body: { groupId, role: 'member', ...member },
      });
    await put(outer?.id, { childGroupId: middle?.id });
    const nesting = await put(middle?.id, { childGroupId: inner?.id });
    await put(inner?.id, { userId: person.id });
    await call(201, 'POST', '/dataset-permissions', {
      body: { action: 'read', datasetId: made.id, groupId: outer?.id },
    });
    await call(200, 'GET', `/datasets/${made.id}`, { token: person.token });
    await call(200, 'DELETE', `/group-memberships/${nesting.id}`);
    await call(404, 'GET', `/datasets/${made.id}`, { token: person.token });
  });

  test('a PATCH changes name, description and the index settings of a dataset, and nothing else', async () => {
    const made = await dataset();
    const path = `/datasets/${made.id}`;
    const changes = { name: 'Changed', description: 'd', autoCreateIndexes: false, searchAnyField: false };
    assert.deepEqual(await call(200, 'PATCH', path, { body: changes }), { ...made, ...changes });
    assert.deepEqual(await call(200, 'PATCH', path, { body: {} }), { ...made, ...changes });
    const { currentUserPermissions: _permissions, ...whole } = made;
    assert.deepEqual(await call(200, 'PATCH', path, { body: whole }), made);
    for (const body of [{ id: absentId }, { workspaceId: elsewhere.id }, { userId: workspace.admin.id }]) {
      await call(403, 'PATCH', path, { body: { name: 'Never', ...body } });
    }
    for (const body of [
      { currentUserPermissions: everything },
      { schema: { city: { type: 'text' } } },
      { label_count: 1 },
      { name: null },
    ]) {
      await call(400, 'PATCH', path, { body: { description: 'never', ...body } });
    }
    assert.deepEqual(await call(200, 'GET', path), made);
  });

  test('admins of the workspace see every dataset of it, and none of another', async () => {
    const made = await dataset();
    assert.ok((await seen(admin)).includes(made.id));
    const { token } = elsewhere.admin;
    assert.ok(!(await seen(token)).includes(made.id));
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { body: { name: 'Taken over' } } : {};
      await call(404, method, `/datasets/${made.id}`, { token, ...body });
    }
    assert.deepEqual(await seen(token, `&workspaceId=${workspace.id}`), []);
    assert.deepEqual(await seen(admin, `&workspaceId=${elsewhere.id}`), []);
  });

  test('datasets filter by every single-valued field', async () => {
    const owner = await addMember(server, workspace);
    const made = await dataset(
      { name: 'Filtered', description: 'only this', autoCreateIndexes: false, searchAnyField: false },
      owner.token,
    );
    await dataset({}, owner.token);
    for (const field of ['id', 'name', 'description', 'autoCreateIndexes', 'searchAnyField'] as const) {
      const query = `&${field}=${encodeURIComponent(String(made[field]))}&userId=${owner.id}`;
      assert.deepEqual(await seen(admin, query), [made.id], field);
    }
    assert.equal((await seen(admin, `&userId=${owner.id}`)).length, 2);
    assert.deepEqual(await seen(admin, `&id=${made.id}&autoCreateIndexes=true`), []);
    await call(400, 'GET', '/datasets?label_count=0');
    await call(400, 'GET', '/datasets?$sort[createdAt]=1');
  });

  test('datasets come in the requested order, in pages without overlaps or gaps', async () => {
    const owner = await addMember(server, workspace);
    for (const name of ['p2', 'p1', 'p3', 'p1']) await dataset({ name }, owner.token);
    const names = async (query: string) => {
      const page = await call<{ total: number; data: Dataset[] }>(
        200,
        'GET',
        `/datasets?$sort[name]=1&${query}`,
        {
          token: owner.token,
        },
      );
      assert.equal(page.total, 4);
      return page.data;
    };
    const whole = await names('$limit=-1');
    assert.deepEqual(
      whole.map(({ name }) => name),
      ['p1', 'p1', 'p2', 'p3'],
    );
    const pages = [await names('$limit=2'), await names('$limit=2&$skip=2')].flat();
    assert.deepEqual(pages, whole);
    assert.deepEqual(await names('$limit=0'), []);
  });

  test('deleting a dataset returns it a last time and deletes its grants', async () => {
    const made = await dataset();
    const reader = await holder(made.id, 'read');
    assert.deepEqual(await call(200, 'DELETE', `/datasets/${made.id}`), made);
    await call(404, 'GET', `/datasets/${made.id}`);
    await call(404, 'DELETE', `/datasets/${made.id}`);
    assert.deepEqual(await seen(reader.token), []);
    const grants = await call<{ total: number }>(200, 'GET', `/dataset-permissions?datasetId=${made.id}`);
    assert.equal(grants.total, 0);
  });
});
