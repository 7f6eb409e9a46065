/* Shows: F-GET-/attribute-assignments-workspaceId, F-GET-/attribute-assignments-attributeId,
   F-GET-/attribute-assignments-userId, F-GET-/attribute-assignments-attribute, D-remove, D-admin-attributes,
   D-no-self-attribute, D-attribute-filter, E-AttributeAssignment-attributeId, E-AttributeAssignment-userId,
   L18, R-role-admin, A-twice */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Attribute, AttributeAssignment } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  type TestResponse,
  type SendOptions,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';

describe('attribute assignments', () => {
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

  const call = async <T>(
    expected: number,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options: SendOptions = {},
  ): Promise<T> => {
    const response: TestResponse<T> = await sendRequest<T>(server, method, path, {
      token: admin,
      ...options,
    });
    assert.equal(response.status, expected, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const attribute = (token = admin): Promise<Attribute> => {
    count += 1;
    return call(201, 'POST', '/attributes', { token, body: { name: `A${count}`, token: `A${count}` } });
  };
  const assign = (attributeId: string, userId: string): Promise<AttributeAssignment> =>
    call(201, 'POST', '/attribute-assignments', { body: { attributeId, userId } });
  const seen = async (token: string, query = ''): Promise<string[]> => {
    const page = await call<{ data: AttributeAssignment[] }>(
      200,
      'GET',
      `/attribute-assignments?$limit=-1${query}`,
      {
        token,
      },
    );
    return page.data.map(({ id }) => id);
  };

  test('an admin assigns an attribute, and the person sees it immediately', async () => {
    const person = await addMember(server, workspace);
    const { id: attributeId } = await attribute();
    const assignment = await assign(attributeId, person.id);
    assert.deepEqual(assignment, { id: assignment.id, attributeId, userId: person.id });
    const path = `/attribute-assignments/${assignment.id}`;
    assert.deepEqual(await call(200, 'GET', path), assignment);
    assert.deepEqual(await call(200, 'GET', path, { token: person.token }), assignment);
    assert.deepEqual(await seen(person.token), [assignment.id]);
  });

  test('nobody assigns themselves an attribute, not even an admin', async () => {
    const second = await addMember(server, workspace, 'admin');
    const { id: attributeId } = await attribute();
    const { message } = await call<{ message: string }>(403, 'POST', '/attribute-assignments', {
      token: second.token,
      body: { attributeId, userId: second.id },
    });
    assert.match(message, /nobody may assign an attribute to themselves/);
    const { id: other } = await attribute();
    const own = await assign(attributeId, second.id);
    const path = `/attribute-assignments/${own.id}`;
    await call(403, 'PATCH', path, { token: second.token, body: { attributeId: other } });
    const theirs = await assign(other, (await addMember(server, workspace)).id);
    await call(403, 'PATCH', `/attribute-assignments/${theirs.id}`, {
      token: second.token,
      body: { userId: second.id },
    });
    assert.deepEqual(await seen(admin, `&userId=${second.id}`), [own.id]);
  });

  test('an admin may revoke their own attribute', async () => {
    const second = await addMember(server, workspace, 'admin');
    const own = await assign((await attribute()).id, second.id);
    assert.deepEqual(
      await call(200, 'DELETE', `/attribute-assignments/${own.id}`, { token: second.token }),
      own,
    );
  });

  test('members see only their own assignments', async () => {
    const person = await addMember(server, workspace);
    const friend = await addMember(server, workspace);
    const { id: attributeId } = await attribute();
    const own = await assign(attributeId, person.id);
    const theirs = await assign(attributeId, friend.id);
    const { token } = person;
    assert.deepEqual(await seen(token), [own.id]);
    assert.deepEqual(await seen(token, `&userId=${friend.id}`), []);
    const hidden = await attribute();
    await assign(hidden.id, friend.id);
    assert.deepEqual(await seen(token, `&attribute=${hidden.token}`), []);
    assert.deepEqual(await seen(token, `&attributeId=${hidden.id}`), []);
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { body: {} } : {};
      await call(404, method, `/attribute-assignments/${theirs.id}`, { token, ...body });
    }
  });

  test('only attributes of the workspace are assigned, and only to its members', async () => {
    const { id: attributeId } = await attribute();
    const foreign = await attribute(elsewhere.admin.token);
    const person = await addMember(server, workspace);
    const make = (body: object) => call<{ message: string }>(404, 'POST', '/attribute-assignments', { body });
    assert.match(
      (await make({ attributeId, userId: elsewhere.admin.id })).message,
      new RegExp(elsewhere.admin.id),
    );
    assert.match(
      (await make({ attributeId: foreign.id, userId: person.id })).message,
      new RegExp(foreign.id),
    );
    await make({ attributeId: absentId, userId: person.id });
    await make({ attributeId, userId: 'nobody' });
    await make({ attributeId, userId: person.id, workspaceId: elsewhere.id });
    const assignment = await assign(attributeId, person.id);
    const path = `/attribute-assignments/${assignment.id}`;
    await call(404, 'PATCH', path, { body: { attributeId: foreign.id } });
    await call(404, 'PATCH', path, { body: { userId: elsewhere.admin.id } });
    await call(404, 'GET', path, { token: elsewhere.admin.token });
    await call(404, 'DELETE', path, { token: elsewhere.admin.token });
    assert.deepEqual(await call(200, 'GET', path), assignment);
  });

  test('a duplicate assignment is a conflict', async () => {
    const person = await addMember(server, workspace);
    const [first, second] = [await attribute(), await attribute()];
    await assign(first.id, person.id);
    const other = await assign(second.id, person.id);
    const body = { attributeId: first.id, userId: person.id };
    const { name } = await call<{ name: string }>(409, 'POST', '/attribute-assignments', { body });
    assert.equal(name, 'BadRequestError');
    await call(409, 'PATCH', `/attribute-assignments/${other.id}`, { body: { attributeId: first.id } });
  });

  test('a PATCH moves an assignment to another person or attribute, and nothing else', async () => {
    const [from, to] = [await addMember(server, workspace), await addMember(server, workspace)];
    const [old, fresh] = [await attribute(), await attribute()];
    const assignment = await assign(old.id, from.id);
    const path = `/attribute-assignments/${assignment.id}`;
    const changed = { id: assignment.id, attributeId: fresh.id, userId: to.id };
    assert.deepEqual(await call(200, 'PATCH', path, { body: changed }), changed);
    assert.deepEqual(await call(200, 'GET', path), changed);
    assert.deepEqual(await seen(from.token), []);
    await call(403, 'PATCH', path, { body: { id: absentId } });
    await call(403, 'PATCH', path, { body: { workspaceId: elsewhere.id } });
    await call(400, 'PATCH', path, { body: { role: 'admin' } });
  });

  test('assignments filter by id, workspace, attribute, user and token', async () => {
    const person = await addMember(server, workspace);
    const [wanted, other] = [await attribute(), await attribute()];
    const assignment = await assign(wanted.id, person.id);
    await assign(other.id, person.id);
    assert.deepEqual(await seen(admin, `&id=${assignment.id}`), [assignment.id]);
    assert.deepEqual(await seen(admin, `&attributeId=${wanted.id}`), [assignment.id]);
    assert.deepEqual(await seen(admin, `&attribute=${wanted.token}`), [assignment.id]);
    assert.equal((await seen(admin, `&userId=${person.id}`)).length, 2);
    assert.equal((await seen(admin, `&userId=${person.id}&workspaceId=${workspace.id}`)).length, 2);
    assert.deepEqual(await seen(admin, `&workspaceId=${elsewhere.id}`), []);
    assert.deepEqual(await seen(admin, '&attribute=NO-SUCH-TOKEN'), []);
  });

  test('attributeId and userId of an assignment are required', async () => {
    const { errors } = await call<{ errors: { field: string }[] }>(400, 'POST', '/attribute-assignments', {
      body: {},
    });
    assert.deepEqual(errors.map(({ field }) => field).toSorted(), ['attributeId', 'userId']);
  });

  test('a person removed from the workspace no longer holds its attributes', async () => {
    const leaver = await addMember(server, workspace);
    const assignment = await assign((await attribute()).id, leaver.id);
    await call(200, 'DELETE', `/users/${leaver.id}`);
    assert.deepEqual(await seen(admin, `&userId=${leaver.id}`), []);
    await call(404, 'GET', `/attribute-assignments/${assignment.id}`);
  });

  test('a revoked attribute has no effect from the next request on', async () => {
    const person = await addMember(server, workspace);
    const assignment = await assign((await attribute()).id, person.id);
    assert.deepEqual(await call(200, 'DELETE', `/attribute-assignments/${assignment.id}`), assignment);
    assert.deepEqual(await seen(person.token), []);
    const held = await call<{ total: number }>(200, 'GET', '/attributes', { token: person.token });
    assert.equal(held.total, 0);
    await call(404, 'DELETE', `/attribute-assignments/${assignment.id}`);
  });
});
