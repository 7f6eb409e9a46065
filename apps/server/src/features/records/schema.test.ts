/* Shows: F-GET-/query/schema-datasetId, F-GET-/query/schema-includeSecurityField,
   F-GET-/query/schema-includeNestedFields, F-GET-/query/schema-includeInternalFields,
   K-includeInternalFields, K-schema-flags, D-field-types, E-RecordBatch-schema, E-Query-datasetId,
   R-flag-spelling, A-schema-learnt */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Dataset } from '@redoubt/contract';
import {
  addMember,
  bodyOf,
  createRecordFixture,
  createWorkspace,
  labelField,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

type Schema = Record<string, { type: string }>;

/** The names and types of a schema, in the order of the response. */
const typesOf = (schema: Schema): string[] =>
  Object.entries(schema).map(([name, { type }]) => `${name} ${type}`);

describe('the schema of a dataset', () => {
  let server: SharedServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
  });

  const schemaOf = async (id: string, flags = '', token = fixture.admin): Promise<string[]> =>
    typesOf(await fixture.call<Schema>(200, 'GET', `/query/schema?datasetId=${id}${flags}`, { token }));
  const datasetWith = async (records: readonly unknown[] | string): Promise<string> => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    return id;
  };

  test('a dataset without records has an empty schema', async () => {
    const id = await fixture.dataset();
    assert.deepEqual(await schemaOf(id), []);
    assert.deepEqual(await schemaOf(id, '&includeNestedFields=true'), []);
  });

  test('the type of a field follows from its values', async () => {
    const id = await datasetWith(
      `[{"whole":1,"large":9223372036854775807,"float":1.5,"beyond":12345678901234567890123,"huge":1e400,
        "yes":true,"text":"a","time":"2020-01-02T03:04:05Z","day":"2020-01-02","list":[1,"a"],"empty":[],
        "object":{"a":1},"none":null,"notime":"2020-13-45"}]`,
    );
    assert.deepEqual(await schemaOf(id), [
      'beyond numeric',
      'day timestamp',
      'empty jsonb',
      'float double precision',
      'huge text',
      'large bigint',
      'list jsonb',
      'none text',
      'notime text',
      'object jsonb',
      'text text',
      'time timestamp',
      'whole bigint',
      'yes boolean',
    ]);
  });

  test('mixed types are text, whole numbers among floats are floats, and nulls have no effect', async () => {
    const id = await datasetWith([
      { number: 1, mixed: 1, some: null, when: '2020-01-02', either: [1], flag: true },
      { number: 1.5, mixed: 'a', some: 5, when: 'soon', either: { a: 1 }, flag: null },
      { mixed: true, either: [] },
    ]);
    assert.deepEqual(await schemaOf(id), [
      'either jsonb',
      'flag boolean',
      'mixed text',
      'number double precision',
      'some bigint',
      'when text',
    ]);
  });

  test('the schema grows as records arrive', async () => {
    const id = await datasetWith([{ a: 1 }]);
    assert.deepEqual(await schemaOf(id), ['a bigint']);
    bodyOf(200, await fixture.write(id, [{ b: true, a: 2.5 }]));
    assert.deepEqual(await schemaOf(id), ['a double precision', 'b boolean']);
    bodyOf(200, await fixture.write(id, [{ a: 'x' }]));
    assert.deepEqual(await schemaOf(id), ['a text', 'b boolean']);
  });

  test('nested fields are added as dotted paths on request, in any spelling of the flag', async () => {
    const id = await datasetWith([{ a: { b: { c: 1 }, d: 'x' }, 'e.f': 1, list: [{ inside: 1 }] }]);
    assert.deepEqual(await schemaOf(id), ['a jsonb', 'e.f bigint', 'list jsonb']);
    const nested = ['a jsonb', 'a.b jsonb', 'a.b.c bigint', 'a.d text', 'e.f bigint', 'list jsonb'];
    for (const spelling of ['true', 'True', 'TRUE']) {
      assert.deepEqual(await schemaOf(id, `&includeNestedFields=${spelling}`), nested);
    }
    for (const spelling of ['false', 'False', 'FALSE']) {
      assert.deepEqual((await schemaOf(id, `&includeNestedFields=${spelling}`)).length, 3);
    }
  });

  test('internal fields and the security label are added on request', async () => {
    const id = await datasetWith([{ a: 1 }]);
    const internal = ['_koverse_dataset_id text', '_koverse_record_id text', '_koverse_timestamp timestamp'];
    assert.deepEqual(await schemaOf(id, '&includeInternalFields=true'), [...internal, 'a bigint']);
    assert.deepEqual(await schemaOf(id, '&includeSecurityField=true'), [
      '_koverse_security_label text',
      'a bigint',
    ]);
    assert.equal((await schemaOf(id, '&includeSecurityField=true&includeInternalFields=true')).length, 5);
  });

  test('each reader gets the fields and types of the records that are visible to them', async () => {
    const id = await datasetWith([
      { n: 1 },
      { n: 'x', onlyA: 1, nested: { onlyA: 1 }, label: 'A' },
      { n: 1.5, both: true, label: 'A&B' },
    ]);
    const of = async (flags: string, ...attributes: string[]) =>
      schemaOf(id, flags, await fixture.reader(...attributes));
    assert.deepEqual(await of(''), ['n bigint']);
    assert.deepEqual(await of('', 'B'), ['n bigint']);
    assert.deepEqual(await of('', 'A'), ['label text', 'n text', 'nested jsonb', 'onlyA bigint']);
    assert.deepEqual(await of('', 'A', 'B'), [
      'both boolean',
      'label text',
      'n text',
      'nested jsonb',
      'onlyA bigint',
    ]);
    assert.deepEqual(await of('&includeNestedFields=true'), ['n bigint']);
    assert.deepEqual(await schemaOf(id), ['n bigint'], 'the admin');
  });

  test('datasets and the responses of searches and reads contain the schema and count of the requester', async () => {
    const id = await datasetWith([{ n: 1 }, { n: 'x', label: 'A' }]);
    for (const [attributes, schema, count] of [
      [[], { n: { type: 'bigint' } }, 1],
      [['A'], { label: { type: 'text' }, n: { type: 'text' } }, 2],
    ] as const) {
      const token = await fixture.reader(...attributes);
      const dataset = await fixture.call<Dataset>(200, 'GET', `/datasets/${id}`, { token });
      assert.deepEqual([dataset.schema, dataset.recordCount], [schema, count]);
      const none = JSON.stringify({ datasetId: id, expression: 'nothing' });
      const found = bodyOf(200, await fixture.post('/query/lucene', none, { token }));
      assert.deepEqual([found.schema, found.total], [schema, 0]);
      const read = bodyOf(
        200,
        await fixture.post('/readInSequence', JSON.stringify({ datasetId: id }), { token }),
      );
      assert.deepEqual([read.schema, read.total], [schema, count]);
    }
  });

  test('a field leaves the schema when the last record that had it is replaced', async () => {
    const id = await datasetWith([{ a: 1, b: 2 }]);
    const body = JSON.stringify({ datasetId: id, includeInternalRecordId: true });
    const [record] = bodyOf(200, await fixture.post('/readInSequence', body)).records;
    bodyOf(200, await fixture.write(id, [{ _koverse_record_id: record?.['_koverse_record_id'], b: 'x' }]));
    assert.deepEqual(await schemaOf(id), ['b text']);
  });

  test('the schema needs read: 403 with write alone, 404 without a grant or from another workspace', async () => {
    const path = async (actions: ('read' | 'write')[]) =>
      `/query/schema?datasetId=${await fixture.dataset(actions)}`;
    await fixture.call(403, 'GET', await path(['write']), { token: await fixture.reader() });
    await fixture.call(404, 'GET', await path(['read']), {
      token: (await addMember(server, fixture.workspace)).token,
    });
    await fixture.call(404, 'GET', await path(['read']), {
      token: (await createWorkspace(server)).admin.token,
    });
    await fixture.call(404, 'GET', '/query/schema?datasetId=nothing');
  });

  test('the schema call accepts only its own parameters', async () => {
    const id = await fixture.dataset();
    for (const query of ['', `?datasetId=${id}&nested=true`, `?datasetId=${id}&includeNestedFields=1`]) {
      await fixture.call(400, 'GET', `/query/schema${query}`);
    }
  });
});
