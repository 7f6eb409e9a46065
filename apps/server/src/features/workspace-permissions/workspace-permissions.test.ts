/* Shows: D-users-by-manager, D-permission-codes, D-permission-list, D-permission-assignments,
   D-attributes-by-code, D-no-self-permission, D-no-code-beyond, E-WorkspacePermission-id,
   E-WorkspacePermission-name, E-WorkspacePermission-code, E-WorkspacePermission-description,
   E-WorkspacePermissionAssignment-id, E-WorkspacePermissionAssignment-workspacePermissionsId,
   E-WorkspacePermissionAssignment-userId, E-WorkspacePermissionAssignment-workspaceId,
   E-WorkspacePermissionAssignment-workspacePermissionsCode, E-WorkspacePermissionAssignment-name,
   E-WorkspacePermissionAssignment-description, R-permission-by-code, R-required-permission-assignment,
   A-access-role-within, A-access-codes, A-revocation */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import {
  permissionCodes,
  type WorkspacePermission,
  type WorkspacePermissionAssignment,
} from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  createWorkspace,
  signUp,
  type ExpectedCall,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

interface Page<T> {
  total: number;
  data: T[];
}

const absentId = '00000000-0000-4000-8000-000000000000';
const path = '/workspace-permissions-assignments';

describe('permissions of a workspace', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let admin: string;
  let person: TestPerson;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    admin = workspace.admin.token;
  });
  beforeEach(async () => {
    person = await addMember(server, workspace);
  });

  const call = <T = { id: string; message: string }>(...request: ExpectedCall): Promise<T> =>
    sendExpected<T>(server, admin, ...request);
  const assignment = (userId: string, code: string) => ({
    workspacePermissionsId: code,
    userId,
    workspaceId: workspace.id,
    workspacePermissionsCode: code,
  });
  const give = (userId: string, code: string): Promise<WorkspacePermissionAssignment> =>
    call(201, 'POST', path, { body: assignment(userId, code) });
  const holder = async (...codes: string[]): Promise<TestPerson> => {
    const made = await addMember(server, workspace);
    for (const code of codes) await give(made.id, code);
    return made;
  };

  test('every member can list the fixed permissions, each with name and description', async () => {
    const page = await call<Page<WorkspacePermission>>(200, 'GET', '/workspace-permissions?$limit=-1', {
      token: person.token,
    });
    assert.deepEqual(page.data.map(({ code }) => code).toSorted(), permissionCodes.toSorted());
    for (const { id, name, description, code } of page.data) {
      assert.equal(id, code);
      assert.ok(name.length > 5 && description.length > 20, code);
    }
    const one = await call<Page<WorkspacePermission>>(200, 'GET', '/workspace-permissions?code=manage-users');
    assert.deepEqual(
      one.data.map(({ id }) => id),
      ['manage-users'],
    );
  });

  test('an assignment names its permission and person, and is visible to the person and to user managers', async () => {
    const given = await give(person.id, 'manage-groups');
    assert.deepEqual(given, {
      id: given.id,
      workspacePermissionsId: 'manage-groups',
      userId: person.id,
      workspaceId: workspace.id,
      workspacePermissionsCode: 'manage-groups',
      name: 'Manage groups',
      description: given.description,
    });
    const other = await addMember(server, workspace);
    const manager = await holder('manage-users');
    for (const { token } of [workspace.admin, person, manager]) {
      assert.deepEqual(await call(200, 'GET', `${path}/${given.id}`, { token }), given);
      const { data } = await call<Page<WorkspacePermissionAssignment>>(
        200,
        'GET',
        `${path}?userId=${person.id}`,
        {
          token,
        },
      );
      assert.deepEqual(data, [given]);
    }
    await call(404, 'GET', `${path}/${given.id}`, { token: other.token });
    assert.equal((await call<Page<unknown>>(200, 'GET', path, { token: other.token })).total, 0);
    const elsewhere = await createWorkspace(server);
    await call(404, 'GET', `${path}/${given.id}`, { token: elsewhere.admin.token });
    await call(404, 'DELETE', `${path}/${given.id}`, { token: elsewhere.admin.token });
    await call(404, 'GET', `${path}/${absentId}`);
  });

  test('a permission assignment needs two matching permission fields, its user and the workspace of the session', async () => {
    const body = assignment(person.id, 'manage-groups');
    for (const field of Object.keys(body) as (keyof typeof body)[]) {
      const { [field]: _left, ...rest } = body;
      assert.match((await call(400, 'POST', path, { body: rest })).message, new RegExp(field));
    }
    const wrong = { ...body, workspacePermissionsCode: 'manage-users' };
    assert.match((await call(400, 'POST', path, { body: wrong })).message, /workspacePermissionsId/);
    const unknown = assignment(person.id, 'manage-all');
    assert.match((await call(400, 'POST', path, { body: unknown })).message, /manage-all/);
    const elsewhere = await createWorkspace(server);
    await call(404, 'POST', path, { body: { ...body, workspaceId: elsewhere.id } });
    await call(404, 'POST', path, { body: { ...body, userId: elsewhere.admin.id } });
    await call(404, 'POST', path, { body: { ...body, userId: absentId } });
    await give(person.id, 'manage-groups');
    await call(409, 'POST', path, { body });
  });

  test('nobody assigns themselves a permission, not even an admin', async () => {
    const manager = await holder('manage-users', 'manage-groups');
    for (const { id, token } of [workspace.admin, manager]) {
      const { message } = await call(403, 'POST', path, { token, body: assignment(id, 'manage-billing') });
      assert.match(message, /nobody may assign a permission to themselves/);
    }
  });

  test('people can assign and revoke only permissions that they hold, and other members none at all', async () => {
    const manager = await holder('manage-users', 'manage-groups');
    const { token } = manager;
    await call(403, 'POST', path, { token, body: assignment(person.id, 'manage-billing') });
    const billing = await give(person.id, 'manage-billing');
    await call(403, 'DELETE', `${path}/${billing.id}`, { token });
    const groups = await call(201, 'POST', path, { token, body: assignment(person.id, 'manage-groups') });
    await call(403, 'POST', path, { token: person.token, body: assignment(manager.id, 'manage-billing') });
    await call(200, 'DELETE', `${path}/${groups.id}`, { token });
  });

  test('people can revoke their own permissions', async () => {
    const given = await give(person.id, 'manage-groups');
    assert.deepEqual(await call(200, 'DELETE', `${path}/${given.id}`, { token: person.token }), given);
    await call(404, 'GET', `${path}/${given.id}`);
  });

  test('assigning and revoking a permission takes effect with the next request', async () => {
    const { token } = person;
    const body = { name: 'Made', token: 'MADE' };
    await call(403, 'POST', '/attributes', { token, body });
    const given = await give(person.id, 'manage-attributes');
    await call(201, 'POST', '/attributes', { token, body });
    await call(200, 'DELETE', `${path}/${given.id}`);
    await call(403, 'POST', '/attributes', { token, body: { name: 'More', token: 'MORE' } });
  });

  test('a permission ends with the membership, and a new membership does not restore it', async () => {
    await give(person.id, 'manage-attributes');
    await call(200, 'DELETE', `/users/${person.id}`);
    assert.equal((await call<Page<unknown>>(200, 'GET', `${path}?userId=${person.id}`)).total, 0);
  });

  test('a holder of manage-attributes creates, changes, deletes and assigns attributes', async () => {
    const { token, id } = await holder('manage-attributes');
    const made = await call(201, 'POST', '/attributes', { token, body: { name: 'X', token: 'BYCODE' } });
    await call(200, 'PATCH', `/attributes/${made.id}`, { token, body: { name: 'Y' } });
    const body = { attributeId: made.id, userId: person.id };
    await call(403, 'POST', '/attribute-assignments', { token, body: { ...body, userId: id } });
    const given = await call(201, 'POST', '/attribute-assignments', { token, body });
    await call(200, 'GET', `/attribute-assignments/${given.id}`, { token });
    await call(200, 'DELETE', `/attribute-assignments/${given.id}`, { token });
    await call(200, 'DELETE', `/attributes/${made.id}`, { token });
  });

  test('a holder of manage-groups changes groups that they are not in', async () => {
    const { token } = await holder('manage-groups');
    const group = await call(201, 'POST', '/groups', { body: { name: 'Theirs', workspaceId: workspace.id } });
    await call(200, 'PATCH', `/groups/${group.id}`, { token, body: { name: 'Renamed' } });
    const body = { groupId: group.id, userId: person.id, role: 'member' };
    const membership = await call(201, 'POST', '/group-memberships', { token, body });
    await call(200, 'DELETE', `/group-memberships/${membership.id}`, { token });
    await call(200, 'DELETE', `/groups/${group.id}`, { token });
  });

  test('a holder of manage-datasets manages every dataset of the workspace, and of no other', async () => {
    const { token } = await holder('manage-datasets');
    const make = async (by: TestWorkspace): Promise<string> => {
      const body = { name: 'Any', workspaceId: by.id };
      return (await call(201, 'POST', '/datasets', { token: by.admin.token, body })).id;
    };
    const id = await make(workspace);
    const dataset = await call<{ currentUserPermissions: unknown }>(200, 'GET', `/datasets/${id}`, { token });
    assert.deepEqual(dataset.currentUserPermissions, { read: true, write: true, manage: true });
    await call(404, 'GET', `/datasets/${id}`, { token: person.token });
    await call(404, 'GET', `/datasets/${await make(await createWorkspace(server))}`, { token });
    await call(200, 'DELETE', `/datasets/${id}`, { token });
  });

  test('a holder of manage-users adds, invites, disables and removes members, and cannot change admins', async () => {
    const { token } = await holder('manage-users');
    const fresh = { firstName: 'N', lastName: 'N', password: 'a long password', workspaceId: workspace.id };
    const email = 'by.code@example.org';
    const added = await call<{ id: string; role: string; email: string }>(201, 'POST', '/users', {
      token,
      body: { ...fresh, email },
    });
    assert.deepEqual([added.role, added.email], ['member', email]);
    await call(403, 'POST', '/users', { token, body: { ...fresh, email: 'a@example.org', role: 'admin' } });
    const invited = { ...fresh, email: (await createWorkspace(server)).admin.email };
    await call(403, 'POST', '/users', { token, body: { ...invited, role: 'admin' } });
    await call(201, 'POST', '/users', { token, body: invited });
    await call(403, 'PATCH', `/users/${added.id}`, { token, body: { role: 'admin' } });
    await call(200, 'PATCH', `/users/${added.id}`, { token, body: { disabled: true } });
    await call(200, 'DELETE', `/users/${added.id}`, { token });
    const { id } = await addMember(server, workspace, 'admin');
    for (const body of [{ disabled: true }, { role: 'member' }]) {
      await call(403, 'PATCH', `/users/${id}`, { token, body });
    }
    await call(403, 'DELETE', `/users/${id}`, { token });
  });

  test('a holder of manage-users cannot withdraw an invitation with the role admin', async () => {
    const people = await holder('manage-users');
    const guest = await signUp(server);
    const invite = <T>(expected: number, token: string, role: string): Promise<T> =>
      call<T>(expected, 'POST', '/users', {
        token,
        body: {
          email: guest.email,
          firstName: 'I',
          lastName: 'I',
          password: 'never used at all',
          workspaceId: workspace.id,
          role,
        },
      });
    const { id, token } = await invite<{ id: string; token: string }>(201, admin, 'admin');
    await invite(403, people.token, 'member');
    await call(403, 'DELETE', `/invitations/${id}`, { token: people.token });
    await call(201, 'POST', '/invitations/accept', { token: guest.token, body: { token } });
  });

  test('an invitation becomes void when its sender loses the permission', async () => {
    const sender = await addMember(server, workspace);
    const given = await give(sender.id, 'manage-users');
    const [kept, lost] = [await signUp(server), await signUp(server)];
    const invite = async ({ email }: TestPerson): Promise<string> => {
      const body = {
        email,
        firstName: 'I',
        lastName: 'I',
        password: 'never used at all',
        workspaceId: workspace.id,
      };
      const { token } = await call<{ token: string }>(201, 'POST', '/users', { token: sender.token, body });
      return token;
    };
    const [first, second] = [await invite(kept), await invite(lost)];
    const accept = (expected: number, by: TestPerson, token: string) =>
      call(expected, 'POST', '/invitations/accept', { token: by.token, body: { token } });
    await accept(201, kept, first);
    await call(200, 'DELETE', `${path}/${given.id}`);
    await accept(404, lost, second);
  });
});
