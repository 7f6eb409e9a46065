/* Shows: F-POST-/ingest-connectionId, R-minimum-label, R-restricted-rejects */
import type { Connection, Job, JobReceipt, RecordSource, SourcePreview } from '@redoubt/contract';
import { makePdf } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  labelField,
  outcomeOf,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';

interface ApiError {
  message: string;
}

const doNothing = async (): Promise<void> => undefined;

/** The files of the host, and what happens before it sends them. */
const files: Record<string, Uint8Array | string> = {
  '/in/notice.pdf': makePdf(['Runway closed']),
  '/in/cut.pdf': makePdf(['Runway closed']).subarray(0, 60),
  '/in/rows.csv': 'n,label\n1,A\n2,B\n3,A&\n4,A\n',
  '/in/empty.csv': 'n,label\n',
  '/in/names.csv': 'name,n\nhidden_name,1\n',
  '/in/cut.json': '[{"hidden":1},{"hidden',
};

describe('jobs through a connection to addresses', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let host: Server;
  let url: string;
  let owner: TestPerson;
  let user: TestPerson;
  let connection: Connection;
  let received: { path: string; key: unknown }[] = [];
  let beforeFile: (path: string) => Promise<void> = doNothing;

  before(async () => {
    host = createServer((request, response) => {
      const path = request.url ?? '';
      received.push({ path, key: request.headers['x-key'] });
      void beforeFile(path).then(() => response.writeHead(path in files ? 200 : 404).end(files[path]));
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    owner = await fixture.newReader('M');
    user = await fixture.newReader('A', 'M');
    connection = await send(201, 'POST', '/connections', {
      workspaceId: fixture.workspace.id,
      name: 'Addresses',
      type: 'URL',
      connectionInfo: { headers: { 'x-key': 'secret' } },
      allowed: { urlPrefixes: [`${url}/in/`] },
      minimumLabel: 'M',
    });
    await grant();
    await send(200, 'POST', `/connections/${connection.id}/test`);
  });
  after(async () => {
    await server.close();
    host.closeAllConnections();
    host.close();
  });

  const send = <Body = Connection>(
    status: number,
    method: 'DELETE' | 'GET' | 'PATCH' | 'POST',
    path: string,
    body?: unknown,
    { token }: { token: string } = owner,
  ): Promise<Body> =>
    fixture.call<Body>(status, method, path, body === undefined ? { token } : { token, body });
  let permission = '';
  const grant = async (): Promise<void> => {
    const body = { action: 'use', connectionId: connection.id, groupId: fixture.readers.id };
    permission = (await send<{ id: string }>(201, 'POST', '/connection-permissions', body)).id;
  };
  const revoke = (): Promise<unknown> => send(200, 'DELETE', `/connection-permissions/${permission}`);
  const setMinimum = (minimumLabel: string | null): Promise<unknown> =>
    send(200, 'PATCH', `/connections/${connection.id}`, { minimumLabel });
  const start = <Body = Job>(
    status: number,
    datasetId: string,
    names: readonly string[],
    more: object = {},
    person = user,
    path = '/ingest?isAsync=true',
  ) =>
    send<Body>(
      status,
      'POST',
      path,
      {
        datasetId,
        dataSourceParams: {
          type: 'URL',
          connectionId: connection.id,
          connectionInfo: { urls: names.map((name) => ({ url: `${url}${name}` })) },
        },
        securityLabeled: true,
        securityLabelInfo: labelField,
        ...more,
      },
      person,
    );
  const run = async (
    datasetId: string,
    names: readonly string[],
    more: object = {},
    person = user,
  ): Promise<Job> => {
    const { id } = await start(202, datasetId, names, more, person);
    await server.jobsSettled();
    return createSourceFixture(fixture, server.jobsSettled, 'URL', person.token).jobOf(id);
  };

  test('addresses that a host may read as others are refused', async () => {
    const datasetId = await fixture.dataset();
    for (const path of [
      '/out/rows.csv',
      '/in/../out/rows.csv',
      '/in/..;/out/rows.csv',
      '/in/..;a=b/out/rows.csv',
      '/in/..%3b/out/rows.csv',
      '/in/%252e%252e/out/rows.csv',
      '/in/%25252e%25252e%25252fout/rows.csv',
      '/in/%c0%ae%c0%ae/out/rows.csv',
    ]) {
      const refused = await start<ApiError>(400, datasetId, [path]);
      assert.match(refused.message, /must be an address that the connection allows/, path);
    }
    // A percent sign and points inside a name lead nowhere else.
    const { id } = await run(datasetId, ['/in/100%25..a;b.csv']);
    const { files } = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, {
      token: user.token,
    });
    assert.match(String(files[0]?.error), /404/);
  });

  test('the starter sees no place of a record, whose gaps would count hidden rows', async () => {
    const datasetId = await fixture.dataset();
    assert.equal(outcomeOf(await run(datasetId, ['/in/rows.csv'])), 'completed: : ');
    const body = JSON.stringify({ datasetId, batchSize: -1, includeInternalFields: true });
    const { text } = await fixture.post('/readInSequence', body, { token: user.token });
    const { records } = JSON.parse(text) as { records: Record<string, unknown>[] };
    assert.equal(records.length, 2);
    for (const { _koverse_record_id: id } of records) {
      const found = await send<RecordSource>(
        200,
        'GET',
        `/datasets/${datasetId}/records/${String(id)}/source`,
        undefined,
        user,
      );
      assert.deepEqual(
        [found.fileName, found.row, found.line, found.offset, found.batch],
        ['rows.csv', null, null, null, null],
      );
    }
  });

  test('the minimum label is part of the labels of documents, and closes their files', async () => {
    const datasetId = await fixture.dataset();
    const label = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };
    const options = { processAsDocument: true, securityLabelInfo: label };
    const job = await run(datasetId, ['/in/notice.pdf'], options);
    assert.equal(outcomeOf(job), 'completed: : ');
    const without = await fixture.newReader('A');
    assert.deepEqual(await uploads.records(datasetId, without.token), []);
    const preview = (name: string, person: TestPerson): Promise<SourcePreview> =>
      start<SourcePreview>(200, datasetId, [name], options, person, '/ingest/preview');
    assert.deepEqual(
      (await preview('/in/notice.pdf', user)).rows.map(({ label: shown }) => shown),
      ['A&M'],
    );
    assert.match((await preview('/in/cut.pdf', user)).error ?? '', /^cut\.pdf: /);
    for (const name of ['/in/notice.pdf', '/in/cut.pdf']) {
      const { rows, error, columns } = await preview(name, without);
      assert.deepEqual([rows, error, columns], [[], null, null]);
    }
    // Without rejected rows, too: the attribute does not tell whether there are any.
    const { total } = await fixture.call<{ total: number }>(
      200,
      'GET',
      `/attributes?token=REJECTS:${datasetId.toUpperCase()}`,
    );
    assert.equal(total, 1);
    const [page] = await uploads.records(datasetId, user.token);
    const query = `documentId=${String(page?.['document_id'])}`;
    await send(200, 'GET', `/serve-media/${datasetId}?${query}`, undefined, user);
    await send(404, 'GET', `/serve-media/${datasetId}?${query}`, undefined, without);
    await send(404, 'GET', `/document-pages/${datasetId}?${query}&page=1`, undefined, without);
  });

  test('a header that was removed is not sent by a job that waits', async () => {
    const datasetId = await fixture.dataset();
    received = [];
    beforeFile = async (path) => {
      if (path !== '/in/empty.csv') return;
      beforeFile = doNothing;
      await send(200, 'PATCH', `/connections/${connection.id}`, { connectionInfo: {} });
      await send(200, 'POST', `/connections/${connection.id}/test`);
    };
    const job = await run(datasetId, ['/in/empty.csv', '/in/rows.csv']);
    assert.equal(outcomeOf(job), 'completed: : ');
    assert.deepEqual(received, [
      { path: '/in/empty.csv', key: 'secret' },
      { path: '/in/', key: undefined },
      { path: '/in/rows.csv', key: undefined },
    ]);
  });

  test('a replace looks at the grant again before it replaces records', async () => {
    const datasetId = await fixture.dataset();
    await fixture.write(datasetId, [{ n: 0 }]);
    beforeFile = async (path) => {
      if (path === '/in/empty.csv') await revoke();
    };
    const job = await run(datasetId, ['/in/rows.csv', '/in/empty.csv'], { writeMode: 'replace' });
    beforeFile = doNothing;
    await grant();
    assert.deepEqual([job.status, job.error?.name], ['failed', 'ForbiddenError']);
    assert.deepEqual(
      (await uploads.records(datasetId, user.token)).map(({ n }) => n),
      [0],
    );
  });

  test('people without the minimum label replace no records, because those that disappear would tell of rows', async () => {
    const datasetId = await fixture.dataset(['read', 'write', 'manage']);
    await fixture.write(datasetId, [{ n: 1 }, { n: 5 }]);
    const former = await fixture.newReader('A');
    const upsert = { writeMode: 'upsert', keyColumns: ['n'] };
    for (const more of [upsert, { writeMode: 'replace' }]) {
      const { message } = await start<ApiError>(403, datasetId, ['/in/rows.csv'], more, former);
      assert.match(message, /^writeMode must be append for people without the attributes/);
    }
    const assignment = await fixture.assign(former.id, 'M');
    beforeFile = async () => {
      beforeFile = doNothing;
      await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    };
    const job = await run(datasetId, ['/in/rows.csv'], upsert, former);
    assert.deepEqual([job.status, job.error?.name], ['failed', 'ForbiddenError']);
    assert.deepEqual(
      (await uploads.records(datasetId, former.token)).map(({ n }) => Number(n)).toSorted((a, b) => a - b),
      [1, 5],
    );
  });

  test('people who see all attributes make none of values of rows that they do not see', async () => {
    const datasetId = await fixture.dataset();
    const admin = { ...user, token: fixture.admin };
    const byName = {
      securityLabelInfo: {
        parserClassName: 'identity-parser',
        fields: ['name'],
        labelHandlingPolicy: 'ignore',
      },
    };
    const { message } = await start<ApiError>(403, datasetId, ['/in/names.csv'], byName, admin);
    assert.match(message, /^securityLabelInfo\.fields must not be sent by people who manage attributes/);
    const all = { securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'A' } };
    assert.equal((await run(datasetId, ['/in/names.csv'], all, admin)).status, 'completed');
    const { data } = await fixture.call<{ data: { token: string }[] }>(200, 'GET', '/attributes?$limit=-1');
    assert.ok(data.every(({ token }) => token !== 'HIDDEN_NAME'));
    // People who do not list attributes may load rows by their labels.
    const former = await fixture.newReader('A');
    assert.equal((await run(datasetId, ['/in/names.csv'], byName, former)).status, 'completed');
  });

  test('what a job reads after the connection got its minimum label is neither measured nor quoted', async () => {
    const datasetId = await fixture.dataset();
    const former = await fixture.newReader('A');
    for (const name of ['/in/empty.csv', '/in/cut.json', '/in/absent.csv']) {
      await setMinimum(null);
      beforeFile = () => setMinimum('M').then(() => undefined);
      const job = await run(datasetId, [name], {}, former);
      beforeFile = doNothing;
      assert.equal(job.status, 'failed', name);
      const receipt = await send<JobReceipt>(200, 'GET', `/jobs/${job.id}/receipt`, undefined, former);
      const [file] = receipt.files;
      assert.deepEqual([file?.size, file?.sha256], [null, null]);
      const segments = await send<object>(200, 'GET', `/segments?datasetId=${datasetId}`, undefined, former);
      assert.doesNotMatch(JSON.stringify([job, receipt, segments]), /line 1|answered 404|"bytesTotal":\d/);
    }
  });

  test('a preview shows nothing that it reads after the connection got its minimum label, or after the grant is gone', async () => {
    const datasetId = await fixture.dataset();
    const former = await fixture.newReader('A');
    for (const change of [() => setMinimum('M'), revoke]) {
      await setMinimum(null);
      for (const name of ['/in/rows.csv', '/in/absent.csv']) {
        beforeFile = async () => {
          beforeFile = doNothing;
          await change();
        };
        const { message } = await start<ApiError>(403, datasetId, [name], {}, former, '/ingest/preview');
        assert.match(message, /^The connection was changed while it was read/);
        if (change === revoke) await grant();
        else await setMinimum(null);
      }
    }
    await setMinimum('M');
  });

  test('the progress of a job does not tell how large files with a minimum label are', async () => {
    const datasetId = await fixture.dataset();
    const former = await fixture.newReader('A');
    const started = Promise.withResolvers<string>();
    let progress: unknown;
    beforeFile = async (path) => {
      if (path !== '/in/last.csv') return;
      beforeFile = doNothing;
      ({ progress } = await send<Job>(200, 'GET', `/jobs/${await started.promise}`, undefined, former));
    };
    started.resolve((await start(202, datasetId, ['/in/rows.csv', '/in/last.csv'], {}, former)).id);
    await server.jobsSettled();
    assert.equal(progress, 0);
  });

  test('a replay looks at the grant again, when it is requested and when it stores rows', async () => {
    const datasetId = await fixture.dataset();
    const { id } = await run(datasetId, ['/in/rows.csv']);
    await fixture.assign(user.id, `REJECTS:${datasetId.toUpperCase()}`);
    const receipt = await send<JobReceipt>(200, 'GET', `/jobs/${id}/receipt`, undefined, user);
    const replay = <Body>(status: number, text = '{"n":3,"label":"A"}'): Promise<Body> => {
      const body = { rows: [{ id: `${receipt.files[0]?.id ?? ''}/2`, text }] };
      return send(status, 'POST', `/jobs/${id}/rejected-rows/replay`, body, user);
    };
    // The minimum label is no label of the row.
    for (const text of ['{"n":3}', '{"n":3,"label":""}'])
      assert.match((await replay<ApiError>(400, text)).message, /must have a label of its own/);
    await revoke();
    assert.match((await replay<ApiError>(403)).message, /You may no longer use the connection/);
    await grant();
    await setMinimum(null);
    assert.match((await replay<ApiError>(403)).message, /minimum label of the connection .* was changed/);
    await setMinimum('M');
    const again = await replay<Job>(202);
    await server.jobsSettled();
    const done = await send<Job>(200, 'GET', `/jobs/${again.id}`, undefined, user);
    assert.deepEqual([done.status, done.recordCount], ['completed', null]);
  });
});
