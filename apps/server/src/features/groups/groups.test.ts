/* Shows: F-GET-/groups-filters, F-GET-/groups-validSubGroups, F-GET-/groups-groupMemberships,
   D-member-groups, D-member-makes-groups, D-memberCount, D-validSubGroups, D-groupMemberships-flag,
   E-Group-name, E-Group-workspaceId, E-Group-userId, E-Group-memberCount, E-Group-groupMemberships, L11,
   R-flag-spelling, R-role-admin, V-groupRole-member, V-groupRole-admin */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Group, GroupMembership } from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  createWorkspace,
  type ExpectedCall,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';

describe('groups', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: string;
  let count = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    admin = workspace.admin.token;
  });

  const call = <T>(...request: ExpectedCall): Promise<T> => sendExpected<T>(server, admin, ...request);
  const group = (token = admin, body: object = {}): Promise<Group> => {
    count += 1;
    return call(201, 'POST', '/groups', {
      token,
      body: { name: `Group ${count}`, workspaceId: workspace.id, ...body },
    });
  };
  const put = (groupId: string, member: { userId: string } | { childGroupId: string }, role = 'member') =>
    call<GroupMembership>(201, 'POST', '/group-memberships', { body: { groupId, role, ...member } });
  const seen = async (token: string, query = ''): Promise<string[]> => {
    const page = await call<{ data: Group[] }>(200, 'GET', `/groups?$limit=-1${query}`, { token });
    return page.data.map(({ id }) => id).toSorted();
  };

  test('any member may create a group and becomes its admin', async () => {
    const maker = await addMember(server, workspace);
    const made = await group(maker.token, { name: 'Makers', userId: maker.id });
    assert.deepEqual(made, {
      id: made.id,
      name: 'Makers',
      workspaceId: workspace.id,
      userId: maker.id,
      memberCount: 1,
    });
    const shown = await call<Group>(200, 'GET', `/groups/${made.id}?groupMemberships=True`, {
      token: maker.token,
    });
    const [row, ...others] = shown.groupMemberships ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual(row, {
      id: row?.id,
      groupId: made.id,
      userId: maker.id,
      childGroupId: null,
      role: 'admin',
    });
  });

  test('a group can be created only in the actor’s own name and workspace', async () => {
    const maker = await addMember(server, workspace);
    const { token } = maker;
    const make = (expected: number, body: object) => call(expected, 'POST', '/groups', { token, body });
    await make(403, { name: 'Not mine', workspaceId: workspace.id, userId: workspace.admin.id });
    await make(404, { name: 'Not here', workspaceId: elsewhere.id });
    await make(400, { name: 'Counted', workspaceId: workspace.id, memberCount: 5 });
    await make(400, { workspaceId: workspace.id });
    await make(400, { name: 'Nowhere' });
    await make(400, { name: ' ', workspaceId: workspace.id });
    assert.deepEqual(await seen(token), []);
  });

  test('a group name must differ from those visible to its creator, and a hidden name is not disclosed', async () => {
    const hidden = await group(admin, { name: 'Covert' });
    const person = await addMember(server, workspace);
    const same = await group(person.token, { name: 'Covert' });
    assert.notEqual(same.id, hidden.id);
    const first = await group(admin, { name: 'Unique' });
    const second = await group();
    const taken = await call<{ message: string }>(409, 'POST', '/groups', {
      body: { name: 'Unique', workspaceId: workspace.id },
    });
    assert.match(taken.message, /name: "Unique"/);
    await call(409, 'PATCH', `/groups/${second.id}`, { body: { name: 'Unique' } });
    await call(200, 'PATCH', `/groups/${first.id}`, { body: { name: 'Unique' } });
    await group(elsewhere.admin.token, { name: 'Unique', workspaceId: elsewhere.id });
  });

  test('members see only the groups that they are in, directly or through nested groups', async () => {
    const person = await addMember(server, workspace);
    const [outer, middle, inner, other] = [await group(), await group(), await group(), await group()];
    await put(outer.id, { childGroupId: middle.id });
    await put(middle.id, { childGroupId: inner.id });
    await put(middle.id, { childGroupId: other.id });
    const row = await put(inner.id, { userId: person.id });
    assert.deepEqual(await seen(person.token), [outer.id, middle.id, inner.id].toSorted());
    const hidden = await call<{ message: string }>(404, 'GET', `/groups/${other.id}`, {
      token: person.token,
    });
    const absent = await call<{ message: string }>(404, 'GET', `/groups/${absentId}`, {
      token: person.token,
    });
    assert.equal(hidden.message, absent.message.replace(absentId, other.id));
    await call(200, 'DELETE', `/group-memberships/${row.id}`);
    assert.deepEqual(await seen(person.token), []);
    await call(404, 'GET', `/groups/${outer.id}`, { token: person.token });
  });

  test('memberCount counts the direct people and groups', async () => {
    const [parent, child] = [await group(), await group()];
    const person = await addMember(server, workspace);
    await put(child.id, { userId: person.id });
    await put(parent.id, { childGroupId: child.id });
    const { memberCount } = await call<Group>(200, 'GET', `/groups/${parent.id}`);
    assert.equal(memberCount, 2);
    assert.deepEqual(await seen(admin, `&memberCount=2&id[$in][]=${parent.id}`), [parent.id]);
    assert.deepEqual(await seen(admin, `&memberCount[$gt]=2&id=${parent.id}`), []);
  });

  test('groupMemberships are included only on request', async () => {
    const { id } = await group();
    const listed = async (flag: string) => {
      const page = await call<{ data: Group[] }>(200, 'GET', `/groups?id=${id}${flag}`);
      return page.data[0];
    };
    assert.equal((await listed(''))?.groupMemberships, undefined);
    assert.equal((await listed('&groupMemberships=FALSE'))?.groupMemberships, undefined);
    const populated = await listed('&groupMemberships=true');
    assert.deepEqual(
      populated?.groupMemberships?.map(({ userId }) => userId),
      [workspace.admin.id],
    );
    await call(400, 'GET', '/groups?groupMemberships=perhaps');
  });

  test('validSubGroups lists the groups that can be added without a cycle', async () => {
    const [outer, middle, inner, free] = [await group(), await group(), await group(), await group()];
    await put(outer.id, { childGroupId: middle.id });
    await put(middle.id, { childGroupId: inner.id });
    const among = [outer, middle, inner, free].map(({ id }) => `&id[$in][]=${id}`).join('');
    const valid = (id: string) => seen(admin, `&validSubGroups=${id}${among}`);
    assert.deepEqual(await valid(inner.id), [free.id]);
    assert.deepEqual(await valid(middle.id), [free.id]);
    assert.deepEqual(await valid(outer.id), [inner.id, free.id].toSorted());
    assert.deepEqual(await valid(free.id), [outer.id, middle.id, inner.id].toSorted());
  });

  test('validSubGroups does not disclose hidden groups', async () => {
    const person = await addMember(server, workspace);
    const mine = await group(person.token);
    const also = await group(person.token);
    const hidden = await group();
    assert.deepEqual(await seen(person.token, `&validSubGroups=${mine.id}`), [also.id]);
    for (const id of [hidden.id, absentId]) {
      await call(404, 'GET', `/groups?validSubGroups=${id}`, { token: person.token });
    }
  });

  test('groups filter by every field of a group', async () => {
    const maker = await addMember(server, workspace);
    const made = await group(maker.token, { name: 'Filtered' });
    for (const field of ['id', 'name', 'userId', 'memberCount'] as const) {
      assert.deepEqual(await seen(maker.token, `&${field}=${made[field]}`), [made.id], field);
    }
    assert.deepEqual(await seen(maker.token, `&workspaceId=${workspace.id}`), [made.id]);
    assert.deepEqual(await seen(maker.token, `&workspaceId=${elsewhere.id}`), []);
    assert.deepEqual(await seen(maker.token, '&name[$ne]=Filtered'), []);
  });

  test('groups come in the requested order', async () => {
    const maker = await addMember(server, workspace);
    for (const name of ['Order b', 'Order a', 'Order c']) await group(maker.token, { name });
    const { data } = await call<{ data: Group[] }>(200, 'GET', '/groups?$sort[name]=-1', {
      token: maker.token,
    });
    assert.deepEqual(
      data.map(({ name }) => name),
      ['Order c', 'Order b', 'Order a'],
    );
  });

  test('group admins and workspace admins can rename and delete a group, its members cannot', async () => {
    const [owner, person] = [await addMember(server, workspace), await addMember(server, workspace)];
    const made = await group(owner.token);
    await put(made.id, { userId: person.id });
    const path = `/groups/${made.id}`;
    const { message } = await call<{ message: string }>(403, 'PATCH', path, {
      token: person.token,
      body: { name: 'Taken over' },
    });
    assert.match(message, new RegExp(`"${made.name}"`));
    await call(403, 'DELETE', path, { token: person.token });
    const renamed = await call<Group>(200, 'PATCH', path, { token: owner.token, body: { name: 'Renamed' } });
    assert.deepEqual(renamed, { ...made, name: 'Renamed', memberCount: 2 });
    await call(200, 'PATCH', path, { body: { name: 'Renamed by admin' } });
    assert.equal((await call<Group>(200, 'DELETE', path, { token: owner.token })).id, made.id);
    await call(404, 'GET', path);
  });

  test('a creator who was removed from a group has no access to it', async () => {
    const owner = await addMember(server, workspace);
    const made = await group(owner.token);
    const { groupMemberships } = await call<Group>(200, 'GET', `/groups/${made.id}?groupMemberships=true`);
    await call(200, 'DELETE', `/group-memberships/${groupMemberships?.[0]?.id}`);
    await call(404, 'PATCH', `/groups/${made.id}`, { token: owner.token, body: { name: 'Mine again' } });
  });

  test('a PATCH changes the name of a group and nothing else', async () => {
    const made = await group();
    const path = `/groups/${made.id}`;
    const { memberCount: _count, ...fields } = made;
    await call(200, 'PATCH', path, { body: { ...fields, name: 'Sent back whole' } });
    await call(200, 'PATCH', path, { body: {} });
    const person = await addMember(server, workspace);
    for (const body of [{ id: absentId }, { workspaceId: elsewhere.id }, { userId: person.id }]) {
      await call(403, 'PATCH', path, { body: { name: 'Never', ...body } });
    }
    for (const body of [{ memberCount: 9 }, { groupMemberships: [] }, { createdBy: person.id }]) {
      await call(400, 'PATCH', path, { body: { name: 'Never', ...body } });
    }
    assert.deepEqual(await call(200, 'GET', path), { ...made, name: 'Sent back whole' });
  });

  test('groups of another workspace do not exist, not even for an admin', async () => {
    const made = await group();
    const { token } = elsewhere.admin;
    await call(404, 'GET', `/groups/${made.id}`, { token });
    await call(404, 'PATCH', `/groups/${made.id}`, { token, body: { name: 'Taken over' } });
    await call(404, 'DELETE', `/groups/${made.id}`, { token });
    await call(404, 'GET', `/groups?validSubGroups=${made.id}`, { token });
    assert.deepEqual(await seen(token, `&id=${made.id}`), []);
  });
});
