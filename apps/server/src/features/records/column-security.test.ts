/* Shows: F-POST-/v2/write/{datasetId}-columnSecurityLabelInfo,
   F-POST-/v2/write/{datasetId}-columnSecurityLabelInfo-refused, D-manage-needs-indexes,
   D-replace-hidden-columns, D-column-labels-set, D-column-labels-tighten, D-column-labels-loosen,
   D-security-strict, X-SecurityError, R-status-write-schema, L27, R-abac-columns, R-bearer-column-security */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bodyOf, createRecordFixture, type RawResponse, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

const records = [
  { name: 'ann', ssn: '123 alpha', pay: { grade: 7, note: 'secret bonus' }, n: 1 },
  { name: 'bob', pay: { grade: 8 }, n: 2 },
  { name: 'cyd', ssn: 77, pay: [{ grade: 9, note: 'n1' }], n: 3 },
];
const visible = [
  { name: 'ann', pay: { grade: 7 }, n: 1 },
  { name: 'bob', pay: { grade: 8 }, n: 2 },
  { name: 'cyd', pay: [{ grade: 9 }], n: 3 },
];
const columns = { ssn: { securityLabel: 'PII' }, 'pay.note': { securityLabel: 'HR&PII' } };

const calls = (dataset: string): [string, unknown][] => [
  ['/readInSequence', { datasetId: dataset }],
  ['/read', { datasetId: dataset }],
  ...['*:*', 'alpha', '123', 'secret', 'n1', 'ssn:*', 'pay.note:n1', 'NOT ssn:alpha', 'name:ann', '77'].map(
    (expression): [string, unknown] => ['/query/lucene', { datasetId: dataset, expression, limit: -1 }],
  ),
  ...[
    'SELECT * FROM t',
    'SELECT pay, n FROM t ORDER BY n',
    'SELECT count(*) FROM t',
    'SELECT ssn FROM t',
    'SELECT n FROM t WHERE ssn IS NULL',
    'SELECT n FROM t ORDER BY ssn',
    "SELECT pay ->> 'note' FROM t",
    'SELECT pay.note FROM t',
    'SELECT a.n FROM t a JOIN t b USING (ssn)',
    'SELECT * FROM (SELECT n FROM t) a NATURAL JOIN t b ORDER BY n',
    'SELECT count(*) FROM t a NATURAL JOIN t b',
    'SELECT * FROM t a JOIN t b ON a.n = b.n ORDER BY a.n',
  ].map((statement): [string, unknown] => [
    '/query',
    { expression: statement.replaceAll(/\bt\b/g, `"${dataset}"`), limit: -1 },
  ]),
];

const comparable = ({ status, text }: RawResponse, dataset: string): unknown => ({
  status,
  text: text.replaceAll(dataset, 'id').replace(/"lastRecordId":"[^"]*"/, ''),
});

