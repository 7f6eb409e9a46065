import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNamed, parseSql } from '@redoubt/query';
import { openTestStore, textOf, type TestStore } from '../testing/test-store.ts';

let fixture: TestStore;
before(async () => {
  fixture = await openTestStore();
});
after(async () => {
  await fixture.close();
});

/** The number of records, and of rows that each statement returns without a limit. */
const most = 12;
const ownLimits = ['', ' LIMIT 0', ' LIMIT 5', ' OFFSET 3', ' LIMIT 4 OFFSET 2', ' LIMIT 5 OFFSET 9'];
const pages = [
  { limit: -1, offset: 0 },
  { limit: 0, offset: 0 },
  { limit: 3, offset: 0 },
  { limit: 3, offset: 2 },
  { limit: 20, offset: 0 },
  { limit: -1, offset: 4 },
  { limit: 2, offset: 6 },
];
/** Statements that return one row for each record. */
const statements = [
  'SELECT n, count(*) AS c FROM ds GROUP BY n ORDER BY n DESC',
  'SELECT n FROM ds WHERE n < 6 UNION ALL SELECT n FROM ds WHERE n > 5 ORDER BY n',
];

test('a page of a statement that has a limit of its own is a page of the rows that this limit leaves', async () => {
  const id = await fixture.dataset();
  await fixture.write(
    id,
    Array.from({ length: most }, (_, n) => ({ n })),
  );
  const visible = await fixture.visible(id);
  const source = { id, name: 'ds', visible, fields: await fixture.store.fields(id, visible) };
  const read = async (statement: string, page: { limit: number; offset: number }) => {
    const { rows, total, progress } = await fixture.store.sql({
      parsed: await parseSql(statement),
      find: (name) => findNamed([source], (known) => known.name, name),
      ...page,
      now: new Date('2024-05-06T07:08:09.123Z'),
    });
    const found = JSON.parse(`[${await textOf(rows)}]`) as unknown[];
    return { rows: found, more: progress.more, total: await total() };
  };
  for (const statement of statements) {
    const all = (await read(statement, { limit: -1, offset: 0 })).rows;
    assert.equal(all.length, most, statement);
    for (const own of ownLimits) {
      const [, count] = /LIMIT (\d+)/.exec(own) ?? [];
      const from = Number(/OFFSET (\d+)/.exec(own)?.[1] ?? 0);
      const left = all.slice(from, count === undefined ? undefined : from + Number(count));
      for (const page of pages) {
        const end = page.limit < 0 ? left.length : page.offset + page.limit;
        assert.deepEqual(
          await read(`${statement}${own}`, page),
          { rows: left.slice(page.offset, end), more: left.length > end, total: left.length },
          `${statement}${own}, ${JSON.stringify(page)}`,
        );
      }
    }
  }
});

test('distinct rows behind an offset are all there, however many blocks they fill', async () => {
  const id = await fixture.dataset();
  const count = 100_000;
  await fixture.write(
    id,
    Array.from({ length: count }, (_, n) => ({ n })),
  );
  const visible = await fixture.visible(id);
  const source = { id, name: 'ds', visible, fields: await fixture.store.fields(id, visible) };
  for (const [statement, offset] of [
    ['SELECT DISTINCT n FROM ds ORDER BY n OFFSET 2', 0],
    ['SELECT DISTINCT n FROM ds', 2],
  ] as const) {
    const { rows, total } = await fixture.store.sql({
      parsed: await parseSql(statement),
      find: (name) => findNamed([source], (known) => known.name, name),
      limit: -1,
      offset,
      now: new Date('2024-05-06T07:08:09.123Z'),
    });
    const found = JSON.parse(`[${await textOf(rows)}]`) as { n: number }[];
    assert.equal(found.length, count - 2, statement);
    assert.ok(
      found.every(({ n }, at) => n === at + 2),
      statement,
    );
    assert.equal(await total(), count - 2 + offset, statement);
  }
});

test('a statement that is aborted before its rows are read leaves no unhandled rejection', async () => {
  const id = await fixture.dataset();
  await fixture.write(id, [{ n: 1 }]);
  const visible = await fixture.visible(id);
  const source = { id, name: 'ds', visible, fields: await fixture.store.fields(id, visible) };
  const client = new AbortController();
  const { rows } = await fixture.store.sql({
    parsed: await parseSql('SELECT sum(n % 7) AS c FROM generate_series(1, 20000000000) AS n'),
    find: (name) => findNamed([source], (known) => known.name, name),
    limit: 10,
    offset: 0,
    countTotal: false,
    now: new Date('2024-05-06T07:08:09.123Z'),
    signal: client.signal,
  });
  client.abort();
  // A server writes to its audit log here. An unhandled rejection would end the process meanwhile.
  await sleep(500);
  await assert.rejects(textOf(rows));
});
