/* Shows: F-POST-/query/lucene-includeInternalFields, F-POST-/query/lucene-datasetId,
   F-POST-/query/lucene-expression, F-POST-/query/lucene-limit, F-POST-/query/lucene-offset,
   F-POST-/query/lucene-total, K-page-size, K-no-limit, K-includeInternalFields, D-lucene-datasetId, D-limit,
   D-orderedResults, D-credentialsSubset, D-internal-record-id, D-internal-dataset-id, D-internal-timestamp,
   D-internal-security-label, E-RecordBatch-lastRecordId, E-RecordBatch-more, E-RecordBatch-total,
   E-Query-datasetId, E-Query-expression, E-Query-limit, E-Query-offset, E-Query-credentialsSubset,
   E-Query-orderedResults, E-Query-includeInternalRecordId, X-LuceneParseError, X-MissingIndexError,
   R-status-read, L9, R-abac-records, R-credentialsSubset-narrows, R-query-limit-all, W-percent-expression,
   W-percent-raw, W-percent-lucene, W-booleans, W-internal-id, W-limit-absent, W-limit-all, W-limit-zero,
   W-lucene-term, W-lucene-space, A-lucene-any-field, A-lucene-field, A-lucene-phrase, A-lucene-wildcard,
   A-lucene-regex, A-lucene-range-number, A-lucene-range-date, A-lucene-range-string, A-lucene-exists,
   A-lucene-operators, A-lucene-escape, A-lucene-dotted, A-lucene-array, A-lucene-error, A-lucene-hostile,
   A-lucene-order, A-searchAnyField-off */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import {
  addMember,
  bodyOf,
  createRecordFixture,
  createWorkspace,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

/** The records that the searches run on; `n` identifies the record. */
const people = [
  {
    n: 1,
    name: 'John Smith',
    age: 41,
    city: 'New York',
    born: '1980-05-01',
    tags: ['red', 'green'],
    score: 1.5,
    address: { street: 'Main Street', 'zip.code': '10001' },
    active: true,
  },
  {
    n: 2,
    name: 'john doe',
    age: 18,
    city: 'York',
    born: '2003-02-28T23:59:59Z',
    tags: ['blue'],
    score: -2,
    address: { street: 'Side Street' },
    active: false,
  },
  {
    n: 3,
    name: 'Jane Smithers',
    age: 65,
    city: 'Berlin',
    born: '1959-12-31',
    tags: [],
    score: 100,
    note: null,
  },
  { n: 4, name: 'JOHN', age: 9007199254740992, city: 'São Paulo', tags: ['red', 'blue'], id: 'nm0000001' },
  {
    n: 5,
    name: 'Ünïcode (test) a:b',
    path: 'C:\\temp',
    email: 'x.y@example.org',
    big: 1.2345678901234568e22,
  },
  {
    n: 6,
    items: [
      { kind: 'apple', count: 3 },
      { kind: 'pear', count: 12 },
    ],
    name: 'box',
  },
  { n: 7, name: '', status: 'unknown', empty: {} },
] as const;

const hasWord = (text: string | undefined, word: string): boolean =>
  (text ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .includes(word);

/** Encodes an expression as the Python connector does. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const johnIn = (datasetId: string): string => JSON.stringify({ datasetId, expression: 'john' });

const sorted = (list: readonly unknown[]): string[] => list.map((each) => JSON.stringify(each)).toSorted();

describe('searching records', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let id: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    id = await fixture.dataset();
    const text = JSON.stringify(people)
      .replace('1.2345678901234568e+22', '12345678901234567890123')
      .replace('9007199254740992', '9007199254740993');
    bodyOf(200, await fixture.write(id, text));
  });

  const search = async (
    body: Record<string, unknown>,
    token = fixture.admin,
    query = '',
  ): Promise<RecordResponse> =>
    bodyOf(200, await fixture.post(`/query/lucene${query}`, JSON.stringify(body), { token }));
  /** The numbers of the people that match an expression. */
  const found = async (expression: string, rest: Record<string, unknown> = {}): Promise<number[]> => {
    const { records, total, more } = await search({ datasetId: id, expression, limit: -1, ...rest });
    assert.deepEqual([total, more], [records.length, false]);
    return records.map(({ n }) => n as number).toSorted((a, b) => a - b);
  };
  const finds = async (cases: Record<string, number[]>): Promise<void> => {
    for (const [expression, expected] of Object.entries(cases)) {
      assert.deepEqual(await found(expression), expected, expression);
    }
  };
  const refused = async (expression: string): Promise<RecordResponse> => {
    const response = bodyOf(
      400,
      await fixture.post('/query/lucene', JSON.stringify({ datasetId: id, expression })),
    );
    assert.equal(response.name, 'LuceneParseError', expression);
    return response;
  };

  test('a term without a field finds whole words of any field, in any case', () =>
    finds({
      john: [1, 2, 4],
      JOHN: [1, 2, 4],
      Smith: [1],
      york: [1, 2],
      red: [1, 4],
      main: [1],
      apple: [6],
      '41': [1],
      true: [1],
      nm0000001: [4],
      ünïcode: [5],
      joh: [],
      name: [],
      null: [],
    }));

  test('a term on a field finds whole words of that field, and numbers that are equal', () =>
    finds({
      'name:john': [1, 2, 4],
      'name: John': [1, 2, 4],
      'city:york': [1, 2],
      'name:york': [],
      'age:41': [1],
      'age:41.0': [1],
      'age:4': [],
      'score:1.5': [1],
      'score:-2': [2],
      'active:true': [1],
      'age:9007199254740993': [4],
      'age:9007199254740992': [],
      'big:12345678901234567890123': [5],
      'big:12345678901234567890124': [],
      'Name:john': [],
      'none:john': [],
    }));

  test('a phrase finds its words in order in one value', () =>
    finds({
      '"john smith"': [1],
      '"smith john"': [],
      'name:"JOHN DOE"': [2],
      'city:"new york"': [1],
      '"red green"': [],
      '"smith 41"': [],
      'email:"x.y@example.org"': [5],
      'name:""': [7],
    }));

  test('wildcards match any characters or exactly one, within words and values', () =>
    finds({
      'smith*': [1, 3],
      'jo?n': [1, 2, 4],
      'name:j*': [1, 2, 3, 4],
      'name:*ane*': [3],
      '*000001': [4],
      'name:john?smith': [1],
      'city:?ork': [1, 2],
      'name:j': [],
    }));

  test('a regular expression matches whole words or whole values', () =>
    finds({
      '/smith(ers)?/': [1, 3],
      'name:/j(oh|a)n.?/': [1, 2, 3, 4],
      'name:/john (smith|doe)/': [1, 2],
      'id:/nm[0-9]{7}/': [4],
      'name:/joh/': [],
    }));

  test('a regular expression that backtracks catastrophically in other engines succeeds, and unsupported constructs are rejected', async () => {
    const target = await fixture.dataset();
    bodyOf(200, await fixture.write(target, [{ a: 'a'.repeat(5000) }]));
    const body = { datasetId: target, expression: 'a:/(a*)*(a|aa)+b/' };
    assert.equal((await search(body)).total, 0);
    for (const wrong of ['/(?=a)b/', '/a(/', '/[a/', '/(a)\\1/', '/a{5000}/', '/a']) await refused(wrong);
  });

  test('ranges over numbers are open or closed at either end, and exact beyond 2^53', () =>
    finds({
      'age:[18 TO 41]': [1, 2],
      'age:{18 TO 41}': [],
      'age:{18 TO 41]': [1],
      'age:[18 TO 41}': [2],
      'age:[42 TO *]': [3, 4],
      'age:[* TO 18]': [2],
      'age:{* TO 18}': [],
      'age:>41': [3, 4],
      'age:>=41': [1, 3, 4],
      'age:<18': [],
      'age:<=18': [2],
      'score:[-2 TO 1.5]': [1, 2],
      'score:[-10 TO 0}': [2],
      'age:[9007199254740993 TO 9007199254740993]': [4],
      'age:[9007199254740994 TO *]': [],
      'big:[12345678901234567890123 TO *]': [5],
      'big:{12345678901234567890123 TO *]': [],
      'age:[41 TO 18]': [],
    }));

  test('ranges over dates are open or closed, and a day, month or year covers its whole length', () =>
    finds({
      'born:[1980-05-01 TO 1980-05-01]': [1],
      'born:{1980-05-01 TO *]': [2],
      'born:[1980 TO 2003-02]': [1, 2],
      'born:[1959 TO 1980}': [3],
      'born:[* TO 1979-12-31]': [3],
      'born:[2003-02-28T23:59:59Z TO *]': [2],
      'born:{2003-02-28T23:59:59Z TO *]': [],
      'born:["2003-03-01T01:59:59+02:00" TO "2003-03-01T01:59:59+02:00"]': [2],
      'born:<1960': [3],
    }));

  test('ranges over strings are open or closed, in the order of code points', () =>
    finds({
      'city:[Berlin TO "New York"]': [1, 3],
      'city:{Berlin TO "New York"}': [],
      'city:{Berlin TO *]': [1, 2, 4],
      'city:[* TO Berlin]': [3],
      'city:>="São Paulo"': [2, 4],
      'status:[unknown TO unknown]': [7],
    }));

  test('_exists_ finds records where the field has a value other than null', () =>
    finds({
      '_exists_:tags': [1, 2, 3, 4],
      '_exists_:note': [],
      '_exists_:address.street': [1, 2],
      '_exists_:empty': [7],
      '_exists_:nothing': [],
      'city:*': [1, 2, 3, 4],
      'NOT _exists_:name': [],
      'NOT _exists_:age': [5, 6, 7],
    }));

  test('AND, OR, NOT, +, -, ! and groups have the precedence of the classic parser', () =>
    finds({
      'john york': [1, 2, 4],
      'john OR berlin': [1, 2, 3, 4],
      'john AND york': [1, 2],
      'john && york': [1, 2],
      'jane || doe': [2, 3],
      'john AND NOT york': [4],
      'john -york': [4],
      'john !york': [4],
      '+john +smith': [1],
      '+john smith': [1, 2, 4],
      'john +smith': [1],
      'berlin OR john AND york': [1, 2],
      'berlin AND jane OR john': [3],
      '(berlin OR john) AND york': [1, 2],
      'berlin OR (john AND york)': [1, 2, 3],
      'name:(john OR jane) -smith': [2, 3, 4],
      'name:(+john -smith)': [2, 4],
      'NOT john': [3, 5, 6, 7],
      '-john -box': [3, 5, 7],
      '((john)) AND (NOT (doe OR smith))': [4],
      'john and york': [1, 2, 4],
      '*:* -john': [3, 5, 6, 7],
      'john^2 york': [1, 2, 4],
    }));

  test('a backslash or quotes make special characters literal', () =>
    finds({
      'name:a\\:b': [5],
      'name:\\(test\\)': [5],
      'name:"(test)"': [5],
      'name:Ünïcode\\ \\(test\\)*': [5],
      'path:C\\:\\\\temp': [5],
      'address.zip.code:10001': [1],
      '\\AND': [],
      '"AND"': [],
      'j\\*': [],
    }));

  test('dotted paths name nested fields and dotted keys, and arrays match if one element does', () =>
    finds({
      'address.street:main': [1],
      'address.street:"side street"': [2],
      'address:main': [],
      'tags:blue': [2, 4],
      'tags:(red AND blue)': [4],
      'items.kind:pear': [6],
      'items.count:[10 TO *]': [6],
      'items.count:[4 TO 11]': [],
      'items.count:3': [6],
      'NOT tags:red': [2, 3, 5, 6, 7],
    }));

  test('an expression that an existing client percent-encoded is decoded, and a raw one is not', async () => {
    await finds({
      [encode('name:"john smith"')]: [1],
      [encode('age:[18 TO 41]')]: [1, 2],
      [encode('Ünïcode')]: [5],
      [encode('*:*')]: [1, 2, 3, 4, 5, 6, 7],
      'name%3A%20john': [1, 2, 4],
    });
    const percents = await fixture.dataset();
    bodyOf(
      200,
      await fixture.write(percents, [
        { n: 1, a: '%41%' },
        { n: 2, a: 'A' },
        { n: 3, a: 'ab' },
      ]),
    );
    const of = async (expression: string) => found(expression, { datasetId: percents });
    assert.deepEqual(await of('%61b'), [3]);
    assert.deepEqual(await of('a:"%41%"'), [1]);
    assert.deepEqual(await of('a:%41%'), [1]);
    assert.deepEqual(await of('a:%ab%'), [3]);
    assert.deepEqual(await of('%FF'), []);
  });

  test('an error is 400 LuceneParseError with the position and what was expected there', async () => {
    const cases: [string, RegExp][] = [
      ['', /^At character 1, found the end: expected a word, a phrase, a field or a group/],
      ['  ', /^At character 3, found the end: /],
      ['name:', /^At character 6, found the end: expected a value for the field "name"/],
      ['(john', /^At character 1, .*closing \)/],
      ['john)', /^At character 5, .*\(/],
      ['"john', /^At character \d, .*"/],
      ['age:[1 TO', /^At character \d+, .*/],
      ['age:[1 5]', /^At character 8, found "5\]": expected TO/],
      ['john AND', /^At character 9, found the end: /],
      ['AND john', /^At character 1, found "AND john": /],
      ['🙂🙂 name:(', /^At character 10, /],
      ['john~', /^At character 5, found "~": expected no ~/],
      ['na*e:john', /^At character 1, .*without wildcards/],
      ['john\\', /^At character \d, /],
    ];
    for (const [expression, expected] of cases) {
      assert.match((await refused(expression)).message, expected, expression);
    }
  });

  test('hostile expressions are rejected or succeed, and never cause a server error', async () => {
    const hostile = [
      '('.repeat(10_000),
      `${'('.repeat(200)}a${')'.repeat(200)}`,
      'a '.repeat(50_000),
      `"${'a '.repeat(5000)}"`,
      '*'.repeat(1000),
      `name:${'*a'.repeat(2000)}`,
      `/${'(a|b)*'.repeat(500)}/`,
      'name:\u0000',
      'name:"\ud800"',
      '\udc00',
      "name:'; DROP TABLE x; --",
      'name:{p:String}',
      'a`b:`c`',
      'a\\`b:c',
    ];
    for (const expression of hostile) {
      const { status, text } = await fixture.post(
        '/query/lucene',
        JSON.stringify({ datasetId: id, expression }),
      );
      assert.ok(status === 200 || status === 400, `${expression.slice(0, 30)}: ${text.slice(0, 200)}`);
      if (status === 400) assert.equal((JSON.parse(text) as RecordResponse).name, 'LuceneParseError');
    }
  });

  test('limit is 10 by default and for 0, -1 means all, and total and more cover the rest', async () => {
    const target = await fixture.dataset();
    for (let batch = 0; batch < 3; batch += 1) {
      bodyOf(
        200,
        await fixture.write(
          target,
          Array.from({ length: 5 }, (_, n) => ({ n: batch * 5 + n })),
        ),
      );
    }
    const page = async (rest: Record<string, unknown>) => {
      const { records, total, more, lastRecordId } = await search({
        datasetId: target,
        expression: '*:*',
        ...rest,
      });
      assert.equal(lastRecordId === null, records.length === 0);
      return [records.length, total, more];
    };
    for (const limit of [{}, { limit: 0 }, { limit: 10 }])
      assert.deepEqual(await page(limit), [10, 15, true]);
    assert.deepEqual(await page({ limit: -1 }), [15, 15, false]);
    assert.deepEqual(await page({ limit: 15 }), [15, 15, false]);
    assert.deepEqual(await page({ limit: 14 }), [14, 15, true]);
    assert.deepEqual(await page({ offset: 10 }), [5, 15, false]);
    assert.deepEqual(await page({ offset: 4 }), [10, 15, true]);
    assert.deepEqual(await page({ offset: 5 }), [10, 15, false]);
    assert.deepEqual(await page({ offset: 15 }), [0, 15, false]);
    assert.deepEqual(await page({ offset: 100, limit: -1 }), [0, 15, false]);
    const all = (await search({ datasetId: target, expression: '*:*', limit: -1 })).records;
    const pages = [];
    for (let offset = 0; offset < 15; offset += 4) {
      pages.push(...(await search({ datasetId: target, expression: '*:*', limit: 4, offset })).records);
    }
    assert.deepEqual(pages, all);
  });

  test('lastRecordId is the id of the last record, and rows come in the order of ids, with or without internal fields', async () => {
    for (const rest of [{}, { orderedResults: true }, { orderedResults: false }]) {
      const { records, lastRecordId } = await search({
        datasetId: id,
        expression: 'john OR jane',
        includeInternalRecordId: true,
        ...rest,
      });
      const ids = records.map((record) => String(record['_koverse_record_id']));
      assert.equal(ids.length, 4);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(lastRecordId, ids.at(-1));
    }
  });

  test('internal fields are added on request, in the body or the query string, and not otherwise', async () => {
    const target = await fixture.dataset();
    bodyOf(200, await fixture.write(target, [{ a: 1, label: 'b&a' }], { labelInfo: labelField }));
    bodyOf(200, await fixture.write(target, '[{}]'));
    const token = await fixture.reader('A', 'B');
    const body = { datasetId: target, expression: '*:*' };
    const plain = await search(body, token);
    assert.deepEqual(plain.records, [{ a: 1, label: 'b&a' }, {}]);
    const spellings = ['true', 'True', 'TRUE'].map((value) => `?includeInternalFields=${value}`);
    for (const [rest, query] of [
      [{ includeInternalFields: true }, ''],
      ...spellings.map((text) => [{}, text]),
    ] as [object, string][]) {
      const [first, second] = (await search({ ...body, ...rest }, token, query)).records;
      assert.deepEqual(Object.keys(first ?? {}), [
        'a',
        'label',
        '_koverse_record_id',
        '_koverse_dataset_id',
        '_koverse_timestamp',
        '_koverse_security_label',
      ]);
      assert.equal(first?.['_koverse_dataset_id'], target);
      assert.equal(first?.['_koverse_security_label'], 'A&B');
      assert.match(String(first?.['_koverse_timestamp']), /^2026-01-01T\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.match(
        String(first?.['_koverse_record_id']),
        /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
      assert.equal(second?.['_koverse_security_label'], '');
    }
    for (const query of ['', '?includeInternalFields=false', '?includeInternalFields=FALSE']) {
      assert.deepEqual((await search(body, token, query)).records, plain.records);
    }
    const withId = (await search({ ...body, includeInternalRecordId: true }, token)).records;
    assert.deepEqual(Object.keys(withId[0] ?? {}), ['a', 'label', '_koverse_record_id']);
    const wrong = await fixture.post('/query/lucene?includeInternalFields=1', JSON.stringify(body), {
      token,
    });
    bodyOf(400, wrong);
  });

  test('credentialsSubset limits the search to the listed tokens among those held, and never adds one', async () => {
    const target = await fixture.dataset();
    const labels = ['', 'A', 'B', 'A&B', 'A|C', 'C'];
    const records = labels.map((label, n) => ({ n, label }));
    bodyOf(200, await fixture.write(target, records, { labelInfo: labelField }));
    const token = await fixture.reader('A', 'B');
    const seen = async (subset?: unknown, path = '/query/lucene'): Promise<number[]> => {
      const body = {
        datasetId: target,
        ...(path === '/query/lucene' ? { expression: '*:*' } : {}),
        ...(subset === undefined ? {} : { credentialsSubset: subset }),
      };
      const response = bodyOf(200, await fixture.post(path, JSON.stringify(body), { token }));
      assert.equal(response.total, response.records.length);
      assert.equal('label' in response.schema, true);
      return response.records.map(({ n }) => n as number).toSorted((a, b) => a - b);
    };
    for (const path of ['/query/lucene', '/readInSequence']) {
      assert.deepEqual(await seen(undefined, path), [0, 1, 2, 3, 4]);
      assert.deepEqual(await seen(null, path), [0, 1, 2, 3, 4]);
      assert.deepEqual(await seen([], path), [0]);
      assert.deepEqual(await seen(['A'], path), [0, 1, 4]);
      assert.deepEqual(await seen(['a'], path), [0, 1, 4]);
      assert.deepEqual(await seen(['B'], path), [0, 2]);
      assert.deepEqual(await seen(['A', 'B'], path), [0, 1, 2, 3, 4]);
      assert.deepEqual(await seen(['C'], path), [0]);
      assert.deepEqual(await seen(['A', 'C', 'UNKNOWN', ''], path), [0, 1, 4]);
    }
    for (const wrong of ['A', [5], {}, [null]]) {
      const body = JSON.stringify({ datasetId: target, expression: '*:*', credentialsSubset: wrong });
      bodyOf(400, await fixture.post('/query/lucene', body, { token }));
    }
  });

  test('a search accepts only its own keys, with the right types', async () => {
    assert.equal((await search({ datasetId: id, expression: 'john', searchId: 'mine' })).total, 3);
    assert.equal((await search({ datasetId: id, expression: 'john', searchId: null })).total, 3);
    const right = { datasetId: id, expression: 'john' };
    const wrong: unknown[] = [
      { ...right, size: 5 },
      { ...right, Limit: 5 },
      { ...right, limit: -2 },
      { ...right, limit: 1.5 },
      { ...right, limit: '5' },
      { ...right, offset: -1 },
      { ...right, offset: '0' },
      { ...right, orderedResults: 'yes' },
      { ...right, includeInternalFields: 'true' },
      { ...right, expression: 5 },
      { ...right, expression: null },
      { datasetId: id },
      { expression: 'john' },
      { ...right, searchId: 5 },
      [],
      null,
      'john',
    ];
    for (const body of wrong) {
      const { name } = bodyOf(400, await fixture.post('/query/lucene', JSON.stringify(body)));
      assert.equal(name, 'BadRequestError', JSON.stringify(body));
    }
    bodyOf(400, await fixture.post('/query/lucene', ''));
    bodyOf(400, await fixture.post('/query/lucene', '{"datasetId":'));
    bodyOf(400, await fixture.post('/query/lucene?limit=5', JSON.stringify(right)));
  });

  test('searching needs read: 403 with write alone, and the same 404 for hidden, foreign and absent datasets', async () => {
    const writable = await fixture.dataset(['write']);
    bodyOf(403, await fixture.post('/query/lucene', johnIn(writable), { token: await fixture.reader() }));
    const stranger = (await addMember(server, fixture.workspace)).token;
    const foreigner = (await createWorkspace(server)).admin.token;
    const absent = '00000000-0000-4000-8000-000000000000';
    for (const token of [stranger, foreigner]) {
      const hidden = await fixture.post('/query/lucene', johnIn(id), { token });
      bodyOf(404, hidden);
      const none = await fixture.post('/query/lucene', johnIn(absent), { token });
      assert.equal(none.text, hidden.text.replaceAll(id, absent));
    }
    bodyOf(404, await fixture.post('/query/lucene', johnIn('nothing')));
  });

  test('if searching any field is off, a term without a field is 400 MissingIndexError', async () => {
    const target = await fixture.dataset(['read'], { searchAnyField: false });
    bodyOf(200, await fixture.write(target, [{ name: 'John', age: 5 }]));
    const post = (expression: string) =>
      fixture.post('/query/lucene', JSON.stringify({ datasetId: target, expression }));
    for (const expression of [
      'john',
      'name:john OR john',
      '"john"',
      'jo*',
      '/john/',
      'name:john -(5)',
      '+john',
    ]) {
      const { name, message } = bodyOf(400, await post(expression));
      assert.equal(name, 'MissingIndexError', expression);
      assert.match(message, /no field at character \d+/);
    }
    for (const expression of ['name:john', 'name:(john OR jane)', '*:*', '_exists_:age AND age:[1 TO 9]']) {
      assert.equal(bodyOf(200, await post(expression)).total, 1, expression);
    }
    await fixture.call(200, 'PATCH', `/datasets/${target}`, { body: { searchAnyField: true } });
    assert.equal(bodyOf(200, await post('john')).total, 1);
  });

  test('the content of a hidden record changes no result of a search and no error', async () => {
    const records = [{ n: 1, v: '5', label: '' }];
    const hidden = [
      { n: 'x', v: 5, label: 'A' },
      { v: { deep: [1e300] }, label: 'A' },
      { v: ['5', 5, 'x'.repeat(100_000)], 'v.deep': null, label: 'A' },
    ];
    const [small, large] = [await fixture.dataset(), await fixture.dataset()];
    bodyOf(200, await fixture.write(small, records, { labelInfo: labelField }));
    bodyOf(200, await fixture.write(large, [...records, ...hidden], { labelInfo: labelField }));
    const token = await fixture.reader('B');
    for (const expression of [
      '*:*',
      'v:5',
      'v:[1 TO 9]',
      'v:["1" TO "9"]',
      'NOT v:x',
      '_exists_:v.deep',
      'NOT _exists_:v.deep',
      'v.deep:[* TO *]',
      'v:/.*/',
      'v:*5*',
      'x*',
      'v:(',
    ]) {
      const of = async (datasetId: string) => {
        const { status, text } = await fixture.post(
          '/query/lucene',
          JSON.stringify({ datasetId, expression, limit: -1 }),
          { token },
        );
        return [status, text.replace(/"lastRecordId":"[^"]*"/, '')];
      };
      assert.deepEqual(await of(large), await of(small), expression);
    }
  });

  test('two people who search navigation aids labelled by region each get their own correct results', async () => {
    const examples = join(import.meta.dirname, '../../../../../examples');
    const rowsOf = async (file: string) =>
      parse<Record<string, string>>(await readFile(join(examples, file), 'utf8'), { columns: true });
    const [countries, rows] = [await rowsOf('countries.csv'), await rowsOf('navaids.csv')];
    const continents = new Map(countries.map(({ code, continent }) => [code, continent]));
    const aids = rows.map((row) => ({
      ident: row['ident'],
      name: row['name'],
      type: row['type'],
      elevation: row['elevation_ft'] === '' ? null : Number(row['elevation_ft']),
      region: `REGION:${continents.get(row['iso_country']) ?? 'NONE'}`,
    }));
    assert.ok(aids.length > 10_000);
    const navaids = await fixture.dataset();
    const labelInfo = { ...labelField, fields: 'region' };
    for (let from = 0; from < aids.length; from += 5000) {
      bodyOf(200, await fixture.write(navaids, aids.slice(from, from + 5000), { labelInfo }));
    }
    const readers = [['REGION:EU', 'REGION:AF'], ['REGION:NA', 'REGION:SA'], []];
    const searches: [string, (aid: (typeof aids)[number]) => boolean][] = [
      ['*:*', () => true],
      ['type:VOR', ({ type }) => hasWord(type, 'vor')],
      [
        'elevation:[3000 TO *] AND type:NDB',
        ({ elevation, type }) => elevation !== null && elevation >= 3000 && hasWord(type, 'ndb'),
      ],
      ['name:san OR name:saint', ({ name }) => hasWord(name, 'san') || hasWord(name, 'saint')],
      ['NOT _exists_:elevation', ({ elevation }) => elevation === null],
      ['region:EU', ({ region }) => region === 'REGION:EU'],
    ];
    for (const [expression, matches] of searches) {
      const results = new Set<string>();
      for (const held of readers) {
        const token = await fixture.reader(...held);
        const expected = aids.filter((aid) => held.includes(aid.region) && matches(aid));
        const { records, total } = await search({ datasetId: navaids, expression, limit: -1 }, token);
        assert.equal(total, expected.length, `${expression} of ${held.join()}`);
        assert.deepEqual(sorted(records), sorted(expected));
        results.add(JSON.stringify(sorted(records)));
      }
      assert.equal(results.size, expression === 'region:EU' ? 2 : 3, expression);
    }
  });
});
