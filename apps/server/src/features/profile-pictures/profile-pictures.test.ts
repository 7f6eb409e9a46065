/* Shows: E-AuthResult-user-avatar */
import {
  addMember,
  sendRequest,
  createWorkspace,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import sharp from 'sharp';

let server: SharedServer;
let workspace: TestWorkspace;
let member: TestPerson;
before(async () => {
  server = await sharedServer();
  workspace = await createWorkspace(server);
  member = await addMember(server, workspace);
});

const draw = (width = 400, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const set = async (body: Uint8Array, { id, token }: TestPerson = member, type = 'image/png') => {
  const response = await fetch(`${server.url}/users/${id}/picture`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const get = ({ token }: TestPerson, { id }: TestPerson = member) =>
  fetch(`${server.url}/users/${id}/picture`, { headers: { authorization: `Bearer ${token}` } });
const remove = ({ token }: TestPerson, { id }: TestPerson = member) =>
  sendRequest(server, 'DELETE', `/users/${id}/picture`, { token });
const avatarOf = async ({ email, password }: TestPerson) => {
  const body = { strategy: 'local', email, password };
  const response = await sendRequest<{ user: { avatar: string | null } }>(server, 'POST', '/authentication', {
    body,
  });
  return response.body.user.avatar;
};

describe('profile pictures', () => {
  test('a picture is re-encoded at a fixed size, and served with its type', async () => {
    assert.equal(await avatarOf(member), null);
    assert.equal((await get(member)).status, 404);
    for (const picture of [draw().png(), draw().jpeg(), draw().webp()]) {
      const { status, body } = await set(await picture.toBuffer(), member, 'text/html');
      assert.equal(status, 201);
      assert.equal(body['id'], member.id);
      const response = await get(workspace.admin);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'image/webp');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      const { width, height, format } = await sharp(await response.arrayBuffer()).metadata();
      assert.deepEqual([width, height, format], [256, 256, 'webp']);
    }
    assert.equal(await avatarOf(member), `/users/${member.id}/picture`);
  });

  test('only the visible picture of a file is kept, without its metadata or appended data', async () => {
    const secret = 'taken at 51.5007N 0.1246W';
    const jpeg = await draw()
      .withExif({ IFD0: { ImageDescription: secret } })
      .jpeg()
      .toBuffer();
    assert.ok(jpeg.includes(secret));
    const polyglot = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]);
    assert.equal((await set(polyglot)).status, 201);
    const served = Buffer.from(await (await get(member)).arrayBuffer());
    assert.ok(!served.includes(secret) && !served.includes('<script>'));
    assert.equal((await sharp(served).metadata()).exif, undefined);
  });

  test('a file that is not a PNG, JPEG or WebP, too large, or has too many pixels is rejected', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const gif = await draw(10, 10).gif().toBuffer();
    const png = await draw().png().toBuffer();
    const bomb = await draw(10_000, 5000).png().toBuffer();
    for (const bytes of [Buffer.from(svg), gif, png.subarray(0, 200), png.subarray(0, 8), bomb]) {
      const { status, body } = await set(bytes);
      assert.deepEqual([status, body['name']], [400, 'FileParseError']);
    }
    assert.equal((await set(Buffer.alloc(0))).status, 400);
    assert.equal((await set(Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]))).status, 413);
  });

  test('people can set and remove only their own picture, and others of the workspace see it', async () => {
    const other = await createWorkspace(server);
    const png = await draw().png().toBuffer();
    assert.equal((await set(png)).status, 201);
    const asAdmin = { ...member, token: workspace.admin.token };
    assert.equal((await set(png, asAdmin)).status, 403);
    assert.equal((await remove(workspace.admin)).status, 403);
    const asStranger = { ...member, token: other.admin.token };
    assert.equal((await set(png, asStranger)).status, 404);
    assert.equal((await get(other.admin)).status, 404);
    assert.equal((await remove(other.admin)).status, 404);
    assert.equal((await fetch(`${server.url}/users/${member.id}/picture`)).status, 401);
    const removed = await remove(member);
    assert.deepEqual([removed.status, removed.body['id']], [200, member.id]);
    assert.equal((await get(member)).status, 404);
    assert.equal((await remove(member)).status, 404);
    assert.equal(await avatarOf(member), null);
  });
});
