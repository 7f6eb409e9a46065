/* Shows: F-POST-/ingest-processAsDocument, F-POST-/ingest-customMetadata, F-POST-/ingest-isAsync,
   F-POST-/ingest-changedSinceJob, D-ingest-job, L-hazard-ingest-addresses, R-jobs-202, V-jobType-ingest,
   V-sourceType-URL, W-connect-timeout, W-status-ingest, W-ingest, A-ingest-headers, A-ingest-post-jobs */
import type { Job, JobReceipt, SourcePreview } from '@redoubt/contract';
import { makePdf } from '@redoubt/file-formats/testing';
import { createRecordFixture, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

/** A host that serves files and records the requests. */
const startHost = async (serve: (request: IncomingMessage, response: ServerResponse, host: Host) => void) => {
  const host: Host = { url: '', requests: [] };
  const server: Server = createServer((request, response) => {
    host.requests.push({ path: request.url ?? '', headers: request.headers });
    serve(request, response, host);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { ...host, host, close };
};

interface Host {
  url: string;
  requests: { path: string; headers: IncomingMessage['headers'] }[];
}

interface ApiError {
  message: string;
  errors?: { field: string }[];
}

const rows = `n,label\n${Array.from({ length: 500 }, (_, n) => `${n},A`).join('\n')}\n`;

const urls = (...list: object[]) => ({ type: 'URL', connectionInfo: { urls: list } });

describe('ingest from addresses', () => {
  /** The current versions of some files, by name. */
  let version = 'W/"1"';
  let server: TestServer;
  let fixture: RecordFixture;
  let starter: TestPerson;
  let other: Awaited<ReturnType<typeof startHost>>;
  let files: Awaited<ReturnType<typeof startHost>>;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    starter = await fixture.newReader('A');
    other = await startHost((_request, response) => response.end(rows));
    files = await startHost((request, response) => {
      switch ((request.url ?? '').split('?')[0] ?? '') {
        case '/rows.csv':
          response.end(rows);
          return;
        case '/notice.pdf':
          response.end(makePdf(['Runway closed', 'Until noon']));
          return;
        case '/rows.csv.gz':
          response.end(gzipSync(rows));
          return;
        case '/packed.csv':
          response.setHeader('content-encoding', 'gzip').end(gzipSync(rows));
          return;
        case '/moved.csv':
          response.writeHead(302, { location: '/rows.csv' }).end();
          return;
        case '/elsewhere.csv':
          response.writeHead(302, { location: `${other.url}/rows.csv` }).end();
          return;
        case '/to-file.csv':
          response.writeHead(302, { location: 'file:///etc/passwd' }).end();
          return;
        case '/loop.csv':
          response.writeHead(302, { location: '/loop.csv' }).end();
          return;
        case '/cut.csv': {
          const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
          const from = Number(range?.[1] ?? 0);
          const end = Math.min(rows.length, from + 1500);
          response.writeHead(range === null ? 200 : 206, {
            etag: '"v1"',
            'content-length': String(rows.length - from),
            ...(range === null ? {} : { 'content-range': `bytes ${from}-${rows.length - 1}/${rows.length}` }),
          });
          response.write(rows.slice(from, end), () => {
            if (end === rows.length) response.end();
            else setTimeout(() => response.destroy(), 20);
          });
          return;
        }
        case '/versioned.csv':
          if (request.headers['if-none-match'] === version) response.writeHead(304).end();
          else response.writeHead(200, { etag: version }).end(rows);
          return;
        case '/dated.csv':
          if (request.headers['if-modified-since'] === version) response.writeHead(304).end();
          else response.writeHead(200, { 'last-modified': version }).end(rows);
          return;
        case '/unconditional.csv':
          response.writeHead(200, { etag: version }).end(rows);
          return;
        case '/slow.csv':
          response.writeHead(200).write('n\n1\n');
          return;
        default:
          response.writeHead(404).end('no such file');
      }
    });
  });
  after(async () => {
    await server.close();
    await files.close();
    await other.close();
  });

  /** The job after its end. A slow response comes before it. */
  const ended = async ({ id }: Pick<Job, 'id'>): Promise<Job> => {
    await server.jobsSettled();
    return fixture.call<Job>(200, 'GET', `/jobs/${id}`, { token: starter.token });
  };
  const send = (datasetId: string, url: string, more: object = {}, query = ''): Promise<Job> =>
    fixture.call<Job>(202, 'POST', `/ingest${query}`, {
      token: starter.token,
      body: {
        workspaceId: fixture.workspace.id,
        datasetId,
        securityLabeled: false,
        dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url, ...more }] } },
      },
    });
  const start = async (datasetId: string, url: string, more: object = {}): Promise<Job> =>
    ended(await send(datasetId, url, more));
  const countOf = async (datasetId: string): Promise<number> =>
    (
      await fixture.call<{ recordCount: number }>(200, 'GET', `/datasets/${datasetId}`, {
        token: starter.token,
      })
    ).recordCount;

  test('a file is fetched and stored, and the response waits for the end of the job', async () => {
    const id = await fixture.dataset();
    const sentAt = performance.now();
    const response = await send(id, `${files.url}/rows.csv?secret=in-the-address`);
    if (performance.now() - sentAt < 5_000) assert.equal(response.status, 'completed');
    const job = await ended(response);
    assert.deepEqual([job.status, job.recordCount, job.error], ['completed', 500, null]);
    assert.equal(await countOf(id), 500);
    assert.ok(!JSON.stringify(job).includes('in-the-address'));
    assert.deepEqual(job.config?.['files'], ['rows.csv']);
  });

  test('a fetched file is a document for processWithOcr and for processAsDocument', async () => {
    const datasetId = await fixture.dataset();
    const label = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };
    const ingest = <Body>(status: number, connection: object, more: object = {}) =>
      fixture.call<Body>(status, 'POST', '/ingest', {
        token: starter.token,
        body: {
          datasetId,
          securityLabeled: true,
          securityLabelInfo: label,
          dataSourceParams: {
            type: 'URL',
            connectionInfo: { urls: [{ url: `${files.url}/notice.pdf` }], ...connection },
          },
          ...more,
        },
      });
    const job = await ended(await ingest<Job>(202, { processWithOcr: true }));
    assert.deepEqual(
      [job.status, job.recordCount, job.config?.['processAsDocument']],
      ['completed', 2, true],
    );
    await ended(await ingest<Job>(202, {}, { processAsDocument: true }));
    const body = JSON.stringify({ datasetId, expression: 'text:runway AND page:1' });
    const { text } = await fixture.post('/query/document/lucene', body, { token: starter.token });
    const { records, total } = JSON.parse(text) as { records: Record<string, unknown>[]; total: number };
    assert.equal(total, 2);
    assert.equal(records[0]?.['documentConversionType'], 'PDF_PREVIEW');
    const { message } = await ingest<ApiError>(
      400,
      { processWithOcr: true },
      {
        securityLabelInfo: { parserClassName: 'identity-parser', fields: ['a'], labelHandlingPolicy: 'drop' },
      },
    );
    assert.match(message, /parserClassName must be "apply-label-to-all-records-parser"/);
    const described = await ingest<Job>(
      202,
      {},
      { processAsDocument: true, customMetadata: '{"tower": "north", "weight": 1.50}' },
    );
    assert.equal((await ended(described)).status, 'completed');
    const find = JSON.stringify({ datasetId, expression: 'tower:north AND page:2' });
    const answer = await fixture.post('/query/lucene', find, { token: starter.token });
    assert.match(answer.text, /"weight":1\.50,/);
    for (const [customMetadata, more, expected] of [
      ['{"tower": "north"}', {}, /customMetadata must not be sent without processAsDocument: true/],
      ['{"page": 1}', { processAsDocument: true }, /must not contain "page"/],
      ['[]', { processAsDocument: true }, /customMetadata must be a JSON object/],
      ['{', { processAsDocument: true }, /customMetadata must be JSON/],
      [{ tower: 'north' }, { processAsDocument: true }, /customMetadata/],
    ] as const)
      assert.match((await ingest<ApiError>(400, {}, { customMetadata, ...more })).message, expected);
    const database = {
      databaseType: 'postgresql',
      host: 'db.example',
      database: 'd',
      username: 'u',
      table: 't',
    };
    await fixture.call(400, 'POST', '/ingest', {
      token: starter.token,
      body: {
        datasetId,
        processAsDocument: true,
        dataSourceParams: { type: 'JDBC', connectionInfo: database },
      },
    });
  });

  test('a preview shows rows of the first address, and starts no job', async () => {
    const datasetId = await fixture.dataset();
    const preview = async (status: number, path: string, more: object = {}) =>
      fixture.call<SourcePreview & ApiError>(status, 'POST', '/ingest/preview', {
        token: starter.token,
        body: { datasetId, dataSourceParams: urls({ url: `${files.url}${path}` }), ...more },
      });
    const label = { parserClassName: 'apply-label-to-all-records-parser', label: 'OF-A-PREVIEW' };
    const { rows: shown, files: names } = await preview(200, '/rows.csv', {
      securityLabeled: true,
      securityLabelInfo: label,
    });
    assert.deepEqual([shown.length, shown[0]?.label, names], [50, 'OF-A-PREVIEW', ['rows.csv']]);
    const asDocument = { processAsDocument: true };
    const pages = await preview(200, '/notice.pdf', asDocument);
    assert.deepEqual([pages.format, pages.files, pages.error], ['pdf', ['notice.pdf'], null]);
    assert.deepEqual(JSON.parse(pages.rows[0]?.record ?? 'null'), {
      file_name: 'notice.pdf',
      page: 1,
      text: 'Runway closed',
      documentConversionType: 'PDF_PREVIEW',
    });
    // Other files of the source may be documents.
    const archive = await preview(200, '/rows.csv.gz', asDocument);
    assert.deepEqual([archive.rows, archive.files], [[], ['rows.csv.gz']]);
    assert.match(archive.error ?? '', /^rows\.csv\.gz: .*Unpack it/);
    assert.match((await preview(400, '/absent.csv', asDocument)).message, /absent\.csv: .* answered 404/);
    const columns = await preview(400, '/rows.csv', { ...asDocument, fileOptions: { header: false } });
    assert.equal(columns.errors?.[0]?.field, 'fileOptions.header');
    const { total } = await fixture.call<{ total: number }>(200, 'GET', `/jobs?datasetId=${datasetId}`, {
      token: starter.token,
    });
    assert.deepEqual([total, await countOf(datasetId)], [0, 0]);
    const attributes = await fixture.call<{ data: { token: string }[] }>(200, 'GET', '/attributes?$limit=-1');
    assert.ok(!attributes.data.some(({ token }) => token === 'OF-A-PREVIEW'));
    const absent = await preview(400, '/absent.csv');
    assert.match(absent.message, /absent\.csv: .* answered 404/);
    const wrong = await preview(400, '/rows.csv', { dataSourceParams: urls({ url: 'ftp://host/a.csv' }) });
    assert.equal(wrong.errors?.[0]?.field, 'dataSourceParams.connectionInfo.urls.0.url');
    await fixture.call(403, 'POST', '/ingest/preview', {
      token: starter.token,
      body: {
        datasetId: await fixture.dataset(['read']),
        dataSourceParams: urls({ url: `${files.url}/rows.csv` }),
      },
    });
  });

  test('redirects are followed, bodies are decompressed, and interrupted downloads are resumed', async () => {
    for (const name of ['moved', 'packed', 'cut']) {
      const id = await fixture.dataset();
      const job = await start(id, `${files.url}/${name}.csv`);
      assert.deepEqual([job.status, job.error, await countOf(id)], ['completed', null, 500], name);
    }
  });

  test('headers are sent, but not to another origin, and never returned', async () => {
    const id = await fixture.dataset();
    files.host.requests.length = 0;
    other.host.requests.length = 0;
    const headers = { authorization: 'Bearer of-the-host', 'x-key': 'k' };
    const job = await start(id, `${files.url}/elsewhere.csv`, { headers });
    assert.deepEqual([job.status, job.error], ['completed', null]);
    assert.equal(files.host.requests[0]?.headers.authorization, 'Bearer of-the-host');
    assert.deepEqual(
      other.host.requests.map(({ headers: got }) => [got.authorization, got['x-key'], got.cookie]),
      [[undefined, undefined, undefined]],
    );
    const { rows: kept } = await server.db
      .selectFrom('ingest_files')
      .select('sealed_source')
      .execute()
      .then((found) => ({ rows: JSON.stringify(found) }));
    assert.ok(!kept.includes('of-the-host') && !JSON.stringify(job).includes('of-the-host'));
  });

  test('an invalid response of the host fails the job with an HttpClientError that names the file and no address', async () => {
    for (const [path, message] of [
      ['/absent.csv', /absent\.csv: .* answered 404/],
      ['/to-file.csv', /to-file\.csv: The address must be a URL that begins with http/],
      ['/loop.csv', /redirects more than 5 times/],
    ] as const) {
      const id = await fixture.dataset();
      const job = await start(id, `${files.url}${path}?secret=hidden-word`);
      assert.equal(job.status, 'failed');
      assert.match(job.error?.message ?? '', message);
      assert.ok(!(job.error?.message ?? '').includes('hidden-word'));
    }
  });

  test('with isAsync the response comes at once, and a job canceled while it fetches stops and says what it stored', async () => {
    const id = await fixture.dataset();
    const queued = await send(id, `${files.url}/slow.csv`, {}, '?isAsync=True');
    assert.equal(queued.status, 'queued');
    const canceled = await fixture.call<Job>(200, 'PATCH', `/jobs/${queued.id}`, {
      token: starter.token,
      body: { status: 'canceled' },
    });
    // A cancellation, too, is answered after a few seconds, whether or not the job has ended.
    assert.equal((await ended(canceled)).status, 'canceled');
    const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${queued.id}/receipt`, {
      token: starter.token,
    });
    assert.deepEqual([receipt.received, receipt.written], [0, 0]);
  });

  test('other sources are 501 by their names, and addresses and headers that cannot be used are 400', async () => {
    const datasetId = await fixture.dataset();
    const query = (status: number, dataSourceParams: object, more: object = {}) =>
      fixture.call<{ message: string }>(status, 'POST', '/ingest', {
        token: starter.token,
        body: { datasetId, dataSourceParams, ...more },
      });
    assert.match((await query(501, { type: 'OTHER', connectionInfo: {} })).message, /"OTHER"/);
    const url = `${files.url}/rows.csv`;
    await query(404, { type: 'URL', connectionId: 'x' });
    await query(400, { type: 'FTP', connectionInfo: {} });
    await query(400, urls());
    await query(400, { type: 'URL' });
    for (const wrong of [
      'ftp://example.org/a',
      'file:///etc/passwd',
      'https://user:pw@example.org/a',
      'a.csv',
    ])
      await query(400, urls({ url: wrong }));
    await query(400, urls({ url, headers: { host: 'other' } }));
    await query(400, urls({ url, headers: { 'a b': 'x' } }));
    await query(400, urls({ url, headers: { a: 'x\ny' } }));
    await query(400, urls({ url, more: 1 }));
    await query(400, urls({ url }), { securityLabeled: true });
    await query(400, urls({ url }), {
      securityLabeled: false,
      securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'A' },
    });
    await query(404, urls({ url }), { workspaceId: 'another' });
  });

  test('POST /jobs starts an ingest with what the body of the call would hold', async () => {
    const datasetId = await fixture.dataset();
    const dataSourceParams = { type: 'URL', connectionInfo: { urls: [{ url: `${files.url}/rows.csv` }] } };
    const info = { parserClassName: 'apply-label-to-all-records-parser', label: 'B' };
    const config = { dataSourceParams, securityLabeled: true, securityLabelInfo: info };
    const job = await fixture.call<Job>(202, 'POST', '/jobs', {
      token: starter.token,
      body: { type: 'ingest', datasetId, config },
    });
    assert.equal((await ended(job)).recordCount, 500);
    assert.equal(await countOf(datasetId), 0);
    await fixture.call(400, 'POST', '/jobs', {
      token: starter.token,
      body: { type: 'ingest', datasetId, config: {} },
    });
  });

  test('a file that has not changed since an earlier job is not stored again, and the receipt says so', async () => {
    const token = starter.token;
    for (const path of ['/versioned.csv', '/dated.csv']) {
      version = path === '/dated.csv' ? 'Mon, 02 Feb 2026 10:00:00 GMT' : 'W/"1"';
      const datasetId = await fixture.dataset();
      const fetchSince = (changedSinceJob: string | undefined, status = 202): Promise<Job> =>
        fixture.call<Job>(status, 'POST', '/ingest', {
          token,
          body: {
            datasetId,
            writeMode: 'replace',
            dataSourceParams: {
              type: 'URL',
              connectionInfo: {
                urls: [{ url: `${files.url}${path}?secret=1` }],
                ...(changedSinceJob === undefined ? {} : { changedSinceJob }),
              },
            },
          },
        });
      const receiptOf = async ({ id }: Job): Promise<unknown[]> => {
        const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, { token });
        return [receipt.written, receipt.replaced, receipt.files[0]?.isUnchanged];
      };
      const first = await ended(await fetchSince(undefined));
      assert.deepEqual([first.status, await receiptOf(first)], ['completed', [500, 0, false]]);
      const second = await ended(await fetchSince(first.id));
      assert.deepEqual(
        [second.status, second.error, await receiptOf(second)],
        ['completed', null, [0, 0, true]],
      );
      const third = await ended(await fetchSince(second.id));
      assert.deepEqual([third.status, await receiptOf(third)], ['completed', [0, 0, true]]);
      assert.equal(await countOf(datasetId), 500);
      version = 'Tue, 03 Feb 2026 10:00:00 GMT';
      const fourth = await ended(await fetchSince(third.id));
      assert.deepEqual([fourth.status, await receiptOf(fourth)], ['completed', [500, 500, false]]);
      assert.equal(await countOf(datasetId), 500);
      await fetchSince('none', 404);
      const stored = await server.db.selectFrom('ingest_files').selectAll().execute();
      assert.ok(!JSON.stringify(stored).includes('secret=1'));
      const other = await fixture.call<Job>(404, 'POST', '/ingest', {
        body: {
          datasetId,
          dataSourceParams: {
            type: 'URL',
            connectionInfo: { urls: [{ url: `${files.url}${path}` }], changedSinceJob: first.id },
          },
        },
      });
      assert.match(JSON.stringify(other), /There is no ingest job of yours for this dataset/);
    }
  });

  const replaceSince = async (datasetId: string, paths: string[], changedSinceJob?: string): Promise<Job> => {
    const job = await fixture.call<Job>(202, 'POST', '/ingest?isAsync=true', {
      token: starter.token,
      body: {
        datasetId,
        writeMode: 'replace',
        dataSourceParams: {
          type: 'URL',
          connectionInfo: {
            urls: paths.map((path) => ({ url: `${files.url}${path}` })),
            ...(changedSinceJob === undefined ? {} : { changedSinceJob }),
          },
        },
      },
    });
    return ended(job);
  };
  const outcomeOf = async ({ id }: Job): Promise<unknown[]> => {
    const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, {
      token: starter.token,
    });
    return [receipt.written, receipt.files[0]?.isUnchanged];
  };

  describe('jobs that name an earlier one', () => {
    test('a file of a replace that did not finish is fetched and stored', async () => {
      version = 'W/"1"';
      const datasetId = await fixture.dataset();
      const failed = await replaceSince(datasetId, ['/versioned.csv', '/absent.csv']);
      assert.equal(failed.status, 'failed');
      const next = await replaceSince(datasetId, ['/versioned.csv'], failed.id);
      assert.deepEqual([next.status, await outcomeOf(next)], ['completed', [500, false]]);
      assert.equal(await countOf(datasetId), 500);
    });

    test('a file whose host ignores conditions, and sends it again with the same ETag, is not stored again', async () => {
      const datasetId = await fixture.dataset();
      const connectionInfo = { urls: [{ url: `${files.url}/unconditional.csv` }] };
      const run = async (changedSinceJob?: string): Promise<Job> => {
        const dataSourceParams = { type: 'URL', connectionInfo: { ...connectionInfo, changedSinceJob } };
        const body = { datasetId, dataSourceParams };
        return ended(await fixture.call<Job>(202, 'POST', '/ingest', { token: starter.token, body }));
      };
      const outcomes: unknown[] = [];
      let before: string | undefined;
      // A proxy that compresses a response makes its ETag a weak one.
      for (version of ['"1"', 'W/"1"', '"2"']) {
        const job = await run(before);
        outcomes.push([job.status, ...(await outcomeOf(job))]);
        before = job.id;
      }
      assert.deepEqual(outcomes, [
        ['completed', 500, false],
        ['completed', 0, true],
        ['completed', 500, false],
      ]);
    });

    test('a job that found its file unchanged ends when it is repeated after a crash', async () => {
      version = 'W/"1"';
      const datasetId = await fixture.dataset();
      const first = await replaceSince(datasetId, ['/versioned.csv']);
      const second = await replaceSince(datasetId, ['/versioned.csv'], first.id);
      // The state after a process died before it marked the segment as completed.
      await server.db
        .updateTable('segments')
        .set({ status: 'failed' })
        .where('job_id', '=', second.id)
        .execute();
      await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', second.id).execute();
      await fixture.call(200, 'PATCH', `/jobs/${second.id}`, {
        token: starter.token,
        body: { status: 'queued' },
      });
      await server.jobsSettled();
      const ended = await fixture.call<Job>(200, 'GET', `/jobs/${second.id}`, { token: starter.token });
      assert.deepEqual([ended.status, ended.error, await outcomeOf(second)], ['completed', null, [0, true]]);
      assert.equal(await countOf(datasetId), 500);
    });
  });
});

test('a server that may not call private addresses rejects them', async () => {
  const server = await startServer({ allowsPrivateSources: false });
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const body = (url: string) => ({
      datasetId,
      dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url }] } },
    });
    for (const url of [
      'http://127.0.0.1/a',
      'http://[::1]/a',
      'http://169.254.169.254/latest',
      'http://10.0.0.1/a',
    ])
      await fixture.call(400, 'POST', '/ingest', { body: body(url) });
  } finally {
    await server.close();
  }
});
