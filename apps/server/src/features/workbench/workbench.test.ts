/* Shows: L13 */
import type { AuthenticationResult, QueryRun, SavedQuery } from '@redoubt/contract';
import {
  addMember,
  createRecordFixture,
  createWorkspace,
  labelField,
  sendRequest,
  type RecordFixture,
  type SendOptions,
  type TestPerson,
  type TestResponse,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

interface PageOf<T> {
  data: T[];
}

const bodyOf = <T>(status: number, response: TestResponse<T>): T => {
  assert.equal(response.status, status, JSON.stringify(response.body));
  return response.body;
};

let server: SharedServer;
let fixture: RecordFixture;
let reader: TestPerson;
let dataset: string;
before(async () => {
  server = await sharedServer();
  fixture = await createRecordFixture(server);
  reader = await fixture.newReader('EU');
  dataset = await fixture.dataset(['read'], { name: 'Runs' });
  const records = [
    { text: 'open', n: 1, label: '' },
    { text: 'for Europe', n: 2, label: 'EU' },
  ];
  assert.equal((await fixture.write(dataset, records, { labelInfo: labelField })).status, 200);
});

const send = <T = { message: string; name: string }>(
  person: TestPerson,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => sendRequest<T>(server, method, path, { token: person.token, ...(body !== undefined && { body }) });

const fromConsole = (person: TestPerson, expression: string) =>
  sendRequest(server, 'POST', '/query', {
    token: person.token,
    body: { expression },
    headers: { 'x-redoubt-session': 'of-a-browser' },
  });

const historyOf = async (person: TestPerson): Promise<QueryRun[]> =>
  bodyOf(200, await send<PageOf<QueryRun>>(person, 'GET', '/query-history?$sort[startedAt]=1&$limit=-1'))
    .data;

const save = async (person: TestPerson, name = 'Mine'): Promise<SavedQuery> =>
  bodyOf(201, await send<SavedQuery>(person, 'POST', '/saved-queries', { name, text: 'SELECT 1' }));

const keyOf = async (options: SendOptions): Promise<string> =>
  bodyOf(200, await sendRequest<{ key: string }>(server, 'GET', '/me/draft-key', options)).key;

describe('saved queries', () => {
  test('a saved query is changed, listed and deleted by its author alone', async () => {
    const saved = await save(reader);
    const path = `/saved-queries/${saved.id}`;
    assert.equal(saved.version, 1);
    const other = fixture.workspace.admin;
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { version: 1, text: 'x' }]] as const) {
      const hidden = await send(other, method, path, body);
      const absent = await send(other, method, '/saved-queries/unknown', body);
      assert.equal(hidden.status, 404);
      assert.equal(hidden.body.message.replace(saved.id, 'unknown'), absent.body.message);
    }
    assert.deepEqual(bodyOf(200, await send<PageOf<SavedQuery>>(other, 'GET', '/saved-queries')).data, []);
    const changed = bodyOf(
      200,
      await send<SavedQuery>(reader, 'PATCH', path, { version: 1, name: 'Ours', text: 'SELECT 2' }),
    );
    assert.deepEqual([changed.name, changed.text, changed.version], ['Ours', 'SELECT 2', 2]);
    const listed = bodyOf(200, await send<PageOf<SavedQuery>>(reader, 'GET', '/saved-queries?name=Ours'));
    assert.deepEqual(listed.data, [changed]);
    bodyOf(200, await send(reader, 'DELETE', path));
    assert.equal((await send(reader, 'GET', path)).status, 404);
  });

  test('a change of an old version is a conflict and changes nothing', async () => {
    const { id } = await save(reader);
    const patch = (body: object) => send<SavedQuery>(reader, 'PATCH', `/saved-queries/${id}`, body);
    bodyOf(200, await patch({ version: 1, text: 'SELECT 2' }));
    const { status, body } = await patch({ version: 1, text: 'SELECT 3' });
    assert.equal(status, 409);
    assert.match((body as unknown as { message: string }).message, /since version 1/);
    const now = bodyOf(200, await send<SavedQuery>(reader, 'GET', `/saved-queries/${id}`));
    assert.deepEqual([now.text, now.version], ['SELECT 2', 2]);
  });

  test('the audit log has neither the name nor the text of a saved query', async () => {
    await save(reader, 'A telling name');
    const { admin } = fixture.workspace;
    const events = await send(admin, 'POST', '/audit-log/query', { query: '*:*', limit: 100 });
    assert.doesNotMatch(JSON.stringify(events.body), /A telling name/);
  });
});

describe('the history of queries', () => {
  test('what the console runs is kept for its person alone, with its result', async () => {
    await fromConsole(reader, `SELECT * FROM "${dataset}"`);
    await fromConsole(reader, 'SELECT nope');
    const [first, second, ...more] = await historyOf(reader);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first?.text, first?.status, first?.rows],
      [`SELECT * FROM "${dataset}"`, 'completed', 2],
    );
    assert.deepEqual([second?.text, second?.status, second?.rows], ['SELECT nope', 'failed', null]);
    assert.deepEqual(await historyOf(fixture.workspace.admin), []);
  });

  test('programs leave no history', async () => {
    const program = await addMember(server, fixture.workspace);
    bodyOf(200, await send(program, 'POST', '/query', { expression: 'SELECT 1' }));
    assert.deepEqual(await historyOf(program), []);
  });

  test('a person deletes their own history, and nobody else’s', async () => {
    const person = await addMember(server, fixture.workspace);
    await fromConsole(person, 'SELECT 1');
    assert.deepEqual((await send(fixture.workspace.admin, 'DELETE', '/query-history')).body, { deleted: 0 });
    assert.equal((await historyOf(person)).length, 1);
    assert.deepEqual((await send(person, 'DELETE', '/query-history')).body, { deleted: 1 });
    assert.deepEqual(await historyOf(person), []);
  });

  test('of a long text the beginning is kept, and the history says so', async () => {
    const person = await addMember(server, fixture.workspace);
    await fromConsole(person, `SELECT 1 -- ${'x'.repeat(30_000)}`);
    const [run] = await historyOf(person);
    assert.deepEqual([run?.text.length, run?.isCut, run?.status], [20_000, true, 'completed']);
  });
});

describe('the key of drafts', () => {
  test('it is the same in each session of a person, and another for each person and workspace', async () => {
    const workspace = await createWorkspace(server);
    const { admin } = workspace;
    const key = await keyOf({ token: admin.token });
    assert.equal(Buffer.from(key, 'base64url').length, 32);
    const again = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: admin.email, password: admin.password, workspaceId: workspace.id },
    });
    assert.equal(await keyOf({ token: again.body.accessToken }), key);
    const colleague = await addMember(server, workspace);
    assert.notEqual(await keyOf({ token: colleague.token }), key);
    assert.notEqual(await keyOf({ token: reader.token }), key);
  });
});
