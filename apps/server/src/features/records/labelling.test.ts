/* Shows: F-POST-/v2/write/{datasetId}-securityLabelInfo, K-label-policy, D-labels-bind-all, D-label-and,
   D-policy-when, D-policy-fault-ignore, D-policy-fault-replace, D-policy-fault-drop, D-replacement-wrong,
   D-write-up, D-tokens-created, D-security-strict, D-exception-tokens, E-SecurityLabelInfo-fields,
   E-SecurityLabelInfo-label, E-SecurityLabelInfo-labelHandlingPolicy, E-SecurityLabelInfo-parserClassName,
   E-SecurityLabelInfo-replacementString, E-WriteResponse-recordsReplaced, E-WriteResponse-recordsDropped,
   X-SecurityError, L27, R-abac-records, R-simple-parser-deprecated, V-labelHandlingPolicy-ignore,
   V-labelHandlingPolicy-replace, V-labelHandlingPolicy-drop, V-labelParser-identity, V-labelParser-simple,
   V-labelParser-apply-label-to-all-records, V-labelParser-capco, W-label-info-null, W-fields-text,
   W-policy-ignore, W-policy-replace, W-policy-drop, W-policy-unparseable, W-policy-counts, W-label-operators,
   W-label-characters, W-label-upper-case, W-new-attributes, A-label-mixed, A-label-empty */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Attribute, AttributeAssignment, Dataset } from '@redoubt/contract';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

