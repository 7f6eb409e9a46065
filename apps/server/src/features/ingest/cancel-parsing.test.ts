/* Shows: A-ingest-cancel */
import type { Job, JobReceipt, UploadResult } from '@redoubt/contract';
import { createRecordFixture, multipartBody, type RecordFixture } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

const blockRows = 500;
const rows = 200_000;

/** The ids of the running parser processes that this process has started. */
const parsers = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (status.includes(`PPid:\t${process.pid}\n`) && command.includes('parser-worker')) found.push(entry);
  }
  return found;
};

describe(
  'canceling a job while a file is parsed',
  { skip: existsSync('/proc/self/status') ? false : 'needs /proc' },
  () => {
    let server: TestServer;
    let fixture: RecordFixture;

    before(async () => {
      server = await startServer({ ingestLimits: { blockRows } });
      fixture = await createRecordFixture(server);
    });
    after(() => server.close());

    const countOf = async (datasetId: string): Promise<number> =>
      (await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${datasetId}`)).recordCount;

    test('the parser stops, and the job and its receipt say what was stored until then', async () => {
      const id = await fixture.dataset();
      const content = `n,text\n${Array.from({ length: rows }, (_, n) => `${n},a row of the file`).join('\n')}\n`;
      const { body, headers } = multipartBody([
        { name: 'datasetId', content: id },
        { name: 'files', fileName: 'large.csv', content },
      ]);
      const { jobId } = JSON.parse((await fixture.post('/uploads', body, { headers })).text) as UploadResult;
      while ((await countOf(id)) === 0) await delay(20);
      assert.equal((await parsers()).length, 1);
      await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'canceled' } });
      await server.jobsSettled();
      assert.deepEqual(await parsers(), []);
      const { status, error } = await fixture.call<Job>(200, 'GET', `/jobs/${jobId}`);
      const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`);
      const stored = await countOf(id);
      assert.ok(stored > 0 && stored < rows, String(stored));
      assert.equal(status, 'canceled');
      assert.match(
        error?.message ?? '',
        new RegExp(`^Canceled\\. Stored until then: ${stored} records, with 0 of 1 file`),
      );
      assert.equal(receipt.written, stored);

      // A retry stores only the rest.
      await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'queued' } });
      await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'canceled' } });
      await server.jobsSettled();
      const again = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`);
      assert.equal(again.duplicate, stored);
      assert.equal(again.written + stored, await countOf(id));
    });
  },
);
