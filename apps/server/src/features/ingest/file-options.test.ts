/* Shows: F-POST-/uploads-fileOptions */
import type { UploadPreview } from '@redoubt/contract';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  labelField,
  type RecordFixture,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

/** Latin-1 after more ASCII than the detection of the encoding reads. */
const lateLatin1 = Buffer.concat([
  Buffer.from(`n,city\n${'1,Bonn\n'.repeat(60_000)}`),
  Buffer.from('2,Köln\n', 'latin1'),
]);

describe('options for reading files', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
  });

  const preview = async (
    content: string | Uint8Array,
    fileOptions: unknown,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<UploadPreview> =>
    (await uploads.send(
      '/uploads/preview',
      200,
      { 'rows.csv': content },
      { fileOptions, ...more },
    )) as UploadPreview;
  const refused = async (
    fileOptions: unknown,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> => {
    const datasetId = await fixture.dataset();
    const { message } = (await uploads.send(
      '/uploads',
      400,
      { 'a.csv': 'a,b\n1,2\n' },
      { datasetId, fileOptions, ...more },
    )) as {
      message: string;
    };
    return message;
  };

  test('columns are typed, renamed and skipped, and a value of another type rejects its row with line, column, value and reason', async () => {
    const datasetId = await fixture.dataset();
    const content =
      'zip,count,day,at,ok,note,raw\n00501,7,2024-02-29,2024-02-29T10:00:00Z,yes,x,{"a":1}\n00502,seven,2024-02-29,,no,x,\n00503,8,2023-02-29,,no,x,\n00504,9,,not a time,no,x,\n';
    const columns = [
      { name: 'zip', type: 'text' },
      { name: 'count', type: 'integer', rename: 'Anzahl' },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'timestamp' },
      { name: 'ok', type: 'boolean' },
      { name: 'note', skip: true },
      { name: 'raw', type: 'json' },
    ];
    const { receipt, rejects, job } = await uploads.upload(
      datasetId,
      { 'rows.csv': content },
      { fileOptions: { columns } },
    );
    assert.deepEqual(await uploads.records(datasetId), [
      { zip: '00501', Anzahl: 7, day: '2024-02-29', at: '2024-02-29T10:00:00Z', ok: true, raw: { a: 1 } },
    ]);
    assert.deepEqual(
      rejects.map(({ line, reason }) => [line, reason]),
      [
        [3, '"Anzahl" must be of type integer, got "seven".'],
        [4, '"day" must be of type date, got "2023-02-29".'],
        [5, '"at" must be of type timestamp, got "not a time".'],
      ],
    );
    assert.deepEqual([receipt.received, receipt.written, receipt.rejected], [4, 1, 3]);
    assert.deepEqual(job.config?.['fileOptions'], { columns });
    const schema = await fixture.call<Record<string, { type: string }>>(
      200,
      'GET',
      `/query/schema?datasetId=${datasetId}`,
    );
    assert.deepEqual([schema['at']?.type, schema['day']?.type], ['timestamp', 'timestamp']);
  });

  test('delimiter, quote and header are those of the request', async () => {
    const content = "x|'a,b'|1\ny|'c'|2\n";
    const { dialect, rows } = await preview(content, { delimiter: ',', quote: '', header: false });
    assert.deepEqual([dialect?.delimiter, dialect?.quote, dialect?.header], [',', '', false]);
    assert.equal(rows[0]?.record, `{"column_1":"x|'a","column_2":"b'|1"}`);
    assert.equal(
      (await preview(content, { header: false })).rows[0]?.record,
      '{"column_1":"x","column_2":"a,b","column_3":1}',
    );
  });

  test('quotes that a backslash escapes are detected', async () => {
    const { dialect, rows, fileOptions } = await preview('a,b\n"x \\"y\\"",1\n', {});
    assert.deepEqual([dialect?.escape, fileOptions.escape], ['\\', '\\']);
    assert.equal(rows[0]?.record, '{"a":"x \\"y\\"","b":1}');
  });

  test('Latin-1 behind 256 KB of ASCII is read in the encoding of the request, and rejected without it', async () => {
    const datasetId = await fixture.dataset();
    const without = await uploads.upload(datasetId, { 'rows.csv': lateLatin1 });
    assert.deepEqual([without.receipt.rejected, without.rejects[0]?.line], [1, 60_002]);
    const { receipt } = await uploads.upload(
      await fixture.dataset(),
      { 'rows.csv': lateLatin1 },
      { fileOptions: { encoding: 'windows-1252' } },
    );
    assert.deepEqual([receipt.written, receipt.rejected], [60_001, 0]);
  });

  test('fileOptions of a preview make an upload read the file in the same way', async () => {
    const content = Buffer.from('stadt;n\nKöln;1\nBonn;2\n', 'latin1');
    const seen = await preview(content, {
      encoding: 'iso-8859-15',
      columns: [{ name: 'stadt', rename: 'city' }],
    });
    assert.deepEqual(seen.sourceColumns, ['stadt', 'n']);
    assert.deepEqual(
      seen.columns?.map(({ name }) => name),
      ['city', 'n'],
    );
    assert.deepEqual(seen.fileOptions, {
      format: 'csv',
      encoding: 'iso-8859-15',
      delimiter: ';',
      quote: '"',
      escape: '',
      header: true,
      columns: [{ name: 'stadt', rename: 'city' }],
    });
    const datasetId = await fixture.dataset();
    await uploads.upload(datasetId, { 'rows.csv': content }, { fileOptions: seen.fileOptions });
    assert.deepEqual(await uploads.records(datasetId), [
      { city: 'Bonn', n: 2 },
      { city: 'Köln', n: 1 },
    ]);
  });

  test('options detected in one file of an archive are not applied to its other files', async () => {
    const { fileOptions, sourceColumns } = await preview('{"a":1}\n{"b":2}\n', {});
    assert.deepEqual([fileOptions, sourceColumns], [{ format: 'ndjson', encoding: 'utf-8' }, null]);
  });

  test('options that fit no file are 400 and name the option', async () => {
    assert.match(
      await refused({ encoding: 'klingon' }),
      /^fileOptions\.encoding must be the name of a supported encoding, got the string "klingon"/,
    );
    assert.match(await refused({ format: 'doc' }), /^fileOptions\.format must be one of csv, /);
    assert.match(await refused({ delimiter: ';;' }), /^fileOptions\.delimiter must be one character/);
    assert.match(await refused({ escape: '^' }), /^fileOptions\.escape must be a backslash, or "" for none/);
    assert.match(
      await refused({ delimiter: '"', quote: '"' }),
      /^fileOptions\.quote must be another character than delimiter/,
    );
    assert.match(
      await refused({ columns: [{ name: 'a' }, { name: 'a', skip: true }] }),
      /^fileOptions\.columns\.1\.name must be named once/,
    );
    assert.match(
      await refused({
        columns: [
          { name: 'a', rename: 'c' },
          { name: 'b', rename: 'c' },
        ],
      }),
      /^fileOptions\.columns\.1\.rename must be another name/,
    );
    assert.match(
      await refused({ columns: [{ name: 'a', rename: '_koverse_record_id' }] }),
      /^fileOptions\.columns\.0\.rename must be a name that does not begin with "_koverse_"/,
    );
    assert.match(
      await refused({ columns: [{ name: 'a', type: 'colour' }] }),
      /fileOptions\.columns\.0\.type/,
    );
    assert.match(await refused({ colums: [] }), /fileOptions\.colums/);
    assert.match(await refused([]), /fileOptions/);
  });

  test('columns that the file does not have, and renames to other columns of it, fail the file', async () => {
    const fail = async (columns: unknown): Promise<string | null> => {
      const { job, receipt } = await uploads.upload(
        await fixture.dataset(),
        { 'a.csv': 'a,b\n1,2\n' },
        { fileOptions: { columns } },
      );
      assert.deepEqual([job.status, receipt.received], ['failed', 0]);
      return job.error?.message ?? null;
    };
    assert.match(
      (await fail([{ name: 'c', skip: true }])) ?? '',
      /"c", which is no column of the file. It has "a", "b"/,
    );
    assert.match((await fail([{ name: 'a', rename: 'b' }])) ?? '', /two columns would be stored as "b"/);
    const { message } = (await uploads.send(
      '/uploads/preview',
      400,
      { 'a.csv': 'a,b\n1,2\n' },
      { fileOptions: { columns: [{ name: 'c' }] } },
    )) as { message: string };
    assert.match(message, /a\.csv: "columns" names "c"/);
  });

  test('a column with labels can be neither skipped, renamed away nor typed, so that no record gets a wider label', async () => {
    const accessControlLabel = {
      securityLabeled: true,
      securityLabelInfo: { ...labelField, fields: ['label', 'own.label'] },
    };
    for (const column of [
      { name: 'label', skip: true },
      { name: 'label', rename: 'other' },
      { name: 'label', type: 'json' },
      { name: 'other', rename: 'label', type: 'integer' },
      { name: 'own.label', skip: true },
      { name: 'own', skip: true },
      { name: 'own', type: 'text' },
    ]) {
      assert.match(
        await refused({ columns: [column] }, { accessControlLabel }),
        /^securityLabelInfo\.fields must be fields/,
        JSON.stringify(column),
      );
    }
    const datasetId = await fixture.dataset();
    const fileOptions = {
      columns: [
        { name: 'label', skip: true },
        { name: 'marking', rename: 'label', type: 'text' },
        { name: 'own', type: 'json' },
      ],
    };
    await uploads.upload(
      datasetId,
      { 'a.csv': 'n,label,marking,own,own.label\n1,,A,,\n2,A,,,\n' },
      { fileOptions, accessControlLabel },
    );
    assert.deepEqual(
      (await uploads.records(datasetId, await fixture.reader('B'))).map(({ n }) => n),
      [2],
    );
  });
});