describe('labelling records', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  /** A dataset that stays empty, because all writes to it are rejected. */
  let empty: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    empty = await fixture.dataset();
  });

  const count = async (id: string): Promise<number> =>
    (await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`)).recordCount;
  /** The sorted numbers `n` of the records that are visible to a reader with these attributes. */
  const seen = async (id: string, ...attributes: string[]): Promise<number[]> => {
    const { records, total } = await fixture.call<{ records: { n: number }[]; total: number }>(
      200,
      'POST',
      '/query/lucene',
      { token: await fixture.reader(...attributes), body: { datasetId: id, expression: '*:*', limit: -1 } },
    );
    assert.equal(total, records.length);
    return records.map(({ n }) => n).toSorted((a, b) => a - b);
  };
  /** Creates a dataset with these records, and returns the response of the write. */
  const written = async (labelInfo: Record<string, unknown>, records: readonly unknown[] | string) => {
    const id = await fixture.dataset();
    const counts = bodyOf(200, await fixture.write(id, records, { labelInfo }));
    return { id, replaced: counts.recordsReplaced, dropped: counts.recordsDropped };
  };
  const refused = async (
    labelInfo: unknown,
    records: readonly unknown[] | string,
  ): Promise<RecordResponse> => {
    const id = empty;
    const list = typeof records === 'string' ? records : JSON.stringify(records);
    const info = typeof labelInfo === 'string' ? labelInfo : JSON.stringify(labelInfo);
    const response = await fixture.post(`/v2/write/${id}`, `{"records":${list},"securityLabelInfo":${info}}`);
    const error = bodyOf(400, response);
    assert.equal(await count(id), 0, 'something was stored');
    assert.deepEqual(await seen(id, 'A', 'B'), []);
    return error;
  };

  const absentOrEmpty = [{ n: 1 }, { n: 2, label: null }, { n: 3, label: '' }];
  const unreadable = [
    { n: 4, label: 5 },
    { n: 5, label: true },
    { n: 6, label: ['A'] },
    { n: 7, label: { a: 'A' } },
    { n: 8, label: 'A&' },
    { n: 9, label: ' ' },
    { n: 10, label: 'A&B|C' },
  ];
  const readable = { n: 11, label: 'b' };

  test('the identity parser reads an expression from the field and upper-cases its letters', async () => {
    const { id } = await written(labelField, [
      { n: 1, label: 'a' },
      { n: 2, label: 'A&b' },
      { n: 3, label: 'A|(b&C)' },
      { n: 4, label: '((A)|B)&C' },
      { n: 5, label: '' },
    ]);
    assert.deepEqual(await seen(id), [5]);
    assert.deepEqual(await seen(id, 'A'), [1, 3, 5]);
    assert.deepEqual(await seen(id, 'B'), [5]);
    assert.deepEqual(await seen(id, 'A', 'B'), [1, 2, 3, 5]);
    assert.deepEqual(await seen(id, 'B', 'C'), [3, 4, 5]);
    assert.deepEqual(await seen(id, 'A', 'B', 'C'), [1, 2, 3, 4, 5]);
  });

  test('the simple parser takes the whole field as one attribute', async () => {
    const info = { ...labelField, parserClassName: 'simple-parser' };
    const { id } = await written(info, [
      { n: 1, label: 'a' },
      { n: 2, label: 'top:secret/x-1._' },
    ]);
    assert.deepEqual(await seen(id, 'A'), [1]);
    assert.deepEqual(await seen(id, 'TOP:SECRET/X-1._'), [2]);
    for (const label of ['A&B', 'A|B', '(A)', '"A"', 'A B', 'é']) {
      assert.match((await refused(info, [{ n: 1, label }])).message, /^records\.0\.label must be /, label);
    }
  });

  test('the capco parser reads markings in both notations from the field, and every policy works', async () => {
    const marks = [
      { n: 1, label: 'UNCLASSIFIED' },
      { n: 2, label: '(S)' },
      { n: 3, label: 'TOP SECRET//SI//NOFORN' },
      { n: 4, label: '(S//REL TO USA, GBR)' },
    ];
    const info = { ...labelField, parserClassName: 'capco-parser' };
    const { id, replaced, dropped } = await written(info, marks);
    assert.deepEqual([replaced, dropped], [0, 0]);
    assert.deepEqual(await seen(id), []);
    assert.deepEqual(await seen(id, 'CLASS:U', 'REL:USA'), [1]);
    assert.deepEqual(await seen(id, 'CLASS:S', 'REL:GBR'), [1, 2, 4]);
    assert.deepEqual(await seen(id, 'CLASS:TS', 'SCI:SI'), [1, 2]);
    assert.deepEqual(await seen(id, 'CLASS:TS', 'SCI:SI', 'REL:USA'), [1, 2, 3, 4]);

    const unknown = [{ n: 5, label: 'SECRET//MAGIC' }, { n: 6 }];
    assert.match(
      (await refused(info, unknown)).message,
      /^records\.0\.label must .*"MAGIC" is not a known marking/,
    );
    const replacing = { ...info, labelHandlingPolicy: 'replace', replacementString: 'CLASS:TS&SCI:TK' };
    const second = await written(replacing, [...marks, ...unknown]);
    assert.deepEqual([second.replaced, second.dropped], [2, 0]);
    assert.deepEqual(await seen(second.id, 'CLASS:TS', 'SCI:TK'), [1, 2, 5, 6]);
    const third = await written({ ...info, labelHandlingPolicy: 'drop' }, [...marks, ...unknown]);
    assert.deepEqual([third.replaced, third.dropped], [0, 2]);
    assert.deepEqual(await seen(third.id, 'CLASS:TS', 'SCI:SI', 'SCI:TK', 'REL:USA'), [1, 2, 3, 4]);
  });

  test('apply-label-to-all-records gives every record the one label', async () => {
    const info = { parserClassName: 'apply-label-to-all-records-parser', label: 'a&b' };
    const { id, replaced, dropped } = await written(info, [
      { n: 1 },
      { n: 2, label: 'C' },
      { n: 3, label: 5 },
    ]);
    assert.deepEqual([replaced, dropped], [0, 0]);
    assert.deepEqual(await seen(id, 'A'), []);
    assert.deepEqual(await seen(id, 'A', 'B'), [1, 2, 3]);
  });

  test('apply-label-to-all-records without a label, with an invalid one or with fields is rejected', async () => {
    const parserClassName = 'apply-label-to-all-records-parser';
    const wrong = [
      {},
      { label: null },
      { label: '' },
      { label: 'A&' },
      { label: 5 },
      { label: 'A', fields: ['label'] },
    ];
    for (const part of wrong) {
      const { name, message } = await refused({ parserClassName, ...part }, [{ n: 1 }]);
      assert.equal(name, 'SecurityError', JSON.stringify(part));
      assert.match(message, /^securityLabelInfo/);
    }
  });

  test('ignore stores records without a label for everyone, and rejects an invalid label with the index of the record', async () => {
    const { id, replaced, dropped } = await written(labelField, [...absentOrEmpty, readable]);
    assert.deepEqual([replaced, dropped], [0, 0]);
    assert.deepEqual(await seen(id), [1, 2, 3]);
    assert.deepEqual(await seen(id, 'B'), [1, 2, 3, 11]);
    for (const record of unreadable) {
      const { name, message } = await refused(labelField, [readable, record, readable]);
      assert.equal(name, 'SecurityError');
      assert.match(message, /^records\.1\.label must be /, JSON.stringify(record));
    }
  });

  test('replace uses the replacement label for absent, null, empty, invalid and unreadable labels, and counts them', async () => {
    const info = { fields: ['label'], parserClassName: 'identity-parser', replacementString: 'a' };
    for (const policy of [{}, { labelHandlingPolicy: null }, { labelHandlingPolicy: 'replace' }]) {
      const { id, replaced, dropped } = await written({ ...info, ...policy }, [
        ...absentOrEmpty,
        ...unreadable,
        readable,
      ]);
      assert.deepEqual([replaced, dropped], [10, 0]);
      assert.deepEqual(await seen(id), []);
      assert.deepEqual(await seen(id, 'B'), [11]);
      assert.deepEqual(await seen(id, 'A'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  test('drop leaves out records with absent, null, empty, invalid and unreadable labels, and counts them', async () => {
    const { id, replaced, dropped } = await written({ ...labelField, labelHandlingPolicy: 'drop' }, [
      ...absentOrEmpty,
      ...unreadable,
      readable,
    ]);
    assert.deepEqual([replaced, dropped], [0, 10]);
    assert.equal(await count(id), 0);
    assert.deepEqual(await seen(id, 'A', 'B'), [11]);
    const none = await written({ ...labelField, labelHandlingPolicy: 'drop' }, absentOrEmpty);
    assert.equal(none.dropped, 3);
    assert.deepEqual(await seen(none.id, 'A', 'B'), []);
  });

  test('fields is a list or a comma-separated string, and the labels of several fields are all required', async () => {
    const records = [
      { n: 1, x: 'A', y: 'B|C' },
      { n: 2, x: 'A' },
      { n: 3, y: 'B', x: '' },
      { n: 4, x: null },
    ];
    for (const fields of [['x', 'y'], 'x,y', ' x , y ']) {
      const { id } = await written({ ...labelField, fields }, records);
      assert.deepEqual(await seen(id), [4]);
      assert.deepEqual(await seen(id, 'A'), [2, 4]);
      assert.deepEqual(await seen(id, 'B'), [3, 4]);
      assert.deepEqual(await seen(id, 'A', 'C'), [1, 2, 4]);
      const { message } = await refused({ ...labelField, fields }, [records[0], { x: 'A', y: 7 }]);
      assert.match(message, /^records\.1\.y must be a label as a string, got number 7/);
    }
  });

  test('a label field may be a dotted path', async () => {
    const { id } = await written({ ...labelField, fields: 'meta.label' }, [
      { n: 1, meta: { label: 'A' } },
      { n: 2, 'meta.label': 'B' },
      { n: 3, 'meta.label': 'A', meta: { label: 'B' } },
    ]);
    assert.deepEqual(await seen(id), []);
    assert.deepEqual(await seen(id, 'A'), [1]);
    assert.deepEqual(await seen(id, 'B'), [2]);
    assert.deepEqual(await seen(id, 'A', 'B'), [1, 2, 3]);
  });

  test('label information with any invalid part is rejected, and nothing is stored', async () => {
    const right = { ...labelField, labelHandlingPolicy: 'replace', replacementString: 'A' };
    const wrong: unknown[] = [
      {},
      [],
      '5',
      '"A"',
      'true',
      '[]',
      { ...right, extra: 1 },
      { ...right, Fields: ['label'] },
      { ...right, parserClassName: 'unknown-parser' },
      { ...right, parserClassName: 'Identity-Parser' },
      { ...right, parserClassName: '' },
      { ...right, parserClassName: null },
      { ...right, parserClassName: 5 },
      { ...right, parserClassName: 'CAPCO-PARSER' },
      { ...right, parserClassName: 'capco-parser', replacementString: 'SECRET' },
      { ...right, labelHandlingPolicy: 'IGNORE' },
      { ...right, labelHandlingPolicy: 'keep' },
      { ...right, labelHandlingPolicy: '' },
      { ...right, labelHandlingPolicy: 5 },
      { ...right, fields: [] },
      { ...right, fields: null },
      { ...right, fields: '' },
      { ...right, fields: 'label,' },
      { ...right, fields: [''] },
      { ...right, fields: [5] },
      { ...right, fields: { label: true } },
      { ...right, replacementString: undefined },
      { ...right, replacementString: null },
      { ...right, replacementString: '' },
      { ...right, replacementString: 'A&' },
      { ...right, replacementString: 5 },
      { ...right, label: 5 },
    ];
    for (const info of wrong) {
      const { name, message } = await refused(info, [{ n: 1, label: 'A' }]);
      assert.equal(name, 'SecurityError', `${JSON.stringify(info)}: ${message}`);
      assert.match(message, /^securityLabelInfo/);
    }
  });

  test('label information is checked even when there is no record', async () => {
    const { name } = await refused({ ...labelField, parserClassName: 'unknown-parser' }, []);
    assert.equal(name, 'SecurityError');
  });

  test('a duplicate key in the label information is rejected, because one of the two would be ignored', async () => {
    const head = '{"parserClassName":"apply-label-to-all-records-parser"';
    for (const info of [
      `${head},"label":"A","label":"B"}`,
      `${head},"label":"A","\\u006cabel":"B"}`,
      `${head},"label" : "A" , "label" : "A"}`,
      '{"parserClassName":"identity-parser","parserClassName":"simple-parser","fields":"label","labelHandlingPolicy":"drop"}',
    ]) {
      const { name, message } = await refused(info, [{ n: 1, label: 'A' }]);
      assert.equal(name, 'SecurityError', info);
      assert.match(message, /^securityLabelInfo must .*twice/);
    }
  });

  test('a record with a duplicate key is rejected with its index if its label comes from a field', async () => {
    const twice = [
      '{"n":2,"label":"A","label":"B"}',
      '{"n":2,"label":"A","label":""}',
      '{"n":2,"label":"A","label":null}',
      '{"n":2,"label":"A","\\u006cabel":"B"}',
      '{"n":2,"label":"A","x":{"y":1,"y":2}}',
      '{"n":2,"label":"A","x":[{"y":1},{"y":1,"y":2}]}',
      '{"n":2,"label":"A","_koverse_x":1,"label":"B"}',
      '{"n":2,"label":"A","_koverse_x":{"y":1,"y":2}}',
    ];
    const policies = [
      labelField,
      { ...labelField, labelHandlingPolicy: 'drop' },
      { ...labelField, labelHandlingPolicy: 'replace', replacementString: 'C' },
    ];
    for (const info of policies) {
      for (const record of twice) {
        const { name, message } = await refused(info, `[{"n":1,"label":"A"},${record}]`);
        assert.equal(name, 'SecurityError', record);
        assert.match(message, /^records\.1 must .*twice/, record);
      }
    }
  });

  test('a record with a duplicate key is stored as it is if its label comes from no field', async () => {
    const record = '{"n":1,"label":"A","label":"B"}';
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, `[${record}]`));
    const all = { parserClassName: 'apply-label-to-all-records-parser', label: 'A', fields: [] };
    bodyOf(200, await fixture.write(id, `[${record}]`, { labelInfo: all }));
    assert.deepEqual(await seen(id), [1]);
    assert.deepEqual(await seen(id, 'A'), [1, 1]);
  });

  test('the same key in two objects of a record is not a duplicate', async () => {
    const { id } = await written(
      labelField,
      '[{"n":1,"label":"A","a.b":1,"a":{"b":1,"label":"B"},"c":[{"b":1},{"b":"label\\":"}],"b":{"b":{"b":1}}}]',
    );
    assert.deepEqual(await seen(id, 'A'), [1]);
  });

  test('new tokens in a write become attributes of the workspace, held by nobody', async () => {
    const { id } = await written(labelField, [
      { n: 1, label: 'first.seen' },
      { n: 2, label: 'FIRST.SEEN&second-seen' },
    ]);
    const page = await fixture.call<{ data: Attribute[] }>(200, 'GET', '/attributes?$limit=-1');
    const made = page.data.filter(({ token }) => token === 'FIRST.SEEN' || token === 'SECOND-SEEN');
    assert.equal(made.length, 2);
    for (const { id: attributeId } of made) {
      const held = await fixture.call<{ data: AttributeAssignment[] }>(
        200,
        'GET',
        `/attribute-assignments?attributeId=${attributeId}`,
      );
      assert.deepEqual(held.data, []);
    }
    assert.deepEqual(await seen(id), []);
    assert.deepEqual(await seen(id, 'FIRST.SEEN', 'SECOND-SEEN'), [1, 2]);
  });

  test('a rejected write creates no attribute', async () => {
    await refused(labelField, [
      { n: 1, label: 'NEVER.STORED' },
      { n: 2, label: 'NEVER&' },
    ]);
    const page = await fixture.call<{ total: number }>(200, 'GET', '/attributes?token=NEVER.STORED');
    assert.equal(page.total, 0);
  });

  test('writing a label that the writer does not satisfy is allowed, and the record is hidden from the writer', async () => {
    const token = await fixture.reader('B');
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, [{ n: 1, label: 'A&B' }], { labelInfo: labelField, token }));
    assert.deepEqual(await seen(id, 'B'), []);
    assert.deepEqual(await seen(id, 'A', 'B'), [1]);
  });

  test('an admin and the creator of a dataset see no record whose label they do not satisfy', async () => {
    const { id } = await written(labelField, [{ n: 1, label: 'A' }]);
    const body = { datasetId: id, expression: '*:*' };
    const { records, total } = await fixture.call<{ records: unknown[]; total: number }>(
      200,
      'POST',
      '/query/lucene',
      { body },
    );
    assert.deepEqual([records, total], [[], 0]);
    assert.equal(await count(id), 0);
  });
});
