/* Shows: F-POST-/datasets/{id}/rows-filters, F-POST-/datasets/{id}/rows-cells */
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { RowsPage } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
let fixture: RecordFixture;
let reader: string;
before(async () => {
  server = await startServer();
  fixture = await createRecordFixture(server);
  reader = await fixture.reader('EU');
});
after(async () => {
  await server.close();
});

const write = async (datasetId: string, records: readonly unknown[] | string): Promise<void> => {
  bodyOf(200, await fixture.write(datasetId, records, { labelInfo: labelField }));
};

const read = async (datasetId: string, body: object, token = reader): Promise<RowsPage> =>
  fixture.call<RowsPage>(200, 'POST', `/datasets/${datasetId}/rows`, {
    token,
    body: { limit: 500, ...body },
  });

const column = (page: RowsPage, field: string): unknown[] => page.rows.map((row) => row?.cells[field]);

describe('rows of a table', () => {
  test('any page of a sorted and filtered table is exact, and without a sort records are in the order of their ids', async () => {
    const id = await fixture.dataset();
    const values = Array.from({ length: 2500 }, (_, n) => ({
      n,
      group: `g${String(n % 7)}`,
      odd: n % 2 === 1,
    }));
    await write(id, values);
    const query = {
      filters: [{ field: 'group', operator: 'is', values: ['g1', 'g3'] }],
      sort: [
        { field: 'odd', direction: 'descending' },
        { field: 'n', direction: 'ascending' },
      ],
      fields: ['n'],
    };
    const expected = values
      .filter(({ group }) => group === 'g1' || group === 'g3')
      .toSorted((a, b) => Number(b.odd) - Number(a.odd) || a.n - b.n)
      .map(({ n }) => n);
    const first = await read(id, { ...query, limit: 100 });
    assert.equal(first.total, expected.length);
    assert.equal(first.stale, false);
    const found: unknown[] = [];
    for (let offset = 0; offset < first.total; offset += 100) {
      const page = await read(id, { ...query, limit: 100, offset, view: first.view });
      assert.equal(page.view, first.view);
      found.push(...column(page, 'n'));
    }
    assert.deepEqual(found, expected);
    assert.deepEqual((await read(id, { ...query, offset: 9_999_999, view: first.view })).rows, []);
    const plain = await read(id, { limit: 500, offset: 100 });
    const ids = plain.rows.map((row) => row?.id ?? '');
    assert.deepEqual(ids, ids.toSorted());
  });

  test('operators compare by the type of the field, and what a type does not have matches nothing', async () => {
    const id = await fixture.dataset();
    await write(
      id,
      '[{"k":1,"t":"it\'s","f":1.5,"b":true,"at":"2024-01-01T00:00:00Z","o":{"x":1},"long":12345678901234567890123},{"k":2,"t":"","f":-2,"b":false,"at":"2024-01-02","mixed":"a"},{"k":9007199254740993,"t":null,"mixed":3,"q\\"uote":"x"}]',
    );
    const matches = async (
      field: string,
      operator: string,
      ...values: (string | null)[]
    ): Promise<unknown[]> => {
      const sort = [{ field: 'k', direction: 'ascending' }];
      const page = await read(id, { filters: [{ field, operator, values }], sort });
      return page.rows.map((row) => String(row?.cells['k']).slice(0, 3));
    };
    assert.deepEqual(await matches('t', 'is', "it's"), ['1']);
    assert.deepEqual(await matches('t', 'is', ''), ['2']);
    assert.deepEqual(await matches('t', 'is', null), ['900']);
    assert.deepEqual(await matches('t', 'is-not', ''), ['1', '900']);
    assert.deepEqual(await matches('t', 'is-not', '', null), ['1']);
    assert.deepEqual(await matches('k', 'is', '9007199254740993'), ['900']);
    assert.deepEqual(await matches('k', 'is', '9007199254740992'), []);
    assert.deepEqual(await matches('k', 'at-least', '1.5'), ['2', '900']);
    assert.deepEqual(await matches('k', 'less-than', '2'), ['1']);
    assert.deepEqual(await matches('f', 'at-most', '-2.0'), ['2']);
    assert.deepEqual(await matches('b', 'is', 'false'), ['2']);
    assert.deepEqual(await matches('b', 'is', 'maybe'), []);
    assert.deepEqual(await matches('b', 'is-not', 'maybe'), ['1', '2', '900']);
    assert.deepEqual(await matches('at', 'at-least', '2024-01-01T00:00:01Z'), ['2']);
    assert.deepEqual(await matches('at', 'is', '2024-01-01'), ['1']);
    assert.deepEqual(await matches('at', 'is', 'soon'), []);
    assert.deepEqual(await matches('o', 'is', '{"x": 1}'), ['1']);
    assert.deepEqual(await matches('o.x', 'is', '1'), ['1']);
    assert.deepEqual(await matches('long', 'is', '12345678901234567890123'), ['1']);
    assert.deepEqual(await matches('mixed', 'is', '3'), ['900']);
    assert.deepEqual(await matches('t', 'contains', 'IT', 'zz'), ['1']);
    assert.deepEqual(await matches('t', 'contains', '%'), []);
    assert.deepEqual(await matches('q"uote', 'is', 'x'), ['900']);
    assert.deepEqual(await matches('absent', 'is', null), ['1', '2', '900']);
    assert.deepEqual(await matches('absent', 'is-not', 'x'), ['1', '2', '900']);
    assert.deepEqual(await matches('absent', 'is', "x' OR 1=1 --"), []);
    assert.deepEqual(await matches('t', 'is', "x' OR 1=1 --", 'nul\0'), []);
  });

  test('a search narrows the table, with filters and sort', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { n: 1, note: 'runway closed' },
      { n: 2, note: 'runway open' },
      { n: 3, note: 'taxiway closed' },
    ]);
    const sort = [{ field: 'n', direction: 'descending' }];
    assert.deepEqual(column(await read(id, { lucene: 'closed', sort }), 'n'), [3, 1]);
    const filters = [{ field: 'n', operator: 'at-least', values: ['2'] }];
    assert.deepEqual(column(await read(id, { lucene: 'runway OR taxiway', sort, filters }), 'n'), [3, 2]);
    assert.deepEqual(column(await read(id, { lucene: 'nothing:here' }), 'n'), []);
    await fixture.call(400, 'POST', `/datasets/${id}/rows`, {
      body: { lucene: 'n:[', limit: 1 },
      token: reader,
    });
  });

  test('rows have the places that the search matched if the request asks for them, also of fields it does not choose', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { n: 1, note: 'the runway is closed', closed: ['no', 'runway 2'] },
      { n: 2, note: 'open', label: '' },
      { n: 3, note: `runway ${'x'.repeat(300_000)}` },
    ]);
    const sort = [{ field: 'n', direction: 'ascending' }];
    const highlightsOf = async (lucene?: string): Promise<unknown[]> => {
      const body = {
        sort,
        fields: ['n'],
        limit: 100,
        highlight: true,
        ...(lucene !== undefined && { lucene }),
      };
      return (await read(id, body)).rows.map((row) => row?.highlights);
    };
    const nothing = { places: [], complete: true };
    assert.deepEqual(await highlightsOf('runway'), [
      {
        places: [
          { field: 'note', path: ['note'], offset: 4, length: 6 },
          { field: 'closed', path: ['closed', 1], offset: 0, length: 6 },
        ],
        complete: true,
      },
      { places: [], complete: false },
    ]);
    assert.deepEqual((await highlightsOf())[1], nothing);
    assert.deepEqual(
      (await read(id, { sort, lucene: 'runway', limit: 100 })).rows.map((row) => row?.highlights),
      [undefined, undefined],
    );
    const refused = await fixture.call(400, 'POST', `/datasets/${id}/rows`, {
      body: { lucene: 'runway', limit: 101, highlight: true },
      token: reader,
    });
    assert.match(JSON.stringify(refused), /limit must be from 1 to 100 with highlight, got the number 101/);
  });

  test('cells keep exact values, only chosen fields are returned, and long values are cut and named', async () => {
    const id = await fixture.dataset();
    await write(
      id,
      `[{"big":9007199254740993,"f":1.50,"long":"${'é'.repeat(600)}","list":[${'1,'.repeat(400)}1],"e":"","z":null,"no":false,"zero":0}]`,
    );
    const text = (
      await fixture.post(
        `/datasets/${id}/rows`,
        JSON.stringify({ limit: 1, fields: ['big', 'f', 'e', 'z'] }),
        {
          token: reader,
        },
      )
    ).text;
    assert.ok(text.includes('"cells":{"big":9007199254740993,"f":1.50,"e":"","z":null},"cut":[]'), text);
    const [row] = (await read(id, { fields: ['long', 'list'] })).rows;
    assert.deepEqual(row?.cut, ['long', 'list']);
    assert.equal(row?.cells['long'], 'é'.repeat(500));
    assert.equal(row?.cells['list'], `[${'1,'.repeat(250)}`.slice(0, 500));
  });

  test('the cells of a page have at most 8 MB, and values beyond are null and named', async () => {
    const id = await fixture.dataset();
    const fields = Array.from({ length: 100 }, (_, n) => `f${String(n)}`);
    const record = Object.fromEntries(fields.map((field) => [field, 'é'.repeat(500)]));
    await write(
      id,
      Array.from({ length: 100 }, (_, n) => ({ ...record, n })),
    );
    const { rows } = await read(id, { limit: 100 });
    const lost = rows.flatMap((row) => fields.filter((field) => row?.cells[field] === null));
    assert.ok(lost.length > 1000 && lost.length < 3000, String(lost.length));
    assert.deepEqual(
      lost,
      rows.flatMap((row) => row?.cut ?? []),
    );
    assert.deepEqual(
      column({ rows } as RowsPage, 'n').filter((n) => typeof n !== 'number'),
      [],
    );
    const few = await read(id, { limit: 100, fields: ['f0', 'f99'] });
    assert.deepEqual(
      few.rows.flatMap((row) => row?.cut),
      [],
    );
  });

  test('a page whose names of fields alone are too long is refused with advice', async () => {
    const id = await fixture.dataset();
    const named = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`${'x'.repeat(900)}${String(n)}`, 'abcdef']),
    );
    await write(
      id,
      Array.from({ length: 250 }, () => named),
    );
    const { message } = await fixture.call<{ message: string }>(413, 'POST', `/datasets/${id}/rows`, {
      token: reader,
      body: { limit: 500 },
    });
    assert.match(message, /Ask for fewer rows, or name fewer fields/);
    assert.equal((await read(id, { limit: 50 })).rows.length, 50);
  });

  test('a view keeps its order while others write, and only changes that the reader sees make it stale', async () => {
    const id = await fixture.dataset(['read', 'write']);
    await write(id, [
      { n: 1, label: '' },
      { n: 2, label: 'EU' },
      { n: 3, label: '' },
    ]);
    const sort = [{ field: 'n', direction: 'ascending' }];
    const { view, rows } = await read(id, { sort });
    const look = async (token = reader) => read(id, { sort, view }, token);
    await write(id, [{ n: 0, label: 'US' }]);
    assert.equal((await look()).stale, false, 'a hidden record was added');
    await write(id, [{ n: 1.5, label: '' }]);
    const stale = await look();
    assert.deepEqual([stale.stale, stale.view, column(stale, 'n')], [true, view, [1, 2, 3]]);
    const fresh = await read(id, { sort });
    assert.deepEqual([fresh.stale, column(fresh, 'n')], [false, [1, 1.5, 2, 3]]);
    bodyOf(
      200,
      await fixture.write(id, [{ n: 30, _koverse_record_id: rows[2]?.id }], {
        labelInfo: labelField,
        token: reader,
      }),
    );
    const replaced = await read(id, { sort, view: fresh.view });
    assert.deepEqual([replaced.stale, column(replaced, 'n')], [true, [1, 1.5, 2, 30]]);
    await fixture.call(202, 'POST', `/storage/datasets/${id}/deleteRecords`, {
      body: { recordIds: [rows[0]?.id] },
    });
    let deleted = await read(id, { sort, view: fresh.view });
    while (deleted.rows[0] !== null) deleted = await read(id, { sort, view: fresh.view });
    assert.deepEqual([deleted.stale, deleted.rows[0], deleted.total], [true, null, 4]);
  });

  test('a view of another person, dataset or query counts as absent', async () => {
    const id = await fixture.dataset();
    await write(id, [{ n: 2 }, { n: 1 }]);
    const sort = [{ field: 'n', direction: 'ascending' }];
    const { view } = await read(id, { sort });
    const unsorted = await read(id, { view });
    assert.notEqual(unsorted.view, view);
    assert.notEqual((await read(id, { sort, view }, await fixture.reader('US'))).view, view);
    assert.notEqual((await read(await fixture.dataset(), { sort, view })).view, view);
    assert.equal((await read(id, { sort, view })).view, view);
  });

  test('a reader who loses an attribute gets a new view without the records that they no longer see', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { n: 1, label: '' },
      { n: 2, label: 'SEA' },
    ]);
    const person = await fixture.newReader();
    const assignment = await fixture.assign(person.id, 'SEA');
    const { view, total } = await read(id, {}, person.token);
    assert.equal(total, 2);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    const after = await read(id, { view }, person.token);
    assert.deepEqual([after.view === view, after.total, column(after, 'n')], [false, 1, [1]]);
  });

  test('a hidden column neither sorts nor filters, and is not in cells', async () => {
    const id = await fixture.dataset();
    await write(id, [
      { n: 1, secret: 'b' },
      { n: 2, secret: 'a' },
    ]);
    await fixture.call(201, 'PATCH', `/write/schema/${id}`, { body: { secret: { securityLabel: 'US' } } });
    const sort = [{ field: 'secret', direction: 'ascending' }];
    const page = await read(id, { sort });
    const inIdOrder = await read(id, {});
    assert.deepEqual(column(page, 'n'), column(inIdOrder, 'n'));
    assert.deepEqual(column(page, 'secret'), [undefined, undefined]);
    const hidden = { filters: [{ field: 'secret', operator: 'is', values: ['a'] }] };
    assert.deepEqual((await read(id, hidden)).rows, []);
    assert.deepEqual(column(await read(id, { sort }, await fixture.reader('US')), 'n'), [2, 1]);
  });
});
