/* Shows: L20 */
import { makeMail, makeMailbox, makePdf, makeZip } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  bodyOf,
  createRecordFixture,
  createUploadFixture,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const labelled = (label: string) => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

const plan = makePdf(['Runway', 'Taxiway']);
const mail = makeMail('Plan', [
  { name: 'plan.pdf', content: plan },
  {
    type: 'message/rfc822',
    content: makeMail('Forwarded', [{ name: 'note.txt', content: 'a note' }], { depth: 1 }),
  },
  { name: 'cut.pdf', content: plan.subarray(0, 200) },
]);

/** The record of a page of a document, as a query returns it. */
type Page = Record<string, string | number | null | undefined>;

describe('documents inside documents', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  /** A member who holds the attribute A, and one who holds A and B. */
  let reader: TestPerson;
  let both: TestPerson;
  let datasetId: string;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 2 } });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    reader = await fixture.newReader('A');
    both = await fixture.newReader('A', 'B');
  });
  after(() => server.close());

  /** Uploads a document with the label A to a new dataset. */
  const uploaded = async (name: string, content: string | Uint8Array) => {
    datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const parts = {
      processAsDocument: 'true',
      accessControlLabel: labelled('A'),
      customMetadata: '{"tower":"north"}',
    };
    return uploads.upload(datasetId, { [name]: content }, parts, reader.token);
  };
  const pages = async (expression = '*:*', token = reader.token): Promise<Page[]> => {
    const body = JSON.stringify({ datasetId, expression, limit: -1 });
    const { records } = bodyOf(200, await fixture.post('/query/document/lucene', body, { token }));
    return records as Page[];
  };
  const pageOf = async (name: string, page = 1, token = reader.token): Promise<Page> => {
    const found = (await pages('*:*', token)).find(
      (record) => record['file_name'] === name && record['page'] === page,
    );
    return found ?? assert.fail(`There is no page ${String(page)} of ${name}.`);
  };
  const lookup = <Body>(
    status: number,
    documentId: unknown,
    query = '',
    token = reader.token,
  ): Promise<Body> =>
    fixture.call<Body>(status, 'GET', `/serve-media/${datasetId}?documentId=${String(documentId)}${query}`, {
      token,
    });
  const bytesOf = async (documentId: unknown, query = '', token = reader.token): Promise<Buffer> => {
    const { url } = await lookup<{ url: string }>(200, documentId, query, token);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  };
  const relabel = async (recordId: unknown, label: string): Promise<void> => {
    await fixture.call(202, 'PATCH', `/storage/datasets/${datasetId}/labels`, {
      token: both.token,
      body: { recordIds: [recordId], label },
    });
    await server.jobsSettled();
  };

  test('each attachment is a document with its own id, the label and metadata of the mail, and a link to it', async () => {
    const { job, receipt } = await uploaded('notice.eml', mail);
    assert.deepEqual([job.status, receipt.written, receipt.rejected], ['completed', 6, 0]);
    const root = await pageOf('notice.eml');
    const forwarded = await pageOf('attachment-2.eml');
    const shown = (await pages())
      .toSorted(
        (a, b) =>
          String(a['file_name']).localeCompare(String(b['file_name'])) ||
          Number(a['page']) - Number(b['page']),
      )
      .map((page) => [
        page['file_name'],
        page['page'],
        page['documentConversionType'],
        page['tower'],
        page['parent_document_id'],
        page['previewBytes'] === null ? 'no picture' : 'picture',
      ]);
    const mailId = root['document_id'];
    assert.deepEqual(shown, [
      ['attachment-2.eml', 1, 'NONE', 'north', mailId, 'no picture'],
      ['cut.pdf', 1, 'NONE', 'north', mailId, 'no picture'],
      ['note.txt', 1, 'NONE', 'north', forwarded['document_id'], 'no picture'],
      ['notice.eml', 1, 'NONE', 'north', undefined, 'no picture'],
      ['plan.pdf', 1, 'PDF_PREVIEW', 'north', mailId, 'picture'],
      ['plan.pdf', 2, 'PDF_PREVIEW', 'north', mailId, 'no picture'],
    ]);
    const ids = new Set((await pages()).map((page) => page['document_id']));
    assert.equal(ids.size, 5);
    assert.match(String((await pageOf('cut.pdf'))['text_error']), /the PDF is damaged/);
    assert.deepEqual(await pages('*:*', (await fixture.newReader('B')).token), []);
  });

  test('bytes, pictures and words of an attachment are those of the attachment', async () => {
    await uploaded('notice.eml', mail);
    const { document_id: id } = await pageOf('plan.pdf');
    assert.deepEqual(await bytesOf(id), plan);
    assert.deepEqual(await bytesOf(id), plan);
    assert.equal((await bytesOf((await pageOf('note.txt'))['document_id'])).toString(), 'a note');
    assert.deepEqual(await bytesOf((await pageOf('notice.eml'))['document_id']), mail);
    const picture = await bytesOf(id, '&preview=true&page=2');
    assert.equal(picture.subarray(0, 3).toString('latin1'), '\xff\xd8\xff');
    const path = `/document-pages/${datasetId}?documentId=${String(id)}&page=2`;
    const { words } = await fixture.call<{ words: { text: string }[] }>(200, 'GET', path, {
      token: reader.token,
    });
    assert.deepEqual(
      words.map(({ text }) => text),
      ['Taxiway'],
    );
    await lookup(404, id, '&preview=true&page=3');
    const { url } = await lookup<{ url: string }>(200, id);
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } });
    assert.deepEqual([part.status, await part.text()], [206, 'PDF']);
  });

  test('who cannot see one record of a mail has none of its bytes, neither of attachments nor of forwarded mails', async () => {
    for (const hidden of ['notice.eml', 'plan.pdf', 'note.txt']) {
      await uploaded('notice.eml', mail);
      const ids = (await pages()).map((page) => page['document_id']);
      const open = await Promise.all(ids.map(async (id) => (await lookup<{ url: string }>(200, id)).url));
      const { documentRowId } = await pageOf(hidden);
      await relabel(documentRowId, 'A&B');
      for (const [index, id] of ids.entries()) {
        const absent = await lookup<{ message: string }>(404, 'nothing');
        assert.equal(
          (await lookup<{ message: string }>(404, id)).message,
          absent.message.replace('nothing', String(id)),
        );
        assert.equal((await fetch(open[index] ?? '')).status, 404);
        await lookup(404, id, '&preview=true');
        await fixture.call(404, 'GET', `/document-pages/${datasetId}?documentId=${String(id)}&page=1`, {
          token: reader.token,
        });
      }
      assert.deepEqual(
        (await pages()).map((page) => page['previewBytes']),
        Array.from({ length: 5 }, () => null),
      );
      assert.deepEqual(
        await bytesOf((await pageOf('plan.pdf', 1, both.token))['document_id'], '', both.token),
        plan,
      );
    }
  });

  test('an attachment whose mail was deleted is closed to everybody, and its text stays', async () => {
    await uploaded('notice.eml', mail);
    const { document_id: id } = await pageOf('plan.pdf');
    await fixture.call(202, 'POST', `/storage/datasets/${datasetId}/deleteRecords/query`, {
      token: reader.token,
      body: { query: 'file_name:"notice.eml"' },
    });
    await server.jobsSettled();
    assert.equal((await pages()).length, 5);
    await lookup(404, id);
  });

  test('a written document_id opens nothing, and a written parent_document_id neither', async () => {
    await uploaded('notice.eml', mail);
    const { document_id: id } = await pageOf('plan.pdf');
    const stranger = await fixture.newReader('B');
    const forged = [
      { document_id: id, parent_document_id: id, page: 1, documentConversionType: 'PDF_PREVIEW', text: 'x' },
    ];
    assert.equal((await fixture.write(datasetId, forged, { token: stranger.token })).status, 200);
    await lookup(404, id, '', stranger.token);
    const own = await pages('text:x', stranger.token);
    assert.deepEqual(
      own.map((page) => page['previewBytes']),
      [null],
    );
    assert.deepEqual(await bytesOf(id), plan);
    const other = await fixture.dataset(['read', 'write']);
    const path = `/serve-media/${other}?documentId=${String(id)}`;
    await fixture.call(404, 'GET', path, { token: reader.token });
  });

  test('each mail of a mailbox is a document, whose bytes depend on its own records alone', async () => {
    const first = makeMail('One', [{ name: 'plan.pdf', content: plan }]);
    const second = makeMail('Two', [], { text: 'From here on' });
    const { job, receipt } = await uploaded('all.mbox', makeMailbox([first, second, 'no header', first]));
    assert.deepEqual([job.status, receipt.written, receipt.rejected], ['completed', 7, 1]);
    assert.equal((await pageOf('mail-1.eml'))['parent_document_id'], undefined);
    const attachment = (await pages('file_name:"plan.pdf" AND page:1')).find(
      (page) => page['parent_document_id'] !== undefined,
    );
    assert.ok(attachment !== undefined);
    const secondId = (await pageOf('mail-2.eml'))['document_id'];
    const text = (await bytesOf(secondId)).toString();
    assert.match(text, /^From: Ada[^]*\n\nFrom here on\n/);
    const { document_id: firstId, documentRowId } = await pageOf('mail-1.eml');
    await relabel(documentRowId, 'A&B');
    await lookup(404, firstId);
    await bytesOf(secondId);
    const plans = await Promise.all(
      (await pages('file_name:"plan.pdf" AND page:1')).map(
        async ({ document_id: id, parent_document_id: parent }) => {
          if (parent === firstId) return lookup(404, id);
          return assert.deepEqual(await bytesOf(id), plan);
        },
      ),
    );
    assert.equal(plans.length, 2);
  });

  test('each file of an archive is a document, whose bytes depend on its own records alone', async () => {
    const archive = await makeZip([
      { path: 'plans/plan.pdf', content: plan },
      { path: 'notice.eml', content: mail },
    ]);
    const { job, receipt } = await uploaded('all.zip', archive);
    assert.deepEqual([job.status, receipt.written, receipt.rejected], ['completed', 8, 0]);
    const { document_id: planId, documentRowId, parent_document_id: parent } = await pageOf('plans/plan.pdf');
    assert.equal(parent, undefined);
    assert.deepEqual(await bytesOf(planId), plan);
    const { url } = await lookup<{ url: string }>(200, planId);
    assert.match(String((await fetch(url)).headers.get('content-disposition')), /filename="plan\.pdf"/);
    const note = await pageOf('note.txt');
    await relabel(documentRowId, 'A&B');
    await lookup(404, planId);
    assert.equal((await bytesOf(note['document_id'])).toString(), 'a note');
  });

  test('a retry places the documents again and stores nothing twice', async () => {
    const { jobId } = await uploaded('notice.eml', mail);
    const before = await server.db.selectFrom('inner_documents').selectAll().orderBy('id').execute();
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
    await server.db.updateTable('segments').set({ status: 'failed' }).where('job_id', '=', jobId).execute();
    await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'queued' }, token: reader.token });
    const { receipt } = await uploads.ended(datasetId, jobId, reader.token);
    assert.deepEqual([receipt.received, receipt.duplicate], [6, 6]);
    assert.deepEqual(
      await server.db.selectFrom('inner_documents').selectAll().orderBy('id').execute(),
      before,
    );
    assert.deepEqual(await bytesOf((await pageOf('plan.pdf'))['document_id']), plan);
  });

  test('copies of attachments are deleted with their file', async () => {
    const { job } = await uploaded('notice.eml', mail);
    await bytesOf((await pageOf('plan.pdf'))['document_id']);
    const parts = () =>
      server.db.selectFrom('document_parts').where('kind', '=', 'bytes').select('file_id').execute();
    const kept = (await parts()).length;
    await fixture.call(202, 'DELETE', `/uploads/${String(job.config?.['uploadId'])}`, {
      token: reader.token,
    });
    await server.jobsSettled();
    assert.equal((await parts()).length, kept - 1);
  });

  const storedObjects = (): string[] =>
    readdirSync(server.filesFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name));

  test('a copy of an attachment that a backup lacks is made again', async () => {
    await uploaded('notice.eml', mail);
    const before = new Set(storedObjects());
    const { document_id: id } = await pageOf('plan.pdf');
    await bytesOf(id);
    // Simulates the restore of a backup that copied the files before this one was made.
    for (const name of storedObjects()) if (!before.has(name)) rmSync(name);
    assert.deepEqual(await bytesOf(id), plan);
    assert.equal((await bytesOf(id, '&preview=true')).subarray(0, 3).toString('latin1'), '\xff\xd8\xff');
  });

  for (const { action, remove } of [
    {
      action: 'deleting all of its documents',
      remove: () =>
        fixture.call(202, 'POST', `/storage/datasets/${datasetId}/deleteDocuments/query`, {
          token: both.token,
          body: { query: '*:*' },
        }),
    },
    {
      action: 'clearing the dataset',
      remove: () => fixture.call(202, 'POST', `/storage/datasets/${datasetId}/clear`, { token: both.token }),
    },
    {
      action: 'deleting the dataset',
      remove: () => fixture.call(200, 'DELETE', `/datasets/${datasetId}`, { token: fixture.admin }),
    },
  ])
    test(`${action} closes and deletes files, copies and pictures of attachments`, async () => {
      const before = storedObjects();
      await uploaded('notice.eml', mail);
      const { document_id: id } = await pageOf('plan.pdf');
      await bytesOf(id);
      await bytesOf(id, '&preview=true');
      const { url } = await lookup<{ url: string }>(200, id);
      assert.ok(storedObjects().length >= before.length + 3);
      await remove();
      await server.jobsSettled();
      assert.equal((await fetch(url)).status, 404);
      assert.deepEqual(storedObjects(), before);
    });
});
