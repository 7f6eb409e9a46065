/* Shows: F-POST-/query/lucene-highlight, L6 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { bodyOf, createRecordFixture, labelField, type RecordFixture } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

interface Place {
  field: string;
  path: (number | string)[];
  offset: number;
  length: number;
}
interface Highlights {
  places: Place[];
  complete: boolean;
}
interface Found {
  records: Record<string, unknown>[];
  highlights?: Highlights[];
}

const parse = ({ status, text }: { status: number; text: string }): unknown => {
  assert.equal(status, 200, text);
  return JSON.parse(text);
};

/** The highlighted texts of each record, each after its path. */
const marked = ({ records, highlights = [] }: Found): string[][] =>
  records.map((record, index) =>
    (highlights[index]?.places ?? []).map(({ path, offset, length }) => {
      const value = path.reduce<unknown>(
        (inner, key) => (inner as Record<number | string, unknown>)[key],
        record,
      );
      return `${path.join('/')}=${String(value).slice(offset, offset + length)}`;
    }),
  );

const messageOf = ({ status, text }: { status: number; text: string }): unknown => {
  assert.equal(status, 400, text);
  return (JSON.parse(text) as { message: string }).message;
};

describe('highlights of searches', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
  });

  const make = async (records: readonly unknown[]): Promise<string> => {
    const id = await fixture.dataset();
    bodyOf(200, await fixture.write(id, records));
    return id;
  };
  const search = async (datasetId: string, expression: string, rest: object = {}): Promise<Found> => {
    const body = JSON.stringify({ datasetId, expression, highlight: true, ...rest });
    return parse(await fixture.post('/query/lucene', body)) as Found;
  };
  test('highlights are the words, phrases, patterns, values and fields that matched', async () => {
    const id = await make([
      {
        name: 'Closed: the École, closed — ΟΔΟΣ',
        n: 42,
        on: true,
        day: '2024-06-15',
        tags: ['Red fox', { place: '💩 東京都' }],
        'a.b': 'fox',
        empty: '',
      },
    ]);
    const cases: [string, string[]][] = [
      ['closed', ['name=Closed', 'name=closed']],
      ['"the école"', ['name=the École']],
      ['οδος', ['name=ΟΔΟΣ']],
      ['京都', ['tags/1/place=京都']],
      ['tags.place:京都', ['tags/1/place=京都']],
      ['fox', ['tags/0=fox', 'a.b=fox']],
      ['a.b:fox', ['a.b=fox']],
      ['name:fox OR red', ['tags/0=Red']],
      ['clo*', ['name=Closed', 'name=closed']],
      ['r?d', ['tags/0=Red']],
      ['/FO./', ['tags/0=fox', 'a.b=fox']],
      ['tags:/red.fox/', ['tags/0=Red fox']],
      ['n:42.0', ['n=42']],
      ['n:[1 TO 50]', ['n=42']],
      ['on:TRUE', ['on=true']],
      ['day:2024', ['day=2024']],
      ['day:[2024 TO 2024]', ['day=2024-06-15']],
      ['empty:""', []],
      ['_exists_:n', []],
      ['*:*', []],
    ];
    for (const [expression, expected] of cases) {
      const found = await search(id, expression);
      assert.equal(found.records.length, 1, expression);
      assert.deepEqual(marked(found), [expected], expression);
      assert.equal(found.highlights?.[0]?.complete, true);
    }
  });

  test('a clause that does not match has no highlights, nor has a negated one', async () => {
    const id = await make([{ text: 'red fox' }]);
    const marks = async (expression: string) => marked(await search(id, expression));
    assert.deepEqual(await marks('(red AND owl) OR fox'), [['text=fox']]);
    assert.deepEqual(await marks('(red AND text:[a TO b]) OR fox'), [['text=fox']]);
    assert.deepEqual(await marks('red NOT owl'), [['text=red']]);
    assert.deepEqual(await marks('NOT owl'), [[]]);
    assert.deepEqual(await marks('NOT (NOT fox)'), [[]]);
  });

  test('overlapping places are one, and fields of the platform have none', async () => {
    const id = await make([{ text: 'a b c 1' }]);
    const rest = { includeInternalFields: true };
    assert.deepEqual(marked(await search(id, '"a b" "b c" b', rest)), [['text=a b c']]);
    const found = await search(id, '/[0-9a-f]+/ OR *', rest);
    assert.deepEqual(marked(found), [['text=a', 'text=b', 'text=c', 'text=1']]);
  });

  test('highlights stay beside their records across pages, and are absent without the flag', async () => {
    const id = await make(Array.from({ length: 30 }, (_, n) => ({ n, text: `${'x '.repeat(n)}fox` })));
    const plain = async (rest: object) =>
      parse(
        await fixture.post('/query/lucene', JSON.stringify({ datasetId: id, expression: 'fox', ...rest })),
      ) as Found;
    for (const rest of [{}, { limit: 7, offset: 3 }, { limit: 100 }, { countTotal: false, limit: 30 }]) {
      const { highlights, ...found } = await search(id, 'fox', rest);
      assert.deepEqual(found, await plain(rest));
      assert.deepEqual(found, await plain({ ...rest, highlight: false }));
      assert.deepEqual(
        highlights,
        found.records.map(({ n }) => ({
          places: [{ field: 'text', path: ['text'], offset: Number(n) * 2, length: 3 }],
          complete: true,
        })),
      );
    }
    assert.deepEqual((await search(id, 'owl')).highlights, []);
  });

  test('a record has at most 100 places, and a large one none; both are marked as not complete', async () => {
    const id = await make([{ text: 'fox '.repeat(101) }]);
    const [many] = (await search(id, 'fox')).highlights ?? [];
    assert.deepEqual([many?.places.length, many?.complete], [100, false]);
    const large = await make([{ text: `fox ${'x'.repeat(300_000)}` }]);
    assert.deepEqual((await search(large, 'fox')).highlights, [{ places: [], complete: false }]);
  });

  test('a search that would take too many steps stops and stays responsive', async () => {
    const id = await make(Array.from({ length: 50 }, () => ({ text: 'a'.repeat(100_000) })));
    const { highlights = [] } = await search(id, 'text:/.*a.{100}/', { limit: 50 });
    assert.equal(highlights.length, 50);
    assert.deepEqual(highlights.at(-1), { places: [], complete: false });
  });

  test('highlight with too many records or another format than JSON is 400', async () => {
    const id = await make([{ n: 1 }]);
    const send = (rest: object, headers = {}) =>
      fixture.post(
        '/query/lucene',
        JSON.stringify({ datasetId: id, expression: '*:*', highlight: true, ...rest }),
        { headers },
      );
    assert.equal(
      messageOf(await send({ limit: -1 })),
      'limit must be from 1 to 100 with highlight, got the number -1. Read the records in pages by offset, or leave highlight out.',
    );
    bodyOf(400, await send({ limit: 101 }));
    assert.equal(
      messageOf(await send({}, { accept: 'text/csv' })),
      'highlight needs a response in JSON. Leave it out, or send the header Accept: application/json.',
    );
    bodyOf(400, await send({ highlight: 'yes' }));
  });

  test('a summary has the highlights of each dataset', async () => {
    const ids = [
      await make([{ text: 'A fox' }, { text: 'no' }]),
      await make([{ other: ['fox', 'fox fox'] }]),
    ];
    const summaries = async (rest: object) =>
      parse(
        await fixture.post(
          '/query/lucene/datasets/summary',
          JSON.stringify({ expression: 'fox', datasetIds: ids, ...rest }),
        ),
      ) as Found[];
    const found = await summaries({ highlight: true });
    assert.deepEqual(
      found.map(marked).toSorted((a, b) => (a[0]?.length ?? 0) - (b[0]?.length ?? 0)),
      [[['text=fox']], [['other/0=fox', 'other/1=fox', 'other/1=fox']]],
    );
    const plain = await summaries({});
    assert.deepEqual(
      plain.map((summary) => ({ ...summary, highlights: undefined })),
      found.map((summary) => ({ ...summary, highlights: undefined })),
    );
    assert.ok(plain.every((summary) => !('highlights' in summary)));
  });

  test('hidden columns and hidden records have no highlights', async () => {
    const id = await fixture.dataset();
    bodyOf(
      200,
      await fixture.write(
        id,
        [
          { text: 'fox', secret: 'fox fox', label: 'A' },
          { text: 'fox', secret: 'fox', label: 'B' },
        ],
        { labelInfo: labelField },
      ),
    );
    const columns = { records: [], columnSecurityLabelInfo: { secret: { securityLabel: 'B' } } };
    bodyOf(200, await fixture.post(`/v2/write/${id}`, JSON.stringify(columns)));
    const token = await fixture.reader('A');
    const body = JSON.stringify({ datasetId: id, expression: 'fox', highlight: true });
    const found = parse(await fixture.post('/query/lucene', body, { token })) as Found;
    assert.deepEqual(marked(found), [['text=fox']]);
  });
});
