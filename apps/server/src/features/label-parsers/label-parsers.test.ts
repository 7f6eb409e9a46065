/* Shows: F-abac-label-parsers-identity, F-abac-label-parsers-simple, F-abac-label-parsers-capco,
   F-abac-label-parsers-apply, K-parsers-example-page */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { LabelParser } from '@redoubt/contract';
import { addMember, sendRequest, createWorkspace } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

interface Page {
  total: number;
  limit: number;
  skip: number;
  data: LabelParser[];
}

describe('label parsers', () => {
  let server: SharedServer;
  let token: string;

  before(async () => {
    server = await sharedServer();
    ({ token } = await addMember(server, await createWorkspace(server)));
  });

  const list = async (query: string): Promise<Page> => {
    const { status, body } = await sendRequest<Page>(server, 'GET', `/abac-label-parsers${query}`, { token });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const idsIn = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);

  test('the label parsers are listed with a limit of -1, and only the simple one is deprecated', async () => {
    const { total, limit, skip, data } = await list('?$limit=-1');
    assert.deepEqual([total, limit, skip], [4, -1, 0]);
    assert.deepEqual(
      data.map(({ id, name, deprecated }) => [id, name, deprecated]),
      [
        ['apply-label-to-all-records-parser', 'apply-label-to-all-records', false],
        ['capco-parser', 'capco', false],
        ['identity-parser', 'identity', false],
        ['simple-parser', 'simple', true],
      ],
    );
    for (const { description } of data) assert.ok(description.length > 20);
  });

  test('the list of label parsers follows the list conventions', async () => {
    assert.deepEqual(await idsIn('?deprecated=true'), ['simple-parser']);
    assert.deepEqual(await idsIn('?deprecated=False&$sort[name]=-1&$limit=2'), [
      'identity-parser',
      'capco-parser',
    ]);
    assert.deepEqual(await idsIn('?$or[0][id]=simple-parser&$or[1][name]=capco'), [
      'capco-parser',
      'simple-parser',
    ]);
    assert.deepEqual(await idsIn('?$skip=3'), ['simple-parser']);
    const { status } = await sendRequest(server, 'GET', '/abac-label-parsers?reads=all', { token });
    assert.equal(status, 400);
  });

  test('a label parser is returned by its id, and any other id is 404', async () => {
    const { status, body } = await sendRequest<LabelParser>(
      server,
      'GET',
      '/abac-label-parsers/capco-parser',
      {
        token,
      },
    );
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), ['deprecated', 'description', 'id', 'name']);
    for (const id of ['capco', 'CAPCO-PARSER', 'constructor']) {
      const absent = await sendRequest<{ name: string; message: string }>(
        server,
        'GET',
        `/abac-label-parsers/${id}`,
        { token },
      );
      assert.deepEqual([absent.status, absent.body.name], [404, 'NotFoundError']);
      assert.ok(absent.body.message.includes(id));
    }
  });
});
