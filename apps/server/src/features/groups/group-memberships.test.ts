/* Shows: F-GET-/group-memberships-user, F-GET-/group-memberships-group, F-GET-/group-memberships-subGroup,
   F-GET-/group-memberships-workspaceId, F-GET-/group-memberships-filters, D-remove, D-member-directory,
   D-no-self-role, D-membership-flags, D-group-cycle, E-GroupMembership-groupId, E-GroupMembership-userId,
   E-GroupMembership-childGroupId, E-GroupMembership-one-of, E-GroupMembership-role,
   L-hazard-membership-spelling, R-list-total, R-required-group-membership, V-groupRole-member,
   V-groupRole-admin, A-twice */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Group, GroupMembership } from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  sendRequest,
  createWorkspace,
  type ExpectedCall,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';

describe('group memberships', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: string;
  let person: TestPerson;
  let friend: TestPerson;
  let count = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    admin = workspace.admin.token;
    person = await addMember(server, workspace);
    friend = await addMember(server, workspace);
  });

  const call = <T>(...request: ExpectedCall): Promise<T> => sendExpected<T>(server, admin, ...request);
  const group = (token = admin, name = `Group ${++count}`, workspaceId = workspace.id): Promise<Group> =>
    call(201, 'POST', '/groups', { token, body: { name, workspaceId } });
  const create = <T = GroupMembership>(body: object, token = admin, expected = 201): Promise<T> =>
    call(expected, 'POST', '/group-memberships', { token, body });
  const rowOf = async (groupId: string, userId: string): Promise<GroupMembership> => {
    const page = await call<{ data: GroupMembership[] }>(
      200,
      'GET',
      `/group-memberships?groupId=${groupId}&userId=${userId}`,
    );
    const [row] = page.data;
    assert.ok(row);
    return row;
  };

  test('a person or a group is added to a group', async () => {
    const [parent, child] = [await group(), await group()];
    const ofPerson = await create({ groupId: parent.id, userId: person.id, role: 'member' });
    assert.deepEqual(ofPerson, {
      id: ofPerson.id,
      groupId: parent.id,
      userId: person.id,
      childGroupId: null,
      role: 'member',
    });
    const ofGroup = await create({ groupId: parent.id, childGroupId: child.id, userId: null, role: 'admin' });
    assert.deepEqual(ofGroup, {
      id: ofGroup.id,
      groupId: parent.id,
      userId: null,
      childGroupId: child.id,
      role: 'admin',
    });
    assert.deepEqual(await call(200, 'GET', `/group-memberships/${ofGroup.id}`), ofGroup);
  });

  test('a membership has exactly one of a user and a child group, with a non-empty id', async () => {
    const [parent, child] = [await group(), await group()];
    const base = { groupId: parent.id, role: 'member' };
    for (const body of [
      base,
      { ...base, userId: null, childGroupId: null },
      { ...base, userId: person.id, childGroupId: child.id },
      { ...base, userId: '' },
      { ...base, childGroupId: '' },
      { ...base, userId: '', childGroupId: child.id },
      { groupId: parent.id, userId: person.id },
      { role: 'member', userId: person.id },
      { ...base, userId: person.id, role: 'owner' },
      { ...base, userId: person.id, isAdmin: true },
    ]) {
      await create(body, admin, 400);
    }
    const both = await create<{ message: string }>(
      { ...base, userId: person.id, childGroupId: child.id },
      admin,
      400,
    );
    assert.match(both.message, new RegExp(`exactly one.*"${person.id}".*"${child.id}"`));
    assert.equal((await call<Group>(200, 'GET', `/groups/${parent.id}`)).memberCount, 1);
  });

  test('both spellings of the path of a membership work', async () => {
    const { id: groupId } = await group();
    const row = await create({ groupId, userId: person.id, role: 'member' });
    for (const path of [`/group-memberships/${row.id}`, `/groups-memberships/${row.id}`]) {
      assert.deepEqual(await call(200, 'GET', path), row);
      assert.deepEqual(await call(200, 'PATCH', path, { body: { role: 'member' } }), row);
    }
    assert.deepEqual(await call(200, 'DELETE', `/groups-memberships/${row.id}`), row);
    const listed = await call<{ total: number }>(200, 'GET', `/groups-memberships?groupId=${groupId}`);
    assert.equal(listed.total, 1);
    const body = { groupId, userId: friend.id, role: 'member' };
    const made = await call<GroupMembership>(201, 'POST', '/groups-memberships', { body });
    assert.deepEqual(await call(200, 'GET', `/group-memberships/${made.id}`), made);
    assert.deepEqual(await call(200, 'DELETE', `/group-memberships/${made.id}`), made);
  });

  test('a cycle of groups is rejected and named', async () => {
    const [a, b, c] = [
      await group(admin, 'Ring A'),
      await group(admin, 'Ring B'),
      await group(admin, 'Ring C'),
    ];
    await create({ groupId: a.id, childGroupId: b.id, role: 'member' });
    await create({ groupId: b.id, childGroupId: c.id, role: 'member' });
    const { message } = await create<{ message: string }>(
      { groupId: c.id, childGroupId: a.id, role: 'member' },
      admin,
      400,
    );
    assert.match(message, /"Ring A" > "Ring B" > "Ring C"/);
    const self = await create<{ message: string }>(
      { groupId: a.id, childGroupId: a.id, role: 'member' },
      admin,
      400,
    );
    assert.match(self.message, /"Ring A" itself/);
    const page = await call<{ total: number }>(200, 'GET', `/group-memberships?childGroupId=${a.id}`);
    assert.equal(page.total, 0);
    await create({ groupId: a.id, childGroupId: c.id, role: 'member' });
  });

  test('of two concurrent nestings that would make a cycle, only one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await group(), await group()];
      const responses = await Promise.all(
        [
          { groupId: a.id, childGroupId: b.id },
          { groupId: b.id, childGroupId: a.id },
        ].map((body) =>
          sendRequest(server, 'POST', '/group-memberships', {
            token: admin,
            body: { ...body, role: 'member' },
          }),
        ),
      );
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((one, other) => one - other),
        [201, 400],
      );
    }
  });

  test('a duplicate membership is a conflict', async () => {
    const [parent, child] = [await group(), await group()];
    for (const member of [{ userId: person.id }, { childGroupId: child.id }]) {
      await create({ groupId: parent.id, role: 'member', ...member });
      const again = await create<{ name: string; message: string }>(
        { groupId: parent.id, role: 'admin', ...member },
        admin,
        409,
      );
      assert.equal(again.name, 'BadRequestError');
      assert.match(again.message, new RegExp(Object.values(member)[0] ?? 'nothing'));
    }
  });

  test('members cannot add anyone to a group that they do not administer, including themselves', async () => {
    const theirs = await group(friend.token);
    const own = { groupId: theirs.id, userId: person.id, role: 'admin' };
    await create(own, person.token, 404);
    const row = await create({ ...own, role: 'member' }, friend.token);
    await create({ groupId: theirs.id, userId: workspace.admin.id, role: 'member' }, person.token, 403);
    await call(403, 'PATCH', `/group-memberships/${row.id}`, {
      token: person.token,
      body: { role: 'admin' },
    });
    const friends = await rowOf(theirs.id, friend.id);
    await call(403, 'DELETE', `/group-memberships/${friends.id}`, { token: person.token });
    await call(403, 'DELETE', `/group-memberships/${row.id}`, { token: person.token });
    assert.deepEqual(await rowOf(theirs.id, person.id), row);
  });

  test('a group admin adds people, changes their role and removes them', async () => {
    const theirs = await group(friend.token);
    const { token } = friend;
    const row = await create({ groupId: theirs.id, userId: person.id, role: 'member' }, token);
    const path = `/group-memberships/${row.id}`;
    assert.deepEqual(await call(200, 'PATCH', path, { token, body: { role: 'admin' } }), {
      ...row,
      role: 'admin',
    });
    await call(200, 'PATCH', `/groups/${theirs.id}`, {
      token: person.token,
      body: { name: 'By the new admin' },
    });
    assert.deepEqual(await call(200, 'DELETE', path, { token }), { ...row, role: 'admin' });
    await call(404, 'GET', `/groups/${theirs.id}`, { token: person.token });
  });

  test('the last admin of a group may step down, because workspace admins manage every group', async () => {
    const theirs = await group(friend.token);
    const row = await rowOf(theirs.id, friend.id);
    const path = `/group-memberships/${row.id}`;
    await call(200, 'PATCH', path, { token: friend.token, body: { role: 'member' } });
    await call(403, 'PATCH', path, { token: friend.token, body: { role: 'admin' } });
    await call(200, 'PATCH', path, { body: { role: 'admin' } });
  });

  test('an admin membership of a child group makes its members admins of the parent, and not vice versa', async () => {
    const [parent, child, inner] = [await group(), await group(), await group()];
    const nested = await addMember(server, workspace);
    await create({ groupId: child.id, childGroupId: inner.id, role: 'member' });
    await create({ groupId: inner.id, userId: nested.id, role: 'member' });
    const nesting = await create({ groupId: parent.id, childGroupId: child.id, role: 'member' });
    const rename = (expected: number, id: string) =>
      call(expected, 'PATCH', `/groups/${id}`, { token: nested.token, body: { name: `Renamed ${++count}` } });
    await rename(403, parent.id);
    await call(200, 'PATCH', `/group-memberships/${nesting.id}`, { body: { role: 'admin' } });
    await rename(200, parent.id);
    await rename(403, child.id);
    await rename(403, inner.id);
  });

  test('an admin of the parent can add a child group that is visible to them', async () => {
    const mine = await group(person.token);
    const hidden = await group(friend.token);
    const body = { groupId: mine.id, childGroupId: hidden.id, role: 'member' };
    await create(body, person.token, 404);
    await create({ ...body, childGroupId: absentId }, person.token, 404);
    await create({ groupId: hidden.id, userId: person.id, role: 'member' }, friend.token);
    await create(body, person.token);
    await create({ groupId: hidden.id, childGroupId: mine.id, role: 'member' }, person.token, 403);
  });

  test('memberships of hidden groups are not listed and cannot be fetched', async () => {
    const hidden = await group(friend.token);
    const row = await rowOf(hidden.id, friend.id);
    const { token } = person;
    for (const path of [`groupId=${hidden.id}`, `id=${row.id}`, `userId=${friend.id}&groupId=${hidden.id}`]) {
      const page = await call<{ total: number }>(200, 'GET', `/group-memberships?${path}`, { token });
      assert.equal(page.total, 0);
    }
    await call(404, 'GET', `/group-memberships/${row.id}`, { token });
    await call(404, 'PATCH', `/group-memberships/${row.id}`, { token, body: { role: 'member' } });
    await call(404, 'DELETE', `/group-memberships/${row.id}`, { token });
  });

  test('people, groups and memberships of another workspace do not exist', async () => {
    const [here, there] = [await group(), await group(elsewhere.admin.token, 'There', elsewhere.id)];
    const stranger = elsewhere.admin;
    await create({ groupId: here.id, userId: stranger.id, role: 'member' }, admin, 404);
    await create({ groupId: here.id, childGroupId: there.id, role: 'member' }, admin, 404);
    await create({ groupId: there.id, userId: person.id, role: 'member' }, admin, 404);
    await create(
      { groupId: here.id, userId: person.id, role: 'member', workspaceId: elsewhere.id },
      admin,
      404,
    );
    const row = await create({
      groupId: here.id,
      userId: person.id,
      role: 'member',
      workspaceId: workspace.id,
    });
    await call(404, 'GET', `/group-memberships/${row.id}`, { token: stranger.token });
    await call(404, 'DELETE', `/group-memberships/${row.id}`, { token: stranger.token });
    const list = (query: string, token = admin) =>
      call<{ total: number }>(200, 'GET', `/group-memberships?${query}`, { token });
    assert.equal((await list(`groupId=${here.id}`, stranger.token)).total, 0);
    assert.equal((await list(`groupId=${here.id}&workspaceId=${elsewhere.id}`)).total, 0);
    assert.equal((await list(`groupId=${here.id}&workspaceId=${workspace.id}`)).total, 2);
  });

  test('a PATCH changes the role of a membership and nothing else', async () => {
    const [here, other] = [await group(), await group()];
    const row = await create({ groupId: here.id, userId: person.id, role: 'member' });
    const path = `/group-memberships/${row.id}`;
    for (const body of [
      { id: absentId },
      { groupId: other.id },
      { userId: friend.id },
      { userId: null },
      { childGroupId: other.id },
      { workspaceId: elsewhere.id },
    ]) {
      await call(403, 'PATCH', path, { body: { role: 'admin', ...body } });
    }
    await call(400, 'PATCH', path, { body: { role: 'owner' } });
    await call(400, 'PATCH', path, { body: { accountId: friend.id } });
    assert.deepEqual(await call(200, 'GET', path), row);
    assert.deepEqual(await call(200, 'PATCH', path, { body: { ...row, role: 'admin' } }), {
      ...row,
      role: 'admin',
    });
    assert.deepEqual(await call(200, 'PATCH', path, { body: {} }), { ...row, role: 'admin' });
  });

  test('the flags user, group and subGroup populate a membership', async () => {
    const [parent, child] = [await group(), await group()];
    const row = await create({ groupId: parent.id, userId: person.id, role: 'member' });
    const nesting = await create({ groupId: parent.id, childGroupId: child.id, role: 'member' });
    const bare = await call<GroupMembership>(200, 'GET', `/group-memberships/${row.id}?user=false`);
    assert.deepEqual(Object.keys(bare).toSorted(), ['childGroupId', 'groupId', 'id', 'role', 'userId']);
    const { data } = await call<{ data: GroupMembership[] }>(
      200,
      'GET',
      `/group-memberships?groupId=${parent.id}&user=true&group=True&subGroup=TRUE&id[$in][]=${row.id}&id[$in][]=${nesting.id}`,
    );
    const shownParent = await call<Group>(200, 'GET', `/groups/${parent.id}`);
    const shown = new Map(data.map((entry) => [entry.id, entry]));
    assert.deepEqual(shown.get(row.id)?.user?.id, person.id);
    assert.deepEqual(shown.get(row.id)?.user?.email, person.email);
    assert.deepEqual(Object.keys(shown.get(row.id)?.user ?? {}).toSorted(), [
      'email',
      'firstName',
      'id',
      'lastName',
    ]);
    assert.deepEqual(shown.get(row.id)?.group, shownParent);
    assert.equal(shown.get(row.id)?.subGroup, null);
    assert.equal(shown.get(nesting.id)?.user, null);
    assert.deepEqual(shown.get(nesting.id)?.subGroup, child);
  });

  test('populating shows members no email address of others and no hidden group', async () => {
    const [parent, hidden] = [await group(), await group()];
    await create({ groupId: parent.id, userId: person.id, role: 'member' });
    await create({ groupId: parent.id, userId: friend.id, role: 'member' });
    await create({ groupId: parent.id, childGroupId: hidden.id, role: 'member' });
    const { data } = await call<{ data: GroupMembership[] }>(
      200,
      'GET',
      `/group-memberships?groupId=${parent.id}&user=true&subGroup=true`,
      { token: person.token },
    );
    const ofUser = (id: string) => data.find(({ userId }) => userId === id)?.user;
    assert.equal(ofUser(person.id)?.email, person.email);
    assert.equal(ofUser(friend.id)?.email, null);
    assert.equal(data.find(({ childGroupId }) => childGroupId === hidden.id)?.subGroup, null);
  });

  test('memberships filter by every field', async () => {
    const { id: groupId } = await group();
    const row = await create({ groupId, userId: person.id, role: 'member' });
    const list = async (query: string) => {
      const page = await call<{ data: GroupMembership[] }>(
        200,
        'GET',
        `/group-memberships?groupId=${groupId}&${query}`,
      );
      return page.data.map(({ id }) => id);
    };
    assert.deepEqual(await list(`id=${row.id}`), [row.id]);
    assert.deepEqual(await list(`userId=${person.id}`), [row.id]);
    assert.deepEqual(await list('role=member'), [row.id]);
    assert.deepEqual(await list(`childGroupId=${absentId}`), []);
    assert.equal((await list('childGroupId=null')).length, 2);
    await call(400, 'GET', '/group-memberships?role=owner');
    await call(400, 'GET', '/group-memberships?users=true');
  });

  test('deleting a group while people are added to it gives 404, not a server error', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id: groupId } = await group();
      const body = { groupId, userId: person.id, role: 'member' };
      const [removed, added] = await Promise.all([
        sendRequest(server, 'DELETE', `/groups/${groupId}`, { token: admin }),
        sendRequest(server, 'POST', '/group-memberships', { token: admin, body }),
      ]);
      assert.equal(removed.status, 200);
      assert.ok([201, 404].includes(added.status), JSON.stringify(added.body));
      const left = await call<{ total: number }>(200, 'GET', `/group-memberships?groupId=${groupId}`);
      assert.equal(left.total, 0);
    }
  });

  test('removing a person from the workspace removes them from its groups', async () => {
    const leaver = await addMember(server, workspace);
    const { id: groupId } = await group();
    await create({ groupId, userId: leaver.id, role: 'admin' });
    await call(200, 'DELETE', `/users/${leaver.id}`);
    const page = await call<{ total: number }>(200, 'GET', `/group-memberships?groupId=${groupId}`);
    assert.equal(page.total, 1);
  });
});
