/* Shows: D-replace-needs, D-labels-bind-all, D-replace-record, D-replace-404, D-replace-keeps-label,
   D-relabel, L27, L33, W-update */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Dataset } from '@redoubt/contract';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '01900000-0000-7000-8000-000000000000';
const applyAll = (label: string) => ({ parserClassName: 'apply-label-to-all-records-parser', label });

interface Kept {
  id: string;
  label: string;
  text: string;
}

const replacement = (id: string | undefined, rest: Record<string, unknown>) => ({
  _koverse_record_id: id,
  ...rest,
});

describe('replacing records', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  /** The token of a member who holds both attributes, so nothing in this file is hidden from them. */
  let all: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    all = await fixture.reader('A', 'B');
  });

  /** The records of a dataset in the order of ids: id, label, and the text of the other fields. */
  const kept = async (id: string, token = all): Promise<Kept[]> => {
    const body = JSON.stringify({ datasetId: id, includeInternalFields: true, batchSize: -1 });
    const { records } = bodyOf(200, await fixture.post('/readInSequence', body, { token }));
    return records.map(({ _koverse_record_id, _koverse_security_label, ...rest }) => ({
      id: String(_koverse_record_id),
      label: String(_koverse_security_label),
      text: JSON.stringify(
        Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('_koverse_'))),
      ),
    }));
  };
  /** Creates a dataset of records `{n, label}`, one for each label, and returns their ids. */
  const datasetWith = async (
    labels: readonly string[],
    actions: ('read' | 'write' | 'manage')[] = ['read', 'write'],
  ) => {
    const id = await fixture.dataset(actions);
    const ids: string[] = [];
    for (const [n, label] of labels.entries()) {
      bodyOf(200, await fixture.write(id, [{ n, label }], { labelInfo: labelField }));
    }
    const reader = actions.includes('write') && !actions.includes('read') ? fixture.admin : all;
    for (const record of await kept(id, reader)) ids.push(record.id);
    assert.equal(ids.length, labels.length);
    return { id, ids };
  };
  const schemaOf = async (id: string, token = all) =>
    fixture.call<Record<string, unknown>>(200, 'GET', `/query/schema?datasetId=${id}`, { token });

  test('a record with _koverse_record_id replaces all of that record and keeps its id and position', async () => {
    const { id, ids } = await datasetWith(['', '', '']);
    bodyOf(
      200,
      await fixture.write(id, `[{"_koverse_record_id":"${ids[1]}", "new" : 1.0,"x":null}]`, { token: all }),
    );
    const after = await kept(id);
    assert.deepEqual(
      after.map((record) => record.id),
      ids,
    );
    assert.deepEqual(
      after.map(({ text }) => text),
      ['{"n":0,"label":""}', '{"new":1,"x":null}', '{"n":2,"label":""}'],
    );
    const body = JSON.stringify({ datasetId: id, expression: 'new:1' });
    const found = await fixture.post('/query/lucene', body, { token: all });
    assert.match(found.text, /^\{"records":\[\{"new":1\.0,"x":null\}\],/);
    for (const expression of ['n:1', '_exists_:n AND new:1']) {
      const gone = JSON.stringify({ datasetId: id, expression });
      assert.equal(
        bodyOf(200, await fixture.post('/query/lucene', gone, { token: all })).total,
        0,
        expression,
      );
    }
    assert.deepEqual(Object.keys(await schemaOf(id)), ['label', 'n', 'new', 'x']);
  });

  test('a v2 write of records that were read with internal fields replaces them', async () => {
    const { id, ids } = await datasetWith(['A', 'B']);
    const body = JSON.stringify({ datasetId: id, expression: '*:*' });
    const { records } = bodyOf(
      200,
      await fixture.post('/query/lucene?includeInternalFields=true', body, { token: all }),
    );
    const changed = records.map((record) => ({ ...record, n: 7 }));
    bodyOf(200, await fixture.post(`/v2/write/${id}`, JSON.stringify({ records: changed }), { token: all }));
    assert.deepEqual(await kept(id), [
      { id: ids[0], label: 'A', text: '{"n":7,"label":"A"}' },
      { id: ids[1], label: 'B', text: '{"n":7,"label":"B"}' },
    ]);
  });

  test('without label information a replaced record keeps its label, whatever its fields contain', async () => {
    const { id, ids } = await datasetWith(['A', '']);
    for (const labelInfo of [undefined, null]) {
      const records = [replacement(ids[0], { label: 'B' }), replacement(ids[1], { label: 'A' })];
      bodyOf(
        200,
        await fixture.write(id, records, { token: all, ...(labelInfo === undefined ? {} : { labelInfo }) }),
      );
      assert.deepEqual(
        (await kept(id)).map(({ label }) => label),
        ['A', ''],
      );
    }
    assert.deepEqual((await kept(id, await fixture.reader())).length, 1);
  });

  test('a write that labels a column and replaces a record stores what it sends for that column', async () => {
    const id = await fixture.dataset(['read', 'write', 'manage']);
    bodyOf(200, await fixture.write(id, [{ c: 'old', d: 1 }]));
    const [record] = await kept(id);
    const author = await fixture.reader('A');
    const sent = {
      records: [{ _koverse_record_id: record?.id, c: 'new', d: 2 }],
      columnSecurityLabelInfo: { c: { securityLabel: 'B' } },
    };
    bodyOf(200, await fixture.post(`/v2/write/${id}`, JSON.stringify(sent), { token: author }));
    assert.equal((await kept(id))[0]?.text, '{"c":"new","d":2}');
  });

  test('replacing needs read as well as write', async () => {
    const { id, ids } = await datasetWith([''], ['write']);
    const token = await fixture.reader();
    const response = bodyOf(403, await fixture.write(id, [replacement(ids[0], { n: 5 })], { token }));
    assert.match(response.message, /needs read as well as write/);
    const absent = await fixture.write(id, [replacement(absentId, { n: 5 })], { token });
    assert.deepEqual(bodyOf(403, absent), response);
    bodyOf(200, await fixture.write(id, [{ n: 6 }], { token }));
    const readOnly = await datasetWith([''], ['read']);
    bodyOf(403, await fixture.write(readOnly.id, [replacement(readOnly.ids[0], { n: 5 })], { token }));
    assert.deepEqual(
      (await kept(readOnly.id)).map(({ text }) => text),
      ['{"n":0,"label":""}'],
    );
  });

  test('a hidden and an absent id of a replacement get the same 404, and nothing of the batch is stored', async () => {
    const { id, ids } = await datasetWith(['A', '']);
    const elsewhere = await datasetWith(['']);
    const token = await fixture.reader('B');
    const before = await kept(id);
    const responses = [];
    for (const target of [ids[0], absentId, elsewhere.ids[0]]) {
      const records = [{ n: 'new' }, replacement(ids[1], { n: 'seen' }), replacement(target, { n: 'other' })];
      responses.push(await fixture.write(id, records, { token }));
      assert.deepEqual(await kept(id), before);
      const recordCount = (await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`, { token })).recordCount;
      assert.equal(recordCount, 1);
    }
    const [hidden, ...absent] = responses;
    assert.equal(bodyOf(404, hidden!).name, 'NotFoundError');
    for (const response of absent) assert.equal(response.text, hidden?.text);
    bodyOf(200, await fixture.write(id, [replacement(ids[1], { n: 'seen' })], { token }));
  });

  test('a hidden and an absent id get the same response with label information too', async () => {
    const { id, ids } = await datasetWith(['A'], ['read', 'write', 'manage']);
    const token = await fixture.reader('B');
    const write = (target: string | undefined) =>
      fixture.write(id, [replacement(target, { n: 1 })], { token, labelInfo: applyAll('B') });
    const [hidden, absent] = [await write(ids[0]), await write(absentId)];
    bodyOf(404, hidden);
    assert.equal(absent.text, hidden.text);
    assert.deepEqual(
      (await kept(id)).map(({ label }) => label),
      ['A'],
    );
  });

  test('changing the label of a replaced record needs manage, and keeping it does not', async () => {
    const { id, ids } = await datasetWith(['A&B']);
    const write = (label: string, token = all) =>
      fixture.write(id, [replacement(ids[0], { n: label })], { token, labelInfo: applyAll(label) });
    for (const label of ['A', 'A|B', 'A&B&C']) {
      const { name, message } = bodyOf(403, await write(label));
      assert.equal(name, 'ForbiddenError');
      assert.match(message, /manage/);
    }
    bodyOf(200, await write('b&a'));
    assert.deepEqual(await kept(id), [{ id: ids[0], label: 'A&B', text: '{"n":"b&a"}' }]);
  });

  test('an actor who manages a dataset and satisfies the old label can change it, with immediate effect for readers', async () => {
    const { id, ids } = await datasetWith(['A'], ['read', 'write', 'manage']);
    const [a, b] = [await fixture.reader('A'), await fixture.reader('B')];
    bodyOf(
      200,
      await fixture.write(id, [replacement(ids[0], { n: 1 })], { token: a, labelInfo: applyAll('B') }),
    );
    assert.deepEqual(await kept(id, a), []);
    assert.deepEqual(await schemaOf(id, a), {});
    assert.deepEqual(await kept(id, b), [{ id: ids[0], label: 'B', text: '{"n":1}' }]);
    bodyOf(
      404,
      await fixture.write(id, [replacement(ids[0], { n: 2 })], { token: a, labelInfo: applyAll('A') }),
    );
    const open = { ...labelField, fields: ['none'] };
    bodyOf(200, await fixture.write(id, [replacement(ids[0], { n: 3 })], { token: b, labelInfo: open }));
    assert.deepEqual(await kept(id, await fixture.reader()), [{ id: ids[0], label: '', text: '{"n":3}' }]);
  });

  test('an admin without attributes cannot replace a labelled record, although admins manage all datasets', async () => {
    const { id, ids } = await datasetWith(['A']);
    bodyOf(404, await fixture.write(id, [replacement(ids[0], { n: 1 })]));
    bodyOf(404, await fixture.write(id, [replacement(ids[0], { n: 1 })], { labelInfo: applyAll('B') }));
    assert.equal((await kept(id))[0]?.text, '{"n":0,"label":"A"}');
  });

  test('a duplicate id in a batch is 400 naming the second record, and nothing is stored', async () => {
    const { id, ids } = await datasetWith(['']);
    const before = await kept(id);
    for (const again of [ids[0], ids[0]?.toUpperCase(), absentId]) {
      const first = again === absentId ? absentId : ids[0];
      const records = [{ n: 5 }, replacement(first, { n: 6 }), replacement(again, { n: 7 })];
      const { message } = bodyOf(400, await fixture.write(id, records, { token: all }));
      assert.match(message, /^records\.2 must .*twice/);
    }
    assert.deepEqual(await kept(id), before);
  });

  test('an invalid record id is 400 naming the record, and so are two ids in one record', async () => {
    const { id, ids } = await datasetWith(['']);
    for (const wrong of [5, null, '', 'x', {}, ['a'], `${ids[0]} `, true]) {
      const { message } = bodyOf(
        400,
        await fixture.write(id, [{ n: 1 }, { _koverse_record_id: wrong }], { token: all }),
      );
      assert.match(
        message,
        /^records\.1 must have the id of a record in _koverse_record_id, got /,
        JSON.stringify(wrong),
      );
    }
    const two = `[{"_koverse_record_id":"${absentId}","n":1,"_koverse_record_id":"${ids[0]}"}]`;
    const { message } = bodyOf(400, await fixture.write(id, two, { token: all }));
    assert.match(message, /^records\.0 must have the key _koverse_record_id once, got it twice/);
    assert.equal((await kept(id))[0]?.text, '{"n":0,"label":""}');
  });

  test('replacements and new records of one batch are stored together', async () => {
    const { id, ids } = await datasetWith(['A', 'B', '']);
    const records = [
      { n: 'new 1' },
      replacement(ids[2], { n: 'replaced 2', _koverse_timestamp: 'x', _koverse_security_label: 'A' }),
      { n: 'new 2' },
      replacement(ids[0], { n: 'replaced 0' }),
    ];
    bodyOf(200, await fixture.write(id, records, { token: all }));
    const after = await kept(id);
    assert.deepEqual(after.slice(0, 3), [
      { id: ids[0], label: 'A', text: '{"n":"replaced 0"}' },
      { id: ids[1], label: 'B', text: '{"n":1,"label":"B"}' },
      { id: ids[2], label: '', text: '{"n":"replaced 2"}' },
    ]);
    assert.deepEqual(
      after
        .slice(3)
        .map(({ label, text }) => `${label}${text}`)
        .toSorted(),
      ['{"n":"new 1"}', '{"n":"new 2"}'],
    );
    const recordCount = (await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`, { token: all }))
      .recordCount;
    assert.equal(recordCount, 5);
    const wrong = [replacement(ids[2], { n: 'lost' }), { n: 'lost' }, 'no record'];
    bodyOf(400, await fixture.write(id, wrong, { token: all }));
    assert.deepEqual(await kept(id), after);
  });

  test('replacements in a batch that drops or relabels records are counted by their outcome', async () => {
    const { id, ids } = await datasetWith(['A', 'A'], ['read', 'write', 'manage']);
    const drop = { ...labelField, labelHandlingPolicy: 'drop' };
    const records = [replacement(ids[0], { n: 5 }), replacement(ids[1], { n: 6, label: 'B' })];
    const dropped = bodyOf(200, await fixture.write(id, records, { token: all, labelInfo: drop }));
    assert.equal(dropped.recordsDropped, 1);
    assert.deepEqual(
      (await kept(id)).map(({ label, text }) => label + text),
      ['A{"n":0,"label":"A"}', 'B{"n":6,"label":"B"}'],
    );
  });

  test('a writer who replaces a record sees it in the next request, and a reader in a search', async () => {
    const { id, ids } = await datasetWith(['']);
    for (let turn = 0; turn < 5; turn += 1) {
      bodyOf(200, await fixture.write(id, [replacement(ids[0], { turn: `t${turn}` })], { token: all }));
      const expression = JSON.stringify({ datasetId: id, expression: `t${turn}` });
      assert.equal(bodyOf(200, await fixture.post('/query/lucene', expression, { token: all })).total, 1);
    }
  });
});
