/* Shows: F-GET-/attributes-filters, D-member-attributes, D-admin-attributes, E-Attribute-name,
   E-Attribute-token, E-Attribute-description, E-Attribute-workspaceId, X-BadRequestError-409, R-status-read,
   R-status-delete, R-status-403, R-role-admin */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Attribute } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';

describe('attributes', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: string;
  let member: TestPerson;
  let tokens = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    admin = workspace.admin.token;
    member = await addMember(server, workspace);
  });

  const create = async (body: object = {}, token = admin): Promise<Attribute> => {
    tokens += 1;
    const response = await sendRequest<Attribute>(server, 'POST', '/attributes', {
      token,
      body: { name: `Attribute ${tokens}`, token: `TOKEN-${tokens}`, ...body },
    });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body;
  };
  const assign = async (attributeId: string, userId: string): Promise<void> => {
    const response = await sendRequest(server, 'POST', '/attribute-assignments', {
      token: admin,
      body: { attributeId, userId },
    });
    assert.equal(response.status, 201, JSON.stringify(response.body));
  };
  const tokensSeen = async (token: string, query = ''): Promise<string[]> => {
    const { status, body } = await sendRequest<{ data: Attribute[] }>(
      server,
      'GET',
      `/attributes?$limit=-1&$sort[token]=1${query}`,
      { token },
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map((attribute) => attribute.token);
  };

  test('a new attribute has exactly the fields of the specification, with its token in upper case', async () => {
    const attribute = await create({
      name: 'Secret',
      token: 'secret:x',
      description: 'd',
      workspaceId: workspace.id,
    });
    assert.deepEqual(attribute, {
      id: attribute.id,
      name: 'Secret',
      token: 'SECRET:X',
      description: 'd',
      workspaceId: workspace.id,
    });
    const { body } = await sendRequest(server, 'GET', `/attributes/${attribute.id}`, { token: admin });
    assert.deepEqual(body, attribute);
  });

  test('a token is unique in its workspace, regardless of letter case, and free in another', async () => {
    await create({ token: 'Once' });
    const again = await sendRequest(server, 'POST', '/attributes', {
      token: admin,
      body: { name: 'x', token: 'ONCE' },
    });
    assert.equal(again.status, 409);
    assert.equal(again.body.name, 'BadRequestError');
    assert.match(String(again.body.message), /token: "ONCE"/);
    await create({ token: 'once' }, elsewhere.admin.token);
  });

  test('a token never changes, because existing labels refer to it', async () => {
    const attribute = await create({ token: 'FIXED' });
    const refused = await sendRequest(server, 'PATCH', `/attributes/${attribute.id}`, {
      token: admin,
      body: { name: 'New', token: 'OTHER' },
    });
    assert.equal(refused.status, 400);
    assert.match(String(refused.body.message), /must be "FIXED".*got the string "OTHER"/);
    const kept = await sendRequest(server, 'GET', `/attributes/${attribute.id}`, { token: admin });
    assert.deepEqual(kept.body, attribute);
  });

  test('sending a whole attribute back changes only name and description', async () => {
    const attribute = await create();
    const body = { ...attribute, token: attribute.token.toLowerCase(), name: 'Renamed', description: 'said' };
    const changed = await sendRequest(server, 'PATCH', `/attributes/${attribute.id}`, { token: admin, body });
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body, { ...attribute, name: 'Renamed', description: 'said' });
  });

  test('an attribute keeps its id and workspace whatever a PATCH says', async () => {
    const attribute = await create();
    for (const [field, value] of [
      ['workspaceId', elsewhere.id],
      ['id', absentId],
    ] as const) {
      const refused = await sendRequest(server, 'PATCH', `/attributes/${attribute.id}`, {
        token: admin,
        body: { [field]: value, name: 'Moved' },
      });
      assert.equal(refused.status, 403);
      assert.match(
        String(refused.body.message),
        new RegExp(`${field} cannot be changed from .*, got "${value}"`),
      );
    }
    const kept = await sendRequest(server, 'GET', `/attributes/${attribute.id}`, { token: admin });
    assert.deepEqual(kept.body, attribute);
  });

  test('an empty PATCH changes nothing about an attribute', async () => {
    const attribute = await create();
    const { status, body } = await sendRequest(server, 'PATCH', `/attributes/${attribute.id}`, {
      token: admin,
      body: {},
    });
    assert.equal(status, 200);
    assert.deepEqual(body, attribute);
  });

  test('name and token of a new attribute are required, and unknown fields are rejected', async () => {
    const missing = await sendRequest<{ errors: { field: string }[] }>(server, 'POST', '/attributes', {
      token: admin,
      body: {},
    });
    assert.equal(missing.status, 400);
    assert.deepEqual(missing.body.errors.map(({ field }) => field).toSorted(), ['name', 'token']);
    const unknown = await sendRequest(server, 'POST', '/attributes', {
      token: admin,
      body: { name: 'x', token: 'UNKNOWN-FIELD', heldBy: [member.id] },
    });
    assert.equal(unknown.status, 400);
    assert.match(String(unknown.body.message), /heldBy/);
  });

  test('a token that no label can contain is rejected', async () => {
    for (const token of ['', 'A\u0000B', 'A\nB', 'x'.repeat(257)]) {
      const { status } = await sendRequest(server, 'POST', '/attributes', {
        token: admin,
        body: { name: 'x', token },
      });
      assert.equal(status, 400, JSON.stringify(token));
    }
  });

  test('members see only the attributes that they hold', async () => {
    const reader = await addMember(server, workspace);
    const held = await create();
    const other = await create();
    await assign(held.id, reader.id);
    assert.deepEqual(await tokensSeen(reader.token), [held.token]);
    const own = await sendRequest(server, 'GET', `/attributes/${held.id}`, { token: reader.token });
    assert.deepEqual(own.body, held);
    const hidden = await sendRequest(server, 'GET', `/attributes/${other.id}`, { token: reader.token });
    const absent = await sendRequest(server, 'GET', `/attributes/${absentId}`, { token: reader.token });
    assert.equal(hidden.status, 404);
    assert.equal(hidden.body.message, String(absent.body.message).replace(absentId, other.id));
  });

  test('the list of attributes filters by every field of an attribute', async () => {
    const attribute = await create({ name: 'Filtered', token: 'FILTERED', description: 'only here' });
    await create({ name: 'Other', token: 'NOT-FILTERED' });
    for (const [field, value] of Object.entries(attribute)) {
      if (field === 'workspaceId') continue;
      assert.deepEqual(
        await tokensSeen(admin, `&${field}=${encodeURIComponent(value)}`),
        ['FILTERED'],
        field,
      );
    }
    assert.ok((await tokensSeen(admin, `&workspaceId=${workspace.id}`)).includes('FILTERED'));
    assert.deepEqual(await tokensSeen(admin, '&token[$in][]=FILTERED&token[$in][]=NOT-FILTERED'), [
      'FILTERED',
      'NOT-FILTERED',
    ]);
  });

  test('deleting an attribute takes it from everyone, and a new one with its token is held by nobody', async () => {
    const attribute = await create({ token: 'SHORT-LIVED' });
    const holder = await addMember(server, workspace);
    await assign(attribute.id, holder.id);
    const removed = await sendRequest(server, 'DELETE', `/attributes/${attribute.id}`, { token: admin });
    assert.equal(removed.status, 200);
    assert.deepEqual(removed.body, attribute);
    assert.deepEqual(await tokensSeen(holder.token), []);
    await create({ token: 'SHORT-LIVED' });
    assert.deepEqual(await tokensSeen(holder.token), []);
  });

  test('attributes need a credential', async () => {
    const { status, body } = await sendRequest(server, 'GET', '/attributes');
    assert.equal(status, 401);
    assert.equal(body.name, 'AuthError');
  });
});
