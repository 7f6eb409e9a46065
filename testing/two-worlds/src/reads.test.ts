/* Shows: D-credentialsSubset, E-Query-credentialsSubset, L4, L6, L7, L8, L9, L28-credentialsSubset,
   R-credentialsSubset-narrows, A-lucene-order */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { as, bodyOf, type Request, type WireResponse } from '@redoubt/testkit/requests';
import { expressions } from './cases/expressions.ts';
import { readPages, schema, search, sequence } from './cases/reading.ts';
import { compareWriteModes } from './cases/write-modes.ts';
import { compareHiddenAndAbsent, expectWhole } from './leak-assertions.ts';
import { batchOf } from './records.ts';
import { runCase } from './run-case.ts';
import type { Scenario } from './scenario.ts';
import { recordCalls, startWorlds, type WorldsFixture } from './worlds-fixture.ts';

const idOf = (record: Record<string, unknown>): string => String(record['_koverse_record_id']);
const internal = { includeInternalFields: true };

describe('reading records in two worlds that differ only in what the requester may not see', () => {
  let worlds: WorldsFixture['worlds'];
  let scenario: Scenario;
  let senderFor: WorldsFixture['senderFor'];
  let close: WorldsFixture['close'];
  before(async () => {
    ({ worlds, scenario, senderFor, close } = await startWorlds());
  });
  after(() => close());

  /** Sends a request to the second world only, as a person who sees more. */
  const peek = (request: Request): Promise<WireResponse> => worlds.hidden('peek', (send) => send(request));

  test('L4: pages follow one another without gaps and end where the visible records end', async () => {
    const send = senderFor('L4');
    const { people, datasets, records } = scenario;
    for (const batchSize of [7, 51, 52, 53]) {
      const pages = await readPages(send, people.reader, datasets.shared, { batchSize, ...internal });
      expectWhole(
        pages.map((page) => page.records.map(idOf)),
        records.shared,
      );
      equal(pages.length, Math.ceil(52 / batchSize));
    }
    const pages: string[][] = [];
    for (let offset = 0; offset < 320; offset += 100) {
      const page = batchOf(
        await send(search(people.reader, datasets.many, '*:*', { offset, limit: 100, ...internal })),
      );
      pages.push(page.records.map(idOf));
    }
    expectWhole(pages, records.many);
    deepEqual(records.many, records.many.toSorted());
  });

  test('L6: search results have records, schema, ids and totals, in the order of ids, and no scores', async () => {
    const send = senderFor('L6');
    const { people, datasets } = scenario;
    for (const expression of ['lodge', 'lodge^5 meadow', 'name:l*']) {
      const response = await send(search(people.reader, datasets.shared, expression, internal));
      deepEqual(Object.keys(bodyOf(response) as object), [
        'records',
        'schema',
        'lastRecordId',
        'more',
        'total',
      ]);
      const ids = batchOf(response).records.map(idOf);
      ok(ids.length > 0);
      deepEqual(ids, ids.toSorted());
    }
  });

  test('L7: fields and types that only hidden records have are in no schema', async () => {
    const send = senderFor('L7');
    const { people, datasets } = scenario;
    const response = await send(schema(people.reader, datasets.shared, { includeNestedFields: true }));
    const fields = bodyOf(response) as Record<string, { type: string }>;
    deepEqual(Object.keys(fields), Object.keys(fields).toSorted());
    for (const hidden of ['secret', 'p1', 'nest', 'nested.hidden', '🦓', 'tags.colour', 'replaced']) {
      equal(fields[hidden], undefined, hidden);
    }
    deepEqual(
      [fields['n']?.type, fields['at']?.type, fields['flag']?.type],
      ['bigint', 'timestamp', 'boolean'],
    );
    deepEqual(bodyOf(await send(schema(people.reader, datasets.empty))), {});
    const seen = bodyOf(await peek(schema(people.insider, datasets.shared))) as Record<
      string,
      { type: string }
    >;
    deepEqual([seen['secret']?.type, seen['n']?.type], ['text', 'text']);
  });

  test('L8: a column that is hidden in records that the reader sees is absent wherever it is named', async () => {
    const send = senderFor('L8');
    const { people, datasets } = scenario;
    const { reader, insider } = people;
    const all = { limit: -1, includeInternalFields: true };
    const found = (await peek(search(insider, datasets.shared, 'hush:7', all))).body;
    ok(found.includes('"hush":7'));
    ok(found.includes('"id":"v3"'));
    for (const [column, value] of [
      ['hush', '7'],
      ['nested.hush', 'zebra'],
      ['nested.deep.hush', 'quagga'],
    ] as const) {
      for (const expression of [`${column}:${value}`, `${column}:*`, `${column}:[* TO *]`, value]) {
        const response = batchOf(await send(search(reader, datasets.shared, expression, all)));
        const absent = batchOf(
          await send(search(reader, datasets.shared, expression.replace(column, 'nowhere'), all)),
        );
        deepEqual(response, absent);
      }
      for (const statement of [
        `SELECT x.${column} FROM t x`,
        `SELECT id FROM t WHERE ${column} IS NOT NULL`,
        `SELECT id FROM t ORDER BY ${column}`,
        `SELECT ${column}, count(*) FROM t GROUP BY ${column}`,
        `SELECT count(*) FROM t a JOIN t b ON a.${column} = b.id`,
      ]) {
        const expression = statement.replaceAll(/\bt\b/g, `"${datasets.shared}"`);
        const response = await send(as(reader).post('/query', { expression, ...all }));
        equal(response.status, 400);
        match(response.body, /does not exist|no column/);
      }
    }
    const read = await send(sequence(reader, datasets.shared, { batchSize: -1 }));
    ok(!read.body.includes('hush'));
    equal(batchOf(read).records.length, 52);
  });

  test('L9: a field that only hidden records have is searched like an absent one, errors included', async () => {
    const send = senderFor('L9');
    const { people, datasets } = scenario;
    const aimed = expressions.filter((expression) => expression.includes('secret'));
    ok(aimed.length > 10);
    for (const expression of [
      ...aimed,
      'secret:/(/',
      'secret:[1 TO',
      'secret:"a',
      'secret:~',
      '_exists_:secret AND',
    ]) {
      await compareHiddenAndAbsent(send, 'secret', 'nobody', (field) =>
        search(people.reader, datasets.shared, expression.replaceAll('secret', field), { limit: -1 }),
      );
    }
  });

  test('L28: credentialsSubset restricts what the caller sees and never adds to it', async () => {
    const send = senderFor('L28');
    const { people, datasets } = scenario;
    const totalWith = async (credentialsSubset: readonly string[] | null): Promise<number> => {
      const found = await send(
        search(people.reader, datasets.shared, '*:*', { credentialsSubset, limit: -1 }),
      );
      const read = await send(sequence(people.reader, datasets.shared, { credentialsSubset }));
      equal(batchOf(read).records.length, batchOf(found).total);
      return batchOf(found).total;
    };
    equal(await totalWith(null), 52);
    equal(await totalWith(['ALPHA', 'BETA', 'SECRET', 'GAMMA', 'H1', 'HELD-BY-NOBODY']), 52);
    equal(await totalWith(['SECRET', 'GAMMA', 'H1']), await totalWith([]));
    equal(await totalWith(['alpha']), await totalWith(['ALPHA', 'SECRET']));
    ok((await totalWith(['ALPHA'])) < 50);
  });

  for (const operationId of recordCalls) {
    test(`two worlds: ${operationId}`, async () => {
      await runCase(operationId, worlds.same, scenario);
    });
  }

  test('L11, L18: files replace and upsert visible records in the same way, whatever hidden records have the same keys', async () => {
    await compareWriteModes(senderFor('write modes'), worlds.hidden, scenario);
  });
});
