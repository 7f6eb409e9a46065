/* Shows: A-ingest-fetched-name, A-ingest-fetch-attempts, A-ingest-no-map */
import type { Member } from '../../platform/auth/actor.ts';
import type { Job, JobReceipt, RecordSource, Upload } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { createRecordFixture, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { IngestFile, StoredObject } from './ingest.repository.ts';
import { createCopySegment } from './sources/copy-segment.ts';
import { sealSegment } from './sources/sealed-source.ts';
import { createOpenSource, createSources } from './sources/sources.ts';
import { createUrlSources, plainFileName } from './sources/url-source.ts';

describe('files that are fetched', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let starter: TestPerson;
  let host: Server;
  let url: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    starter = await fixture.newReader('A');
    host = createServer((request, response) => {
      const name = new URL(request.url ?? '/', 'http://host').searchParams.get('name');
      if (name !== null) response.setHeader('content-disposition', `attachment; filename="${name}"`);
      response.end('n,m\n1,2\n3,4\n5,6\n');
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });
  after(async () => {
    host.close();
    await server.close();
  });

  test('readers see the plain name that the host sent, or a number, and never a part of the address', async () => {
    const datasetId = await fixture.dataset();
    const other = await fixture.newReader();
    const addresses = ['/secret-1.csv', '/secret-2.csv?name=rows.csv', '/secret-3.csv?name=../x'];
    const job = await fixture.call<Job>(202, 'POST', '/ingest', {
      token: starter.token,
      body: {
        datasetId,
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: addresses.map((path) => ({ url: `${url}${path}` })) },
        },
      },
    });
    await server.jobsSettled();
    const ended = await fixture.call<Job>(200, 'GET', `/jobs/${job.id}`, { token: starter.token });
    assert.deepEqual([ended.status, ended.error], ['completed', null]);
    const namesFor = async (token: string): Promise<string[]> => {
      const receipt = await fixture.call<JobReceipt>(200, 'GET', `/jobs/${job.id}/receipt`, { token });
      return receipt.files.map(({ name }) => name);
    };
    assert.deepEqual(await namesFor(starter.token), ['secret-1.csv', 'secret-2.csv', 'secret-3.csv']);
    const names = await namesFor(other.token);
    assert.match(names.join(), /^file [0-9a-f]{8},rows\.csv,file [0-9a-f]{8}$/);

    const uploads = await fixture.call<{ data: Upload[] }>(200, 'GET', `/uploads?datasetId=${datasetId}`, {
      token: other.token,
    });
    assert.deepEqual(
      uploads.data.flatMap(({ files }) => files.map(({ name }) => name)),
      names,
    );
    const read = await fixture.post(
      '/readInSequence',
      JSON.stringify({ datasetId, batchSize: 100, includeInternalRecordId: true }),
      { token: other.token },
    );
    const { records } = JSON.parse(read.text) as { records: { _koverse_record_id: string }[] };
    const sources = await Promise.all(
      records.map(({ _koverse_record_id: id }) =>
        fixture.call<RecordSource>(200, 'GET', `/datasets/${datasetId}/records/${id}/source`, {
          token: other.token,
        }),
      ),
    );
    assert.deepEqual(new Set(sources.map(({ fileName }) => fileName)), new Set(names));
  });

  test('only plain names of files are taken from a host', () => {
    for (const [header, name] of [
      ['attachment; filename="airports 2024.csv"', 'airports 2024.csv'],
      ['attachment; filename=rows.csv', 'rows.csv'],
      ['inline; filename=rows.tar.gz; size=3', 'rows.tar.gz'],
      ['attachment; filename="a/b.csv"', undefined],
      ['attachment; filename="..\\b.csv"', undefined],
      ['attachment; filename="https://host/token.csv"', undefined],
      ['attachment; filename="rows"', undefined],
      ['attachment; filename=".csv"', undefined],
      [`attachment; filename="${'a'.repeat(200)}.csv"`, undefined],
      ["attachment; filename*=UTF-8''rows.csv", undefined],
      ['attachment', undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(plainFileName(header), name, header);
  });

  test('two workers that fetch the same file have objects of their own, and only the first one stays', async () => {
    const stored = new Map<string, string>();
    const announced = new Set<string>();
    const kept: StoredObject[] = [];
    const box = { seal: (text: string) => text, open: (text: string) => text };
    let number = 0;
    const both = Promise.withResolvers<undefined>();
    const copySegment = createCopySegment({
      files: {
        put: async (name, content) => {
          assert.ok(!stored.has(name), 'each worker has an object of its own');
          stored.set(name, '');
          for await (const chunk of content)
            stored.set(name, `${stored.get(name)}${Buffer.from(chunk).toString()}`);
        },
      },
      readRows: {
        of: (_fileId, id) => ({ id, find: async () => new Set<string>(), add: async () => undefined }),
        discard: async () => undefined,
      },
      turns: { describeSegment: async () => undefined },
      requireUse: async () => undefined,
      repository: {
        setStored: async (_id, object) => {
          if (kept.length > 0) return false;
          kept.push(object);
          return true;
        },
        setUnchanged: async () => undefined,
      },
      drops: {
        announce: async (name) => {
          assert.ok(!announced.has(name));
          announced.add(name);
        },
        giveUp: async (names) => names.forEach((name) => stored.delete(name)),
      },
      ids: { uuid: () => `00000000-0000-4000-8000-${String(number++).padStart(12, '0')}` },
      secrets: box,
      openSource: createOpenSource(
        createSources([
          createUrlSources({
            allowsPrivate: true,
            download: async function* () {
              yield Buffer.from('n\n1\n');
              if (stored.size === 2) both.resolve(undefined);
              await both.promise;
            },
          }),
        ]),
        () => Promise.reject(new Error('No connection is stored.')),
      ),
      maxUploadBytes: 1000,
    });
    const place = { url: 'http://host/rows.csv', headers: {} };
    const file = {
      id: 'f',
      name: 'rows.csv',
      sealedSource: sealSegment(box, 'f', {
        type: 'URL',
        connectionInfo: { urls: [place] },
        identity: 'rows',
        place,
      }),
    } as IngestFile;
    const { signal } = new AbortController();
    const job = { signal, actor: () => Promise.resolve({} as Member) };
    const options = { securityLabelInfo: null };
    const sizes = await Promise.all([copySegment(file, job, options), copySegment(file, job, options)]);
    assert.deepEqual(sizes, [4, 4]);
    assert.deepEqual([...stored], [[kept[0]?.objectName, 'n\n1\n']]);
  });
});

test('a host name that does not exist and one in a private network get the same error', async () => {
  const server = await startServer({ allowsPrivateSources: false });
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const errorFor = async (host: string): Promise<string> => {
      const { id } = await fixture.call<Job>(202, 'POST', '/ingest', {
        body: {
          datasetId,
          dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: `http://${host}/rows.csv` }] } },
        },
      });
      await server.jobsSettled();
      const { error } = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
      return JSON.stringify(error).replaceAll(host, 'HOST');
    };
    // With its last dot, the name of this machine is resolved like any other.
    assert.equal(await errorFor('localhost.'), await errorFor('nowhere.invalid'));
  } finally {
    await server.close();
  }
});
