/* Shows: F-POST-/write/{datasetId}-isAsync, F-POST-/write/{datasetId}-body,
   F-POST-/v2/write/{datasetId}-isAsync, F-POST-/v2/write/{datasetId}-records,
   F-POST-/v2/write/{datasetId}-securityLabelInfo, K-isAsync, K-body-limit, K-nesting, K-paths,
   D-write-not-read, D-write-durable, D-write-visible, D-write-visible-async, D-batch-atomic,
   D-internal-input, D-paths-bound, E-WriteResponse-workspace, E-WriteResponse-datasetId,
   E-WriteResponse-partitions, R-error-message, X-BadRequestError-413, X-ForbiddenError, R-status-read, L33,
   V-datasetAction-write, W-gzip-write, W-booleans, W-absolute-form-write, W-status-write, W-write-answer,
   W-v2-write-answer, A-write-invalid-json, A-write-no-object, A-write-nesting, A-write-too-large,
   A-content-encoding */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Dataset } from '@redoubt/contract';
import {
  addMember,
  bodyOf,
  createRecordFixture,
  createWorkspace,
  labelField,
  type RecordFixture,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

const bodyBytes = 100_000;
const absentId = '00000000-0000-4000-8000-000000000000';

const bodyWith = (bytes: number): string => {
  const frame = '[{"a":""}]';
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
};

const nested = (levels: number, open: string, close: string): string =>
  `{"a":${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;

const manyFields = (from: number, size: number): string =>
  `[{${Array.from({ length: size }, (_, n) => `"f${from + n}":1`).join(',')}}]`;

describe('writing records', () => {
  let server: TestServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await startServer({ limits: { bodyBytes } });
    fixture = await createRecordFixture(server);
  });
  after(() => server.close());

  const count = async (id: string, token = fixture.admin): Promise<number> =>
    (await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`, { token })).recordCount;
  const lines = async (id: string, token = fixture.admin): Promise<unknown[]> => {
    const body = { datasetId: id, expression: '*:*', limit: -1 };
    const found = await fixture.call<{ records: unknown[]; total: number }>(200, 'POST', '/query/lucene', {
      token,
      body,
    });
    assert.equal(found.total, found.records.length);
    return found.records;
  };

  test('a write of a bare array returns 200 with workspace, dataset, partitions and the counts', async () => {
    const id = await fixture.dataset();
    const response = await fixture.post(`/write/${id}?isAsync=false`, '[{"a":1},{"a":2}]');
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(bodyOf(200, response), {
      workspace: fixture.workspace.id,
      datasetId: id,
      partitions: [0],
      recordsReplaced: 0,
      recordsDropped: 0,
    });
    assert.equal(await count(id), 2);
  });

  test('a v2 write returns the same shape, with and without label information', async () => {
    const id = await fixture.dataset();
    const expected = {
      workspace: fixture.workspace.id,
      datasetId: id,
      partitions: [0],
      recordsReplaced: 0,
      recordsDropped: 0,
    };
    for (const rest of ['', ',"securityLabelInfo":null', ',"columnSecurityLabelInfo":null']) {
      const response = await fixture.post(`/v2/write/${id}?isAsync=true`, `{"records":[{"a":1}]${rest}}`);
      assert.deepEqual(bodyOf(200, response), expected);
    }
    assert.equal(await count(id), 3);
  });

  test('isAsync is true or false in any spelling, false by default, and the records are always visible with the response', async () => {
    const id = await fixture.dataset();
    const spellings = ['true', 'True', 'TRUE', 'tRuE', 'false', 'False', 'FALSE'];
    const queries = ['', ...spellings.map((value) => `?isAsync=${value}`)];
    let written = 0;
    for (const query of queries) {
      bodyOf(200, await fixture.post(`/write/${id}${query}`, '[{"a":1}]'));
      bodyOf(200, await fixture.post(`/v2/write/${id}${query}`, '{"records":[{"a":1}]}'));
      written += 2;
      assert.equal((await lines(id)).length, written, query);
    }
  });

  test('an isAsync that is neither true nor false is 400 and nothing is stored', async () => {
    const id = await fixture.dataset();
    for (const value of ['yes', '1', '', 'null', 'true%20', 'true&isAsync=false']) {
      const wrong = await fixture.post(`/write/${id}?isAsync=${value}`, '[{"a":1}]');
      assert.match(bodyOf(400, wrong).message, /isAsync/, value);
      bodyOf(400, await fixture.post(`/v2/write/${id}?isAsync=${value}`, '{"records":[{"a":1}]}'));
    }
    bodyOf(400, await fixture.post(`/write/${id}?async=true`, '[{"a":1}]'));
    assert.equal(await count(id), 0);
  });

  test('a write without records stores nothing and returns 200', async () => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.post(`/write/${id}`, ' [ ] '));
    bodyOf(200, await fixture.post(`/v2/write/${id}`, '{"records":[]}'));
    assert.equal(await count(id), 0);
  });

  test('a gzip body is decompressed by both calls', async () => {
    const id = await fixture.dataset();
    const headers = { 'content-encoding': 'gzip' };
    bodyOf(200, await fixture.post(`/v2/write/${id}`, gzipSync('{"records":[{"a":"é"}]}'), { headers }));
    bodyOf(200, await fixture.post(`/write/${id}`, gzipSync('[{"a":"ü"}]'), { headers }));
    assert.deepEqual(await lines(id), [{ a: 'é' }, { a: 'ü' }]);
  });

  test('a gzip write to a URL in absolute form is accepted', async () => {
    const id = await fixture.dataset();
    const { port } = new URL(server.url);
    const sending = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: `https://redoubt.example/v2/write/${id}?isAsync=false`,
      headers: { authorization: `Bearer ${fixture.admin}`, 'content-encoding': 'gzip' },
    }).end(gzipSync('{"records":[{"a":1}]}'));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    assert.equal(response.resume().statusCode, 200);
    assert.equal(await count(id), 1);
  });

  test('a body that claims to be gzip and is not is 400, and so is another encoding', async () => {
    const id = await fixture.dataset();
    const send = (encoding: string, body: string | Uint8Array) =>
      fixture.post(`/write/${id}`, body, { headers: { 'content-encoding': encoding } });
    const whole = gzipSync('[{"a":1}]');
    bodyOf(400, await send('gzip', '[{"a":1}]'));
    bodyOf(400, await send('gzip', whole.subarray(0, -6)));
    bodyOf(400, await send('br', '[{"a":1}]'));
    bodyOf(400, await send('gzip, gzip', whole));
    bodyOf(200, await send('identity', '[{"a":1}]'));
    assert.equal(await count(id), 1);
  });

  test('the size limit applies to the decompressed body, and a larger one is 413', async () => {
    const id = await fixture.dataset();
    const headers = { 'content-encoding': 'gzip' };
    assert.equal(bodyWith(bodyBytes).length, bodyBytes);
    bodyOf(200, await fixture.post(`/write/${id}`, bodyWith(bodyBytes)));
    bodyOf(200, await fixture.post(`/write/${id}`, gzipSync(bodyWith(bodyBytes)), { headers }));
    const packed = gzipSync(bodyWith(bodyBytes + 1));
    assert.ok(packed.length < bodyBytes / 10);
    const { name, message } = bodyOf(413, await fixture.post(`/write/${id}`, packed, { headers }));
    assert.equal(name, 'BadRequestError');
    assert.match(message, /at most 100000 bytes after decompression/);
    bodyOf(413, await fixture.post(`/write/${id}`, bodyWith(bodyBytes + 1)));
    assert.equal(await count(id), 2);
  });

  test('a record that is not an object is 400 naming its index, and nothing is stored', async () => {
    const id = await fixture.dataset();
    for (const wrong of ['1', '"a"', 'null', 'true', '[]', '[{"a":1}]', '', ',']) {
      const { message } = bodyOf(400, await fixture.post(`/write/${id}`, `[{"a":0},{"a":1},${wrong}]`));
      assert.match(message, /\b(records\.2|record 2)\b/, wrong);
    }
    assert.equal(await count(id), 0);
  });

  test('invalid JSON is 400 naming the index of the record and the error, and nothing is stored', async () => {
    const id = await fixture.dataset();
    const cases: [string, RegExp][] = [
      ['{"a":}', /must be valid JSON: at character 6, expected a digit, got "}"/],
      ['{"a":01}', /expected "," or "}"/],
      ['{"a":1.}', /expected a digit/],
      ['{"a":+1}', /expected a digit/],
      ['{"a":NaN}', /expected/],
      ['{"a":Infinity}', /expected/],
      ['{"a":tru}', /expected a value/],
      ["{'a':1}", /expected a key in quotes/],
      ['{"a":1,}', /expected a key in quotes/],
      ['{"a" 1}', /expected ":" after a key/],
      ['{"a":"\n"}', /expected no control character inside a string/],
      ['{"a":"\\x"}', /expected valid escapes in a string/],
      ['{"a":"\\u12"}', /expected valid escapes in a string/],
      ['{"a":[1 2]}', /expected "," or "]"/],
      ['{"a":1} {"b":2}', /must be followed by "," or "\]"/],
      ['{"a":"1', /must be complete, but the body ends inside it/],
    ];
    for (const [record, error] of cases) {
      const response = bodyOf(400, await fixture.post(`/write/${id}`, `[{"a":0},${record}]`));
      assert.equal(response.name, 'BadRequestError');
      assert.match(response.message, /^records\.1 must /, record);
      assert.match(response.message, error);
      assert.equal(response.errors[0]?.field, 'records.1');
      const v2 = bodyOf(400, await fixture.post(`/v2/write/${id}`, `{"records":[{"a":0},${record}]}`));
      assert.match(v2.message, /^records\.1 must /, record);
    }
    for (const unended of ['[{"a":0},{"a":1]', '[{"a":0},{"a":1}', '[{"a":0},{"a":[1}]']) {
      const response = await fixture.post(`/write/${id}`, unended);
      assert.match(bodyOf(400, response).message, /ends after record 1: expected "," or "\]"/);
    }
    assert.equal(await count(id), 0);
  });

  test('a body with another JSON structure than the call expects is 400, and nothing is stored', async () => {
    const id = await fixture.dataset();
    const record = '{"a":1}';
    for (const body of ['', ' ', 'x', record, `{"records":[${record}]}`, `[${record}`, `[${record}]]`]) {
      bodyOf(400, await fixture.post(`/write/${id}`, body));
    }
    const wrongEnvelopes = [
      '',
      `[${record}]`,
      '{}',
      '{"records":{}}',
      '{"records":null}',
      `{"records":[${record}],}`,
      `{"records":[${record}]}}`,
      `{"records":[${record}],"records":[]}`,
      `{"records":[${record}],"label":"A"}`,
      `{"records":[${record}],"securityLabelinfo":null}`,
      `{"Records":[${record}]}`,
    ];
    for (const body of wrongEnvelopes) bodyOf(400, await fixture.post(`/v2/write/${id}`, body));
    assert.equal(await count(id), 0);
  });

  test('nesting of 100 levels is stored, and 101 levels are 400 naming the record', async () => {
    const id = await fixture.dataset();
    const [lists, objects] = [nested(100, '[', ']'), `${'{"a":'.repeat(99)}{}${'}'.repeat(99)}`];
    bodyOf(200, await fixture.post(`/write/${id}`, `[${lists},${objects}]`));
    for (const deep of [nested(101, '[', ']'), `{"a":${objects}}`]) {
      const { message } = bodyOf(400, await fixture.post(`/write/${id}`, `[{"a":1},{"a":2},${deep}]`));
      assert.match(message, /^records\.2 must .*at most 100 levels/);
    }
    assert.equal(await count(id), 2);
  });

  test('bytes that are not UTF-8 are 400 naming the record, and nothing is stored', async () => {
    const id = await fixture.dataset();
    for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('[{"a":"é"},{"a":"'), Buffer.from(wrong), Buffer.from('"}]')]);
      const { message } = bodyOf(400, await fixture.post(`/write/${id}`, body));
      assert.match(message, /^records\.1 must be valid UTF-8/);
    }
    const outside = Buffer.concat([Buffer.from('[{"a":1}]'), Buffer.from([0xff])]);
    bodyOf(400, await fixture.post(`/write/${id}`, outside));
    const inInfo = Buffer.concat([
      Buffer.from('{"records":[{"a":1}],"securityLabelInfo":{"label":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}'),
    ]);
    assert.match(bodyOf(400, await fixture.post(`/v2/write/${id}`, inInfo)).message, /UTF-8/);
    assert.equal(await count(id), 0);
  });

  test('an error in the last record of a batch stores none of the others', async () => {
    const id = await fixture.dataset();
    const many = Array.from({ length: 3000 }, (_, n) => `{"n":${n}}`).join(',');
    const { message } = bodyOf(400, await fixture.post(`/write/${id}`, `[${many},{"n":}]`));
    assert.match(message, /^records\.3000 must /);
    assert.equal(await count(id), 0);
    assert.deepEqual(await fixture.call(200, 'GET', `/query/schema?datasetId=${id}`), {});
  });

  test('an actor without write gets 403, and one without any grant finds no dataset', async () => {
    const reader = await fixture.reader();
    const stranger = (await addMember(server, fixture.workspace)).token;
    const readOnly = await fixture.dataset(['read']);
    for (const path of ['/write/', '/v2/write/']) {
      const body = path === '/write/' ? '[{"a":1}]' : '{"records":[{"a":1}]}';
      const refused = await fixture.post(path + readOnly, body, { token: reader });
      assert.equal(bodyOf(403, refused).name, 'ForbiddenError');
      const hidden = await fixture.post(path + readOnly, body, { token: stranger });
      const absent = await fixture.post(path + absentId, body, { token: stranger });
      assert.equal(bodyOf(404, hidden).name, 'NotFoundError');
      assert.equal(absent.text, hidden.text.replaceAll(readOnly, absentId));
    }
    assert.equal(await count(readOnly), 0);
  });

  test('writers do not find a dataset of another workspace, nor one by a malformed id', async () => {
    const elsewhere = await createWorkspace(server);
    const id = await fixture.dataset();
    const { token } = elsewhere.admin;
    bodyOf(404, await fixture.post(`/write/${id}`, '[{"a":1}]', { token }));
    bodyOf(404, await fixture.post(`/v2/write/${id}`, '{"records":[]}', { token }));
    bodyOf(404, await fixture.post(`/write/nothing`, '[{"a":1}]'));
    bodyOf(404, await fixture.post(`/write/${id.slice(1)}`, '[{"a":1}]'));
    assert.equal(await count(id), 0);
  });

  test('an actor who may not write gets no errors about the body', async () => {
    const reader = await fixture.reader();
    const id = await fixture.dataset(['read']);
    const right = await fixture.post(`/write/${id}`, '[{"a":1}]', { token: reader });
    assert.equal((await fixture.post(`/write/${id}`, 'x', { token: reader })).text, right.text);
  });

  test('a writer who may not read can write, and sees none of it', async () => {
    const token = await fixture.reader();
    const id = await fixture.dataset(['write']);
    bodyOf(200, await fixture.post(`/write/${id}`, '[{"a":1}]', { token }));
    assert.equal(await count(id, token), 0);
    assert.equal(await count(id), 1);
    for (const path of ['/query/lucene', '/readInSequence']) {
      const body = { datasetId: id, ...(path === '/readInSequence' ? {} : { expression: '*:*' }) };
      await fixture.call(403, 'POST', path, { token, body });
    }
    await fixture.call(403, 'GET', `/query/schema?datasetId=${id}`, { token });
  });

  test('a write needs a credential', async () => {
    const id = await fixture.dataset();
    const response = await fetch(`${server.url}/write/${id}`, { method: 'POST', body: '[{"a":1}]' });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as { name: string }).name, 'AuthError');
    assert.equal(await count(id), 0);
  });

  test('more distinct fields than a dataset may have is 400, and nothing is stored', async () => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.post(`/write/${id}`, manyFields(0, 6000)));
    bodyOf(200, await fixture.post(`/write/${id}`, manyFields(6000, 4000)));
    const { message } = bodyOf(400, await fixture.post(`/write/${id}`, manyFields(10_000, 1)));
    assert.match(message, /more than 10000 different fields/);
    bodyOf(200, await fixture.post(`/write/${id}`, manyFields(5000, 2000)));
    assert.equal(await count(id), 3);
  });

  test('top-level input fields that begin with _koverse_ are dropped, and nested ones are kept', async () => {
    const id = await fixture.dataset();
    bodyOf(
      200,
      await fixture.write(
        id,
        '[{"_koverse_security_label":"A","a":1,"_koverse_timestamp":5,"\\u005fkoverse_x":{"y":1},"b":{"_koverse_c":2}}]',
      ),
    );
    assert.deepEqual(await lines(id), [{ a: 1, b: { _koverse_c: 2 } }]);
    const schema = await fixture.call(200, 'GET', `/query/schema?datasetId=${id}&includeNestedFields=true`);
    assert.deepEqual(Object.keys(schema as object), ['a', 'b', 'b._koverse_c']);
  });

  test('records are never visible before their label applies, whichever call writes them', async () => {
    const id = await fixture.dataset();
    const records = [{ n: 1, label: 'A' }, { n: 2 }];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    assert.deepEqual(await lines(id), [{ n: 2 }]);
    assert.equal((await lines(id, await fixture.reader('A'))).length, 2);
  });
});
