/* Shows: W-values-null, W-values-millis, A-exact-null, A-exact-empty-object, A-exact-key-order,
   A-exact-dotted-keys, A-exact-big-integers, A-exact-dates, A-exact-unicode */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { bodyOf, createRecordFixture, type RecordFixture } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

describe('records come back as they were written', () => {
  let server: SharedServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
  });

  /** Writes these records one by one, so that their order is known, and reads them in both ways. */
  const holds = async (texts: readonly string[], expected = texts): Promise<void> => {
    const id = await fixture.dataset();
    for (const text of texts) bodyOf(200, await fixture.write(id, `[${text}]`));
    const read = await fixture.post(
      '/readInSequence',
      JSON.stringify({ datasetId: id, startingRecordId: '' }),
    );
    const found = await fixture.post(
      '/query/lucene',
      JSON.stringify({ datasetId: id, expression: '*:*', limit: -1 }),
    );
    for (const { status, text } of [read, found]) {
      assert.equal(status, 200, text);
      const list = `{"records":[${expected.join(',')}],"schema":{`;
      assert.equal(text.slice(0, list.length), list);
    }
  };

  test('nulls, empty objects and empty lists come back as written', () =>
    holds([
      '{}',
      '{"a":null}',
      '{"a":{}}',
      '{"a":[]}',
      '{"a":[null,{},[],[[]],{"b":null}]}',
      '{"a":{"b":{"c":{}}},"d":null}',
      '{"":""}',
      '{"":{"":null}}',
    ]));

  test('the order of keys comes back as written', () =>
    holds([
      '{"b":1,"a":2,"c":3}',
      '{"10":1,"9":2,"a":3,"1":4}',
      '{"a":{"z":1,"2":1,"y":[{"b":1,"a":1}],"1":1}}',
    ]));

  test('dotted keys come back as written and are not nested ones', () =>
    holds([
      '{"a.b":1}',
      '{"a":{"b":1}}',
      '{"a.b":1,"a":{"b":2}}',
      '{"a":{"b.c":1},"a.b":{"c":2}}',
      '{".":1,"..":2}',
    ]));

  test('duplicate keys come back as written', () =>
    holds(['{"a":1,"a":2}', '{"a":"x","b":{"c":1,"c":[2]},"a":null}', '{"a":1,"\\u0061":2}']));

  test('numbers come back digit by digit', () => {
    const numbers = [
      '9007199254740993',
      '-9007199254740993',
      '9223372036854775807',
      '9223372036854775808',
      '18446744073709551615',
      '18446744073709551616',
      '12345678901234567890123',
      '-12345678901234567890123',
      '1e400',
      '-1E+400',
      '1e-400',
      '-0',
      '-0.0',
      '0e0',
      '1.0',
      '1.10',
      '100e-2',
      '0.1000000000000000055511151231257827',
      '3.141592653589793238462643383279',
      '1E5',
      '5e-324',
      `1${'0'.repeat(400)}`,
    ];
    return holds([...numbers.map((n) => `{"n":${n}}`), `{"all":[${numbers.join(',')}]}`]);
  });

  test('epoch milliseconds come back as the same numbers', () =>
    holds(['{"t":1700000000000}', '{"t":-1}', '{"t":253402300799999}']));

  test('strings that look like dates come back as written', () =>
    holds(
      [
        '2020-01-02',
        '2020-01-02T03:04:05Z',
        '2020-01-02T03:04:05.123456789+02:30',
        '2020-01-02 03:04:05',
        '0000-01-01',
        '9999-12-31T23:59:59.999Z',
        '2020-02-30',
        '20200102',
        '1/2/2020',
        '1582-10-10T00:00:00Z',
      ].map((text) => `{"d":"${text}","l":["${text}"]}`),
    ));

  test('any Unicode comes back as written, escaped or not', () =>
    holds([
      '{"ü":"é 東京 العربية 🙂 👩‍👩‍👧 \u0301","𝒦":1}',
      '{"a":"\\u00e9\\u0041\\u000a\\n\\t\\"\\\\\\/\\/\\b\\f\\r/"}',
      '{"a":"\\ud83d\\ude42 \\uD83D\\uDE42"}',
      '{"a":"\u2028\u2029\ufeff\ufffe\uffff\u{10ffff}\u007f\u0085"}',
      '{"\ufeff":"\ufeff"}',
      '{"e\u0301":1,"é":2}',
    ]));

  test('lone surrogates and NUL come back as written, in keys and values', () =>
    holds([
      '{"a":"\\ud800"}',
      '{"a":"x\\udc00y\\ud800"}',
      '{"\\ud800":{"\\udfff":"\\ude00\\ud83d"}}',
      '{"a":"\\u0000","\\u0000":"b\\u0000c"}',
      '{"a":["\\ud800","\\u0000",{"\\ud800":1}]}',
      '{"a":"\\u0001\\u0002\\u001f"}',
    ]));

  test('whitespace inside strings stays, and only whitespace outside of them is removed', () =>
    holds(
      [
        '{ "a" : "  x \\t y\\n " ,\n"b  c": [ 1 ,\t2 ] , "d":{ }\r\n}',
        '{"a":"tab\\there","b":"\u00a0\u3000\u2003"}',
        '{"a": "{ \\"b\\" : [ 1 , 2 ] }" }',
      ],
      [
        '{"a":"  x \\t y\\n ","b  c":[1,2],"d":{}}',
        '{"a":"tab\\there","b":"\u00a0\u3000\u2003"}',
        '{"a":"{ \\"b\\" : [ 1 , 2 ] }"}',
      ],
    ));

  test('strings that look like placeholders of the platform or its engine come back as written', () =>
    holds([
      '{"a":"\\\\N","b":"\\\\0","c":"\\\\\\\\"}',
      '{"a":"\\u0001\\u0002 1 \\u0001","__proto__":{"constructor":1}}',
      '{"a":"\'; DROP TABLE x --","b":"{p:String}","c":"FORMAT Null","`":"`"}',
      '{"record_id":1,"label_id":2,"raw":"x","doc":{"raw":1},"words":"w"}',
      '{"SELECT":"%41%","a":"%00"}',
    ]));

  test('a large record comes back whole', async () => {
    const text = `{"text":"${'é\\u00e9x '.repeat(200_000)}","list":[${Array.from({ length: 20_000 }, (_, n) => n).join(',')}]}`;
    await holds([text, '{"a":1}']);
  });

  test('the label of a record changes nothing in its text', async () => {
    const id = await fixture.dataset();
    const text = '{"n":12345678901234567890123,"label":"b&a","z":null,"a":1.0}';
    const labelInfo = { fields: 'label', parserClassName: 'identity-parser', labelHandlingPolicy: 'ignore' };
    bodyOf(200, await fixture.write(id, `[${text}]`, { labelInfo }));
    const body = JSON.stringify({ datasetId: id, expression: '*:*' });
    const found = await fixture.post('/query/lucene', body, { token: await fixture.reader('A', 'B') });
    assert.ok(found.text.startsWith(`{"records":[${text}],`), found.text);
  });
});