describe('labels on columns', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let plain: string;
  let cleared: string;
  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    plain = await fixture.reader();
    cleared = await fixture.reader('PII', 'HR');
  });
  after(() => server.close());

  const patch = <T = unknown>(status: number, id: string, body: unknown, token = fixture.admin): Promise<T> =>
    fixture.call<T>(status, 'PATCH', `/write/schema/${id}`, { body, token });
  const writeWith = (
    id: string,
    list: readonly unknown[],
    columnSecurityLabelInfo: unknown,
    token = fixture.admin,
  ): Promise<RawResponse> =>
    fixture.post(
      `/v2/write/${id}?isAsync=false`,
      JSON.stringify({ records: list, columnSecurityLabelInfo }),
      {
        token,
      },
    );
  /** One write for each, so that the order of their ids is known. */
  const fill = async (id: string, list: readonly unknown[]): Promise<void> => {
    for (const record of list) bodyOf(200, await fixture.write(id, [record]));
  };
  const filled = async (actions?: ('read' | 'write' | 'manage')[]): Promise<string> => {
    const id = await fixture.dataset(actions);
    await fill(id, records);
    await patch(201, id, columns);
    return id;
  };
  const read = async (id: string, token: string): Promise<Record<string, unknown>[]> =>
    bodyOf(200, await fixture.post('/readInSequence', JSON.stringify({ datasetId: id }), { token })).records;
  const idsOf = async (id: string, token: string): Promise<string[]> => {
    const body = JSON.stringify({ datasetId: id, includeInternalRecordId: true });
    const { records: found } = bodyOf(200, await fixture.post('/readInSequence', body, { token }));
    return found.map((record) => String(record['_koverse_record_id']));
  };

  test('changing column labels returns 201 with the labels that were sent', async () => {
    const id = await fixture.dataset();
    assert.deepEqual(await patch(201, id, { 'a.b': { label: 'y&x' }, c: { securityLabel: null } }), {
      'a.b': { securityLabel: 'X&Y' },
      c: { securityLabel: '' },
    });
    assert.deepEqual(await patch(201, id, {}), {});
  });

  test('all calls that read return a column only to readers who satisfy its label', async () => {
    const id = await filled();
    const twin = await fixture.dataset();
    await fill(twin, visible);
    assert.deepEqual(await read(id, cleared), records);
    assert.deepEqual(await read(id, plain), visible);
    const [own, others] = [calls(id), calls(twin)];
    const accepts = [
      'application/json',
      'application/x-ndjson',
      'text/csv',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
    ];
    for (const [index, [path, body]] of own.entries()) {
      for (const accept of accepts) {
        const headers = { accept };
        assert.deepEqual(
          comparable(await fixture.post(path, JSON.stringify(body), { token: plain, headers }), id),
          comparable(
            await fixture.post(path, JSON.stringify(others[index]?.[1]), { token: plain, headers }),
            twin,
          ),
          `${path} ${JSON.stringify(body)} ${accept}`,
        );
      }
    }
    for (const flags of ['', '&includeNestedFields=true', '&includeInternalFields=true']) {
      assert.deepEqual(
        await fixture.call(200, 'GET', `/query/schema?datasetId=${id}${flags}`, { token: plain }),
        await fixture.call(200, 'GET', `/query/schema?datasetId=${twin}${flags}`, { token: plain }),
      );
    }
    const { schema } = await fixture.call<{ schema: object }>(200, 'GET', `/datasets/${id}`, {
      token: plain,
    });
    assert.deepEqual(Object.keys(schema), ['n', 'name', 'pay']);
  });

  test('a key that extends the name of a hidden column by a dot is hidden in SQL values and in files too', async () => {
    const id = await fixture.dataset();
    await fill(id, [{ a: { 'b.c': 'secret', d: 1 } }, { a: { 'b.c.d': 'secret' } }, { a: { d: 2 } }]);
    await patch(201, id, { 'a.b': { securityLabel: 'PII' } });
    const body = JSON.stringify({ expression: `SELECT a FROM "${id}"` });
    assert.deepEqual(bodyOf(200, await fixture.post('/query', body, { token: plain })).records, [
      { a: { d: 1 } },
      { a: {} },
      { a: { d: 2 } },
    ]);
    const headers = { accept: 'text/csv' };
    const csv = await fixture.post('/read', JSON.stringify({ datasetId: id }), { token: plain, headers });
    assert.equal(csv.status, 200);
    assert.doesNotMatch(csv.text, /secret/);
  });

  test('credentialsSubset hides the columns whose labels need other attributes', async () => {
    const id = await filled();
    const names = async (credentialsSubset: string[]): Promise<string> => {
      const body = JSON.stringify({ datasetId: id, credentialsSubset });
      return JSON.stringify(
        bodyOf(200, await fixture.post('/readInSequence', body, { token: cleared })).records[0],
      );
    };
    assert.equal(await names([]), JSON.stringify(visible[0]));
    assert.equal(
      await names(['pii']),
      JSON.stringify({ name: 'ann', ssn: '123 alpha', pay: { grade: 7 }, n: 1 }),
    );
    assert.equal(await names(['PII', 'HR']), JSON.stringify(records[0]));
  });

  test('changing column labels needs manage, and a bearer token', async () => {
    const id = await filled(['read', 'write']);
    await patch(403, id, { n: { securityLabel: 'X' } }, cleared);
    await patch(404, await fixture.dataset([]), { n: { securityLabel: 'X' } }, cleared);
    assert.equal((await writeWith(id, [{ n: 9 }], { n: { securityLabel: 'X' } }, cleared)).status, 403);
    assert.equal((await writeWith(id, [{ n: 9 }], {}, cleared)).status, 200);
    const response = await fetch(`${server.url}/write/schema/${id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': 'a-key', 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(response.status, 401);
  });

  test('nobody removes a column label that they do not satisfy, and the response does not disclose that there is one', async () => {
    const id = await filled(['read', 'write', 'manage']);
    for (const [column, sent] of [
      ['ssn', ''],
      ['ssn', 'NONE-HOLDS'],
      ['pay.note', ''],
    ] as const) {
      const labels = { [column]: { securityLabel: sent } };
      assert.deepEqual(await patch(201, id, labels, plain), labels);
      assert.deepEqual(await read(id, plain), visible);
    }
    // A label added by an actor who does not satisfy the old one applies in addition to it.
    assert.equal('ssn' in ((await read(id, cleared))[0] ?? {}), false);
    assert.deepEqual((await read(id, cleared))[0]?.['pay'], records[0]?.pay);
  });

  test('an actor who satisfies a column label and manages the dataset can loosen it', async () => {
    const id = await filled(['read', 'write', 'manage']);
    await patch(201, id, { ssn: { securityLabel: 'PII|OTHER' } }, cleared);
    assert.equal('ssn' in ((await read(id, plain))[0] ?? {}), false);
    await patch(201, id, { ssn: { securityLabel: '' }, 'pay.note': { label: '' } }, cleared);
    assert.deepEqual(await read(id, plain), records);
  });

  test('managers list the labels of the columns that they see, and set them again as they are', async () => {
    const id = await filled(['read', 'write', 'manage']);
    const list = <T = unknown>(token: string, status = 200): Promise<T> =>
      fixture.call<T>(status, 'GET', `/datasets/${id}/column-labels`, { token });
    assert.deepEqual(await list(cleared), columns);
    assert.deepEqual(await list(plain), {});
    await patch(201, id, { name: { securityLabel: 'PII|HR' }, 'of none': { securityLabel: 'PII' } });
    const both = { ...columns, name: { securityLabel: 'HR|PII' } };
    assert.deepEqual(await list(cleared), both);
    await patch(201, id, { n: { securityLabel: 'PII' } }, plain);
    assert.deepEqual(await list(cleared), { ...both, n: { securityLabel: 'PII' } });
    assert.deepEqual(await patch(201, id, await list<object>(cleared), cleared), await list(cleared));
    assert.deepEqual(await list(cleared), { ...both, n: { securityLabel: 'PII' } });
    // A write can label a column that only hidden records have.
    const labelInfo = { parserClassName: 'apply-label-to-all-records-parser', label: 'UNHELD' };
    const body = {
      records: [{ cover: 1, n: 9 }],
      securityLabelInfo: labelInfo,
      columnSecurityLabelInfo: { cover: { securityLabel: 'PII' } },
    };
    bodyOf(200, await fixture.post(`/v2/write/${id}?isAsync=false`, JSON.stringify(body)));
    assert.deepEqual(await list(cleared), { ...both, n: { securityLabel: 'PII' } });
    const onlyReading = await filled(['read']);
    await fixture.call(403, 'GET', `/datasets/${onlyReading}/column-labels`, { token: cleared });
  });

  test('a write adds column labels before its records are stored, and removes none', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    bodyOf(200, await writeWith(id, [records[0]], columns));
    assert.deepEqual(await read(id, plain), [visible[0]]);
    bodyOf(200, await writeWith(id, [], { ssn: { securityLabel: 'NONE-HOLDS' } }, cleared));
    assert.equal('ssn' in ((await read(id, cleared))[0] ?? {}), false);
    const { name, message } = bodyOf(400, await writeWith(id, [{ n: 5 }], { ssn: { securityLabel: '' } }));
    assert.equal(name, 'SecurityError');
    assert.match(
      message,
      /^columnSecurityLabelInfo\.ssn\.securityLabel must be a label, got the empty string/,
    );
    assert.equal((await read(id, plain)).length, 1);
  });

  test('column labels with any invalid part are rejected, and nothing is stored', async () => {
    const id = await fixture.dataset();
    for (const sent of [
      '[]',
      '""',
      'false',
      '{"a":"X"}',
      '{"a":{}}',
      '{"a":{"parser":"X"}}',
      '{"a":{"label":"A&B|C"}}',
      '{"a":{"label":5}}',
      '{"_koverse_x":{"label":"A"}}',
      '{"a":{"label":"A","securityLabel":"A"}}',
    ]) {
      const result = bodyOf(
        400,
        await fixture.post(`/v2/write/${id}`, `{"records":[{"a":1}],"columnSecurityLabelInfo":${sent}}`),
      );
      assert.equal(result.name, 'SecurityError', sent);
      assert.match(result.message, /^columnSecurityLabelInfo/);
      const response = await fetch(`${server.url}/write/schema/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${fixture.admin}`, 'content-type': 'application/json' },
        body: sent,
      });
      assert.equal(response.status, 400, sent);
      assert.equal(((await response.json()) as { name: string }).name, 'SecurityError', sent);
    }
    assert.deepEqual(await read(id, plain), []);
  });

  test('a column that is named twice is rejected, because one of its labels would be ignored', async () => {
    const id = await fixture.dataset();
    const twice = '{"a":{"label":"A"},"a":{"label":"B"}}';
    const body = `{"records":[{"a":1}],"columnSecurityLabelInfo":${twice}}`;
    const written = bodyOf(400, await fixture.post(`/v2/write/${id}`, body));
    assert.equal(
      written.message,
      'columnSecurityLabelInfo must have the key "a" once, got it twice. Send it once.',
    );
    const patched = await fetch(`${server.url}/write/schema/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${fixture.admin}`, 'content-type': 'application/json' },
      body: twice,
    });
    assert.equal(patched.status, 400);
    assert.match(await patched.text(), /"a must be sent once, got the key twice\. Remove one of the two\."/);
    assert.deepEqual(await read(id, plain), []);
  });

  test('a column label that names new attributes creates them, held by nobody', async () => {
    const id = await fixture.dataset();
    await patch(201, id, { a: { securityLabel: 'FIRST-MET:1' } });
    const { data } = await fixture.call<{ data: unknown[] }>(200, 'GET', '/attributes?token=FIRST-MET:1');
    assert.equal(data.length, 1);
  });

  test('replacing a record keeps the values of columns that are hidden from its writer', async () => {
    const id = await filled();
    const [first = '', second = ''] = await idsOf(id, plain);
    const update = [
      { _koverse_record_id: first, name: 'ann', ssn: 'forged', pay: { grade: 1, note: 'forged' } },
      { _koverse_record_id: second, name: 'bob', ssn: 'added' },
    ];
    bodyOf(200, await fixture.write(id, update, { token: plain }));
    assert.deepEqual((await read(id, plain)).slice(0, 2), [
      { name: 'ann', pay: { grade: 1 } },
      { name: 'bob' },
    ]);
    assert.deepEqual((await read(id, cleared)).slice(0, 2), [
      { name: 'ann', pay: { grade: 1, note: 'secret bonus' }, ssn: '123 alpha' },
      { name: 'bob' },
    ]);
  });

  test('replacing a record under its own label needs no manage, even after columns were labelled', async () => {
    const id = await fixture.dataset();
    const labelInfo = { parserClassName: 'apply-label-to-all-records-parser', label: 'PII' };
    bodyOf(200, await fixture.write(id, [{ n: 1 }], { labelInfo }));
    await patch(201, id, { ssn: { securityLabel: 'HR' } });
    const [first = ''] = await idsOf(id, cleared);
    bodyOf(
      200,
      await fixture.write(id, [{ _koverse_record_id: first, n: 2 }], { labelInfo, token: cleared }),
    );
    bodyOf(200, await fixture.write(id, [{ n: 3 }], { labelInfo }));
    assert.deepEqual(await read(id, cleared), [{ n: 2 }, { n: 3 }]);
    assert.deepEqual(await read(id, plain), []);
  });

  test('a column label applies from the next request, and a revoked attribute hides the column again', async () => {
    const id = await filled();
    const person = await fixture.newReader();
    const assignment = await fixture.assign(person.id, 'PII');
    assert.equal((await read(id, person.token))[0]?.['ssn'], '123 alpha');
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    assert.equal('ssn' in ((await read(id, person.token))[0] ?? {}), false);
    await patch(201, id, { n: { securityLabel: 'PII' } });
    assert.equal('n' in ((await read(id, plain))[0] ?? {}), false);
  });

  test('records written after a column was labelled get label ids that an earlier visibility snapshot does not contain', async () => {
    const id = await fixture.dataset();
    const labelInfo = { parserClassName: 'apply-label-to-all-records-parser', label: 'PII' };
    const name = `ds_${id.replaceAll('-', '_')}`;
    const numbers = async (): Promise<string[]> => {
      const database = await server.engine.text(`SELECT database FROM system.tables WHERE name = '${name}'`, {
        lane: 'short',
      });
      const rows = await server.engine.text(
        `SELECT label_id FROM ${database.trimEnd()}.${name} ORDER BY record_id`,
        { lane: 'short' },
      );
      return rows.trimEnd().split('\n');
    };
    bodyOf(200, await fixture.write(id, [{ n: 1 }], { labelInfo }));
    bodyOf(200, await fixture.write(id, [{ n: 2 }], { labelInfo }));
    await patch(201, id, { ssn: { securityLabel: 'HR' } });
    bodyOf(200, await fixture.write(id, [{ n: 3 }], { labelInfo }));
    await patch(201, id, { ssn: { securityLabel: 'HR' } });
    bodyOf(200, await fixture.write(id, [{ n: 4 }], { labelInfo }));
    const [first, second, third, fourth] = await numbers();
    assert.equal(first, second);
    assert.ok(Number(third) > Number(second));
    assert.equal(third, fourth);
    // Replaced records that keep their label get new label ids too.
    const [replaced = ''] = await idsOf(id, cleared);
    bodyOf(200, await fixture.write(id, [{ _koverse_record_id: replaced, ssn: 5 }], { token: cleared }));
    assert.deepEqual(await numbers(), [third, second, third, third]);
    const counted = await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${id}`, {
      token: cleared,
    });
    assert.equal(counted.recordCount, 4);
    assert.equal((await read(id, cleared)).length, 4);
    assert.deepEqual(await read(id, plain), []);
  });
});
