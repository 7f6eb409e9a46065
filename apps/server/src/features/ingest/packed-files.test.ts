/* Shows: A-ingest-inner-files */
import type { JobReceipt, RejectedRow } from '@redoubt/contract';
import { makeTar, makeZip } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  labelField,
  type RecordFixture,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

const accessControlLabel = { securityLabeled: true, securityLabelInfo: labelField };

describe('rejected rows of archives', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 2 } });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
  });
  after(() => server.close());

  test('a rejected row names its file, whether its cells or its label are wrong, and the receipt lists archives and compressions', async () => {
    const datasetId = await fixture.dataset();
    const inner = await makeZip([{ path: 'deep.csv', content: 'n,label\n1,A&\n' }]);
    const tar = await makeTar([
      { path: 'one/a.csv', content: 'n,label\n1,\n2,A&\n3,\n' },
      { path: 'b.csv', content: 'n,label\n1,,too many\n2,\n' },
      { path: 'c.zip', content: inner },
    ]);
    const files = { 'all.tar.gz': gzipSync(tar), 'plain.csv': 'n,label\n1,A&\n' };
    const { jobId, receipt } = await uploads.upload(datasetId, files, { accessControlLabel });
    const list = async (filter = ''): Promise<RejectedRow[]> =>
      (
        await fixture.call<{ data: RejectedRow[] }>(
          200,
          'GET',
          `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}&$limit=-1${filter}`,
        )
      ).data;
    assert.deepEqual(
      (await list()).map(({ file, row, line }) => [file, row, line]),
      [
        ['one/a.csv', 1, 3],
        ['b.csv', 3, 2],
        ['c.zip/deep.csv', 5, 2],
        [null, 0, 2],
      ],
    );
    assert.deepEqual(
      (await list('&file=b.csv')).map(({ row }) => row),
      [3],
    );
    assert.deepEqual(
      (await list('&file=null')).map(({ row }) => row),
      [0],
    );
    assert.deepEqual([receipt.written, receipt.rejected], [3, 4]);

    const whole = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`);
    assert.deepEqual(
      whole.files.map(({ name, containers }) => [name, containers]),
      [
        ['all.tar.gz', ['gzip']],
        ['plain.csv', []],
      ],
    );
    const reader = await fixture.reader();
    const seen = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`, { token: reader });
    assert.deepEqual(
      seen.files.map(({ name, containers }) => [name, containers]),
      [['all.tar.gz', null]],
    );
  });

  test('a table of an archive without the column of labels is refused, wherever it is', async () => {
    const datasetId = await fixture.dataset();
    const zip = await makeZip([
      { path: 'a.csv', content: 'n,label\n1,A\n' },
      { path: 'b.csv', content: 'n,labell\n2,A\n' },
    ]);
    const { jobId, receipt } = await uploads.upload(datasetId, { 'all.zip': zip }, { accessControlLabel });
    assert.deepEqual([receipt.written, receipt.rejected], [1, 1]);
    const path = `/rejected-rows?datasetId=${datasetId}&jobId=${jobId}`;
    const { data } = await fixture.call<{ data: RejectedRow[] }>(200, 'GET', path);
    assert.equal(data[0]?.file, 'b.csv');
    assert.match(data[0]?.reason ?? '', /it has no column "label", which securityLabelInfo\.fields names/);
  });
});
