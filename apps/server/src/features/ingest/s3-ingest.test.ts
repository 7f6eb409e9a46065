/* Shows: F-POST-/ingest-changedSinceJob, X-DatasourceError, L30, V-sourceType-S3, A-s3-unsigned,
   A-s3-versions, A-s3-addresses, A-s3-write-modes */
import type { Connection, ConnectionTest, Job, Schedule, ScheduleRun, Segment } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createSourceFixture,
  createUploadFixture,
  hasReferenceServer,
  labelField,
  outcomeOf,
  startHttpRelay,
  withEnvironment,
  type HttpRelay,
  type RecordFixture,
  type SourceFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import { startS3Peer, type TestS3Peer } from '@redoubt/testkit/s3-peer';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

const rowsOf = (first: number, count = 3): string =>
  `n,label\n${Array.from({ length: count }, (_, n) => `${String(first + n)},${n % 2 === 0 ? 'A' : 'B'}`).join('\n')}\n`;

/** A file in two parts, of which the first one has the minimum size. */
const partsOf = (last: number): [Buffer, Buffer] => [
  Buffer.from(`text,n\n${`${'x'.repeat(1 << 18)},1\n`.repeat(20)}`),
  Buffer.from(`y,${String(last)}\n`),
];

const storage = hasReferenceServer()
  ? { missing: 'it runs once, with embedded metadata' }
  : await startS3Peer();

describe('ingest from S3', { skip: 'missing' in storage ? storage.missing : false }, () => {
  const peer = storage as TestS3Peer;
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let starter: TestPerson;
  let source: SourceFixture;
  let relay: HttpRelay;
  /** Leads to the server's own files. */
  let ownRelay: HttpRelay;
  let bucket = '';
  let buckets = 0;

  before(async () => {
    relay = await startHttpRelay(peer.endpoint);
    ownRelay = await startHttpRelay(peer.endpoint);
    server = await startServer({
      ownStore: { endpoint: ownRelay.url, bucket: 'own-files', sharedBuckets: ['shared-files'] },
    });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    starter = await fixture.newReader('A');
    source = createSourceFixture(fixture, server.jobsSettled, 'S3', starter.token);
  });
  after(async () => {
    await server.close();
    await relay.close();
    await ownRelay.close();
    await peer.stop();
  });
  beforeEach(() => {
    bucket = `bucket-${String(buckets++)}`;
    relay.requests.length = 0;
    relay.act = () => undefined;
  });

  const infoOf = (more: object = {}): Record<string, unknown> => ({
    endpoint: relay.url,
    region: peer.region,
    bucket,
    ...peer.keys,
    ...more,
  });
  /** Connection information without keys. */
  const openInfoOf = (more: object = {}): Record<string, unknown> =>
    infoOf({ accessKeyId: undefined, secretAccessKey: undefined, ...more });
  const numbersOf = async (datasetId: string, token = starter.token): Promise<unknown[]> =>
    (await uploads.records(datasetId, token)).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
  test('each object of all pages is a segment, and its rows are stored under the label of each', async () => {
    for (const [key, first] of [
      ['in/a.csv', 0],
      ['in/b.csv', 10],
      ['in/c d+é.csv', 20],
      ['in/deep/e.csv', 30],
      ['in/notes.txt', 40],
      ['other/f.csv', 50],
    ] as const)
      await peer.put(bucket, key, rowsOf(first));
    await peer.put(bucket, 'in/', '');
    // Without a signature, a request can be changed on its way.
    await peer.publish(bucket);
    relay.act = ({ path }) => (path.includes('list-type=2') ? { path: `${path}&max-keys=1` } : undefined);
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, openInfoOf({ prefix: 'in/', pattern: '*.csv' }), {
      securityLabeled: true,
      securityLabelInfo: labelField,
    });
    assert.equal(outcomeOf(job), 'completed: : ');
    assert.ok(relay.requests.filter(({ path }) => path.includes('list-type=2')).length > 3);
    const receipt = await source.receiptOf(job);
    assert.deepEqual(
      [receipt.written, receipt.files.map(({ name, written }) => [name, written])],
      [
        9,
        [
          ['in/a.csv', 3],
          ['in/b.csv', 3],
          ['in/c d+é.csv', 3],
        ],
      ],
    );
    assert.deepEqual(await numbersOf(datasetId), [0, 2, 10, 12, 20, 22]);
    const other = await fixture.newReader('B');
    assert.deepEqual(await numbersOf(datasetId, other.token), [1, 11, 21]);
    assert.deepEqual(
      (await source.receiptOf(job, other.token)).files.map(({ name, written }) => [name, written]),
      receipt.files.map(({ id }) => [`file ${id.slice(0, 8)}`, 1]),
    );
    const segments = await fixture.call<{ data: Segment[] }>(
      200,
      'GET',
      `/segments?datasetId=${datasetId}&$limit=-1`,
      { token: starter.token },
    );
    assert.deepEqual(
      segments.data.map(({ status }) => status),
      ['completed', 'completed', 'completed'],
    );
  });

  test('a preview of a bucket names its first objects and reads the first one', async () => {
    for (let n = 0; n < 22; n += 1)
      await peer.put(bucket, `many/${String(n).padStart(2, '0')}.csv`, rowsOf(n));
    const datasetId = await fixture.dataset();
    const preview = await source.preview(datasetId, infoOf({ prefix: 'many/' }));
    assert.deepEqual(
      [preview.files.length, preview.files[0], preview.hasMoreFiles, preview.rows.length],
      [20, 'many/00.csv', true, 3],
    );
    const none = await source.preview<{ name: string; message: string }>(
      datasetId,
      infoOf({ prefix: 'none/' }),
      {},
      400,
    );
    assert.equal(none.name, 'DatasourceError');
    assert.match(none.message, /has no object with the prefix "none\/"/);
  });

  test('without keys nothing is signed, even if the server has credentials; with keys these sign', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    await peer.publish(bucket);
    const ofServer = {
      AWS_ACCESS_KEY_ID: 'OF-THE-SERVER',
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-server',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    };
    await withEnvironment(ofServer, async () => {
      const anonymous = await source.run(await fixture.dataset(), openInfoOf());
      assert.equal(outcomeOf(anonymous), 'completed: : ');
      assert.ok(relay.requests.length >= 2);
      for (const { headers } of relay.requests)
        assert.deepEqual([headers.authorization, headers['x-amz-security-token']], [undefined, undefined]);
      relay.requests.length = 0;
      const keys = {
        accessKeyId: 'OF-THE-USER',
        secretAccessKey: 'secret-of-the-user',
        sessionToken: 'tok-en',
      };
      const signed = await source.run(await fixture.dataset(), infoOf(keys));
      assert.match(
        outcomeOf(signed),
        peer.checksSignatures ? /Send new keys with a new token/ : /^completed/,
      );
      for (const { headers } of relay.requests) {
        assert.match(headers.authorization ?? '', /Credential=OF-THE-USER\//);
        assert.equal(headers['x-amz-security-token'], 'tok-en');
      }
      const stored = await Promise.all([
        server.db.selectFrom('uploads').selectAll().execute(),
        server.db.selectFrom('ingest_files').selectAll().execute(),
        server.db.selectFrom('segments').selectAll().execute(),
        server.db.selectFrom('jobs').selectAll().execute(),
      ]);
      assert.doesNotMatch(JSON.stringify([stored, signed]), /OF-THE-|secret-of-the-|tok-en/);
    });
  });

  test('a cut transfer is continued by a range of the same version', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0, 500));
    let cuts = 0;
    relay.act = ({ path }) => (path.includes('a.csv') && cuts++ < 2 ? { cutAfter: 1000 } : undefined);
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf());
    assert.deepEqual([outcomeOf(job), job.recordCount], ['completed: : ', 500]);
    const reads = relay.requests.filter(({ path }) => path.includes('a.csv'));
    assert.deepEqual(
      reads.map(({ headers }) => headers.range),
      [undefined, 'bytes=1000-', 'bytes=2000-'],
    );
    assert.equal(new Set(reads.map(({ headers }) => headers['if-match'])).size, 1);
    assert.match(reads[0]?.headers['if-match'] ?? '', /^".+"$/);
  });

  test('an object that is written after it was listed is read in its new version, and never half of each', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    await peer.put(bucket, 'b.csv', rowsOf(10, 500));
    let reads = 0;
    relay.act = ({ path }) => {
      if (path.includes('a.csv') && reads++ === 0)
        return { before: () => peer.put(bucket, 'a.csv', rowsOf(100)) };
      if (path.includes('b.csv')) {
        if (relay.requests.filter((other) => other.path.includes('b.csv')).length === 1)
          return { cutAfter: 1000 };
        return { before: () => peer.put(bucket, 'b.csv', rowsOf(600, 500)) };
      }
      return undefined;
    };
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf());
    assert.match(
      outcomeOf(job),
      /^failed: FileParseError: 1 of 2 files .* b\.csv: the object changed while it was read/,
    );
    assert.deepEqual(await numbersOf(datasetId), [100, 101, 102]);
    relay.act = () => undefined;
    await fixture.call(200, 'PATCH', `/jobs/${job.id}`, { token: starter.token, body: { status: 'queued' } });
    await server.jobsSettled();
    assert.deepEqual((await numbersOf(datasetId)).length, 503);
  });

  test('with changedSinceJob only new and changed objects are read', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    await peer.put(bucket, 'b.csv', rowsOf(10));
    const datasetId = await fixture.dataset();
    const first = await source.run(datasetId, infoOf());
    await peer.put(bucket, 'b.csv', rowsOf(20));
    await peer.put(bucket, 'c.csv', rowsOf(30));
    relay.requests.length = 0;
    const second = await source.run(datasetId, infoOf({ changedSinceJob: first.id }));
    assert.equal(outcomeOf(second), 'completed: : ');
    assert.deepEqual(
      (await source.receiptOf(second)).files.map(({ name, written, isUnchanged }) => [
        name,
        written,
        isUnchanged,
      ]),
      [
        ['a.csv', 0, true],
        ['b.csv', 3, false],
        ['c.csv', 3, false],
      ],
    );
    assert.ok(relay.requests.every(({ path }) => !path.includes('a.csv')));
    const third = await source.run(datasetId, infoOf({ changedSinceJob: second.id }));
    assert.deepEqual([outcomeOf(third), (await source.receiptOf(third)).written], ['completed: : ', 0]);
    const empty = await source.run(datasetId, infoOf({ changedSinceJob: third.id, prefix: 'none/' }));
    assert.deepEqual([outcomeOf(empty), (await source.receiptOf(empty)).fileCount], ['completed: : ', 0]);
    await source.send(datasetId, infoOf({ changedSinceJob: 'none' }), {}, 404);
    await source.send(datasetId, infoOf({ changedSinceJob: first.id }), { writeMode: 'replace' }, 400);
  });

  test('a schedule whose bucket was empty in between stores no object a second time', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    const datasetId = await fixture.dataset();
    const request = { dataSourceParams: { type: 'S3', connectionInfo: infoOf() } };
    const body = { datasetId, name: 'Each hour', cron: '0 * * * *', request };
    const { token } = starter;
    const { id } = await fixture.call<Schedule>(201, 'POST', '/schedules', { token, body });
    const run = async (): Promise<unknown[]> => {
      const { jobId } = await fixture.call<ScheduleRun>(202, 'POST', `/schedules/${id}/runs`, { token });
      await server.jobsSettled();
      const job = await fixture.call<Job>(200, 'GET', `/jobs/${jobId ?? ''}`, { token });
      return [outcomeOf(job), (await source.receiptOf(job)).fileCount, await numbersOf(datasetId)];
    };
    assert.deepEqual(await run(), ['completed: : ', 1, [0, 1, 2]]);
    const headers = { 'content-type': 'application/xml' };
    relay.act = () => ({ response: { status: 200, headers, body: '<ListBucketResult/>' } });
    assert.deepEqual(await run(), ['completed: : ', 0, [0, 1, 2]]);
    relay.act = () => undefined;
    assert.deepEqual(await run(), ['completed: : ', 1, [0, 1, 2]]);
  });

  test('replace and upsert work as for files, and a failed listing replaces nothing', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    const datasetId = await fixture.dataset();
    await source.run(datasetId, infoOf());
    await peer.put(bucket, 'a.csv', rowsOf(1));
    await source.run(datasetId, infoOf(), { writeMode: 'upsert', keyColumns: ['n'] });
    assert.deepEqual(await numbersOf(datasetId), [0, 1, 2, 3]);
    const failed = await source.run(datasetId, infoOf({ prefix: 'none/' }), { writeMode: 'replace' });
    assert.match(outcomeOf(failed), /^failed: DatasourceError: .* has no object with the prefix "none\/"/);
    assert.deepEqual(await numbersOf(datasetId), [0, 1, 2, 3]);
    const replaced = await source.run(datasetId, infoOf(), { writeMode: 'replace' });
    assert.deepEqual([outcomeOf(replaced), await numbersOf(datasetId)], ['completed: : ', [1, 2, 3]]);
  });

  test('a job that was stopped after the listing reads the objects that it listed, each once', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    await peer.put(bucket, 'b.csv', rowsOf(10));
    relay.act = ({ path }) => (path.includes('b.csv') ? { isSilent: true } : undefined);
    const datasetId = await fixture.dataset();
    const { id } = await source.send(datasetId, infoOf());
    while (!relay.requests.some(({ path }) => path.includes('b.csv')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await fixture.call(200, 'PATCH', `/jobs/${id}`, { token: starter.token, body: { status: 'canceled' } });
    await server.jobsSettled();
    assert.deepEqual(await numbersOf(datasetId), [0, 1, 2]);
    relay.act = () => undefined;
    await peer.put(bucket, 'c.csv', rowsOf(20));
    await fixture.call(200, 'PATCH', `/jobs/${id}`, { token: starter.token, body: { status: 'queued' } });
    await server.jobsSettled();
    assert.deepEqual(await numbersOf(datasetId), [0, 1, 2, 10, 11, 12]);
    assert.equal(
      (await fixture.call<Job>(200, 'GET', `/jobs/${id}`, { token: starter.token })).status,
      'completed',
    );
  });

  test('a bucket that cannot be used fails the job with its host, its port, and what to do', async () => {
    const failures: [object, RegExp][] = [
      [
        infoOf({ bucket: 'no-such-bucket' }),
        /"no-such-bucket" at 127\.0\.0\.1:\d+: it answered 404 \(NoSuchBucket\)\. Check the name/,
      ],
      [
        infoOf({ endpoint: 'http://127.0.0.1:1' }),
        /at 127\.0\.0\.1:1: it did not respond \(ECONNREFUSED\)\. Check the endpoint/,
      ],
      [
        infoOf({ endpoint: 'http://nowhere.invalid' }),
        /at nowhere\.invalid:80: The name nowhere\.invalid has no address/,
      ],
    ];
    for (const [info, message] of failures) {
      const job = await source.run(await fixture.dataset(), info);
      assert.match(outcomeOf(job), /^failed: DatasourceError: Cannot use the S3 bucket/);
      assert.match(outcomeOf(job), message);
    }
    const xml = { 'content-type': 'application/xml' };
    const responses = [
      [
        {
          status: 403,
          headers: xml,
          body: '<Error><Code>AccessDenied</Code><Message>arn:secret</Message></Error>',
        },
        /403 \(AccessDenied\)\. Check the access keys/,
      ],
      [
        { status: 400, headers: xml, body: '<Error><Code>ExpiredToken</Code></Error>' },
        /400 \(ExpiredToken\)\. Send new keys with a new token/,
      ],
      [
        {
          status: 301,
          headers: { ...xml, location: `${peer.endpoint}/${bucket}` },
          body: '<Error><Code>PermanentRedirect</Code></Error>',
        },
        /301 \(PermanentRedirect\)\. Check the region/,
      ],
      [{ status: 200, headers: xml, body: `<a>${'x'.repeat(9_000_000)}</a>` }, /its response is too long/],
      [{ status: 200, headers: xml, body: '<a' }, /unknown error|Error/],
    ] as const;
    for (const [response, message] of responses) {
      relay.act = () => ({ response });
      const job = await source.run(await fixture.dataset(), infoOf());
      assert.match(outcomeOf(job), /^failed: /);
      assert.match(outcomeOf(job), message);
      assert.ok(!outcomeOf(job).includes('secret'));
    }
  });

  test('a bucket that not everybody may read is refused without keys', async () => {
    await peer.put(bucket, 'a.csv', rowsOf(0));
    const job = await source.run(await fixture.dataset(), openInfoOf());
    assert.match(
      outcomeOf(job),
      /^failed: DatasourceError: .* it answered 403 \(\w+\)\. Check the access keys/,
    );
  });

  test('an object is read by its key, whatever characters it has', async () => {
    const keys = [
      '/leading.csv',
      '//double//slash.csv',
      " !'()*~+ ,;:@$#?&=.csv",
      '%2F%20%<>&quot;"[]{}|^`\\\u007f.csv',
      'e\u0301é/ÿ/日本/😀.csv',
      // moto cannot store it.
      ...(peer.checksSignatures ? ['a\tb\r\nc.csv'] : []),
    ];
    for (const [n, key] of keys.entries()) await peer.put(bucket, key, rowsOf(n, 1));
    const datasetId = await fixture.dataset();
    const job = await source.run(datasetId, infoOf());
    assert.equal(outcomeOf(job), 'completed: : ');
    // versitygw stores objects as files, so it drops empty parts of keys.
    const nameOf = (key: string): string =>
      peer.checksSignatures ? key.split('/').filter(Boolean).join('/') : key;
    assert.deepEqual(
      (await source.receiptOf(job)).files.map(({ name }) => name).toSorted(),
      keys.map(nameOf).toSorted(),
    );
    assert.deepEqual(await numbersOf(datasetId), [...keys.keys()]);
    for (const prefix of ['e\u0301é/ÿ/', '%2F%20%<>', " !'()*~+ ,;:@$#?&"])
      assert.equal((await source.preview(datasetId, infoOf({ prefix }))).files.length, 1, prefix);
  });

  const unsigned = 'moto checks no signatures; npm run test:ingest runs it with versitygw';
  describe(
    'from a service that checks signatures',
    { skip: peer.checksSignatures ? false : unsigned },
    () => {
      const wrongKey = 'wr0ng/secret+of=the-test';
      const refusals = [
        [{ secretAccessKey: wrongKey }, /answered 403 \(SignatureDoesNotMatch\)\. Check the access keys/],
        [
          { accessKeyId: 'NOBODY-OF-THE-TEST' },
          /answered 403 \(InvalidAccessKeyId\)\. Check the access keys/,
        ],
        [{ region: 'eu-central-1' }, /answered 400 \(AuthorizationHeaderMalformed\)\. Check the region/],
      ] as const;
      const secrets = [wrongKey, peer.keys.secretAccessKey, peer.keys.accessKeyId, 'NOBODY-OF-THE-TEST'];
      const requireNoSecret = (shown: unknown): void => {
        for (const secret of secrets) assert.ok(!JSON.stringify(shown).includes(secret), secret);
      };

      test('wrong keys and a wrong region name the bucket, its host and what to check, and no key', async () => {
        await peer.put(bucket, 'a.csv', rowsOf(0));
        await peer.publish(bucket);
        const datasetId = await fixture.dataset();
        for (const [wrong, message] of refusals) {
          const job = await source.run(datasetId, infoOf(wrong));
          assert.match(
            outcomeOf(job),
            /^failed: DatasourceError: Cannot use the S3 bucket "bucket-\d+" at 127\.0\.0\.1:\d+: it /,
          );
          assert.match(outcomeOf(job), message);
          const preview = await source.preview<{ message: string }>(datasetId, infoOf(wrong), {}, 400);
          assert.match(preview.message, message);
          requireNoSecret([job, preview]);
        }
        assert.deepEqual(await numbersOf(datasetId), []);
        requireNoSecret(server.log);
      });

      test('a stored connection with wrong keys fails its test, and passes it when they are replaced', async () => {
        await peer.put(bucket, 'a.csv', rowsOf(0));
        const { token } = starter;
        const connectionInfo = infoOf();
        const body = {
          workspaceId: fixture.workspace.id,
          name: 'Measurements',
          type: 'S3',
          connectionInfo: { ...connectionInfo, secretAccessKey: wrongKey },
        };
        const { id } = await fixture.call<Connection>(201, 'POST', '/connections', { token, body });
        const check = (): Promise<ConnectionTest> =>
          fixture.call(200, 'POST', `/connections/${id}/test`, { token });
        const refused = await check();
        assert.equal(refused.succeeded, false);
        assert.match(refused.message, /403 \(SignatureDoesNotMatch\)\. Check the access keys/);
        requireNoSecret(refused);
        await fixture.call(200, 'PATCH', `/connections/${id}`, { token, body: { connectionInfo } });
        assert.deepEqual((await check()).found, ['a.csv']);
        const job = await source.run(
          await fixture.dataset(),
          {},
          {
            dataSourceParams: { type: 'S3', connectionId: id, connectionInfo: {} },
          },
        );
        assert.equal(outcomeOf(job), 'completed: : ');
      });

      test('the signature covers keys with slashes at their start and in their middle as they are', async () => {
        await peer.put(bucket, 'in/a.csv', rowsOf(0));
        const keys = ['/in/a.csv', '//in/a.csv', 'in//a.csv'];
        relay.act = ({ path }) =>
          path.includes('list-type=2')
            ? {
                response: {
                  status: 200,
                  headers: { 'content-type': 'application/xml' },
                  body: `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`,
                },
              }
            : undefined;
        const job = await source.run(await fixture.dataset(), infoOf());
        assert.deepEqual([outcomeOf(job), job.recordCount], ['completed: : ', 9]);
        assert.deepEqual(
          new Set(relay.requests.flatMap(({ path }) => (path.includes('a.csv') ? [path.split('?')[0]] : []))),
          new Set(keys.map((key) => `/${bucket}/${key}`)),
        );
      });

      test('an object that was uploaded in parts is continued and recognised by the ETag of its parts', async () => {
        await peer.putParts(bucket, 'a.csv', partsOf(2));
        relay.act = ({ path, headers }) =>
          path.includes('a.csv') && headers.range === undefined ? { cutAfter: 5_000_000 } : undefined;
        const datasetId = await fixture.dataset();
        const first = await source.run(datasetId, infoOf());
        assert.deepEqual([outcomeOf(first), first.recordCount], ['completed: : ', 21]);
        const reads = relay.requests.filter(({ path }) => path.includes('a.csv'));
        assert.equal(reads.length, 2);
        assert.match(reads[1]?.headers.range ?? '', /^bytes=[1-9]\d+-$/);
        for (const { headers } of reads) assert.match(headers['if-match'] ?? '', /^"[0-9a-f]{32}-2"$/);
        relay.requests.length = 0;
        const second = await source.run(datasetId, infoOf({ changedSinceJob: first.id }));
        assert.equal((await source.receiptOf(second)).files[0]?.isUnchanged, true);
        assert.ok(relay.requests.every(({ path }) => !path.includes('a.csv')));
        await peer.putParts(bucket, 'a.csv', partsOf(3));
        const third = await source.run(datasetId, infoOf({ changedSinceJob: second.id }));
        assert.deepEqual([outcomeOf(third), third.recordCount], ['completed: : ', 21]);
        assert.equal((await numbersOf(datasetId)).at(-1), 3);
      });

      test('a bucket is listed in pages of 1,000 keys', async () => {
        const folder = 'p +é%&/';
        for (let n = 0; n <= 1000; n += 1)
          await peer.put(bucket, `${folder}${String(n).padStart(4, '0')} +é%.csv`, rowsOf(n, 1));
        const datasetId = await fixture.dataset();
        const job = await source.run(datasetId, infoOf({ prefix: folder, pattern: '?000*' }));
        assert.equal(outcomeOf(job), 'completed: : ');
        assert.deepEqual(await numbersOf(datasetId), [0, 1000]);
        const pages = relay.requests.filter(({ path }) => path.includes('list-type=2'));
        assert.deepEqual(
          pages.map(({ path }) => path.includes('continuation-token=')),
          [false, true],
        );
      });
    },
  );

  test('connection information of a bucket that cannot be right is 400 and names its field', async () => {
    const datasetId = await fixture.dataset();
    for (const [name, value] of [
      ['region', 'us.east@host'],
      ['region', undefined],
      ['bucket', 's3://bucket'],
      ['bucket', 'arn:aws:s3:::bucket'],
      ['bucket', '../other'],
      ['bucket', undefined],
      ['endpoint', 'ftp://host'],
      ['endpoint', 'http://user:pw@host'],
      ['endpoint', 'http://host/path'],
      ['endpoint', 'http://host/?x'],
      ['pattern', '[ab].csv'],
      ['pathStyle', 'yes'],
      ['secretAccessKey', 'only-one'],
      ['sessionToken', 'alone'],
      ['more', 1],
    ] as const) {
      const field = name === 'secretAccessKey' ? 'accessKeyId' : name;
      const { errors } = await source.send<{ errors: { field: string; message: string }[] }>(
        datasetId,
        openInfoOf({ [name]: value }),
        {},
        400,
      );
      assert.match(
        errors[0]?.field ?? '',
        new RegExp(`(^|\\.)(${field}|connectionInfo)$`),
        JSON.stringify([name, value, errors]),
      );
      assert.ok(!JSON.stringify(errors).includes('only-one'));
    }
  });

  test("the server's own service is refused by its name, and by its address under another name of the host", async () => {
    const datasetId = await fixture.dataset();
    const endpoint = ownRelay.url;
    const alias = `http://localhost:${new URL(endpoint).port}`;
    for (const bucket of ['own-files', 'other-files']) {
      await source.send(datasetId, infoOf({ endpoint, bucket }), {}, 400);
      const job = await source.run(datasetId, infoOf({ endpoint: alias, bucket }));
      assert.match(outcomeOf(job), /^failed: DatasourceError: .*has addresses that this server may not call/);
    }
    assert.deepEqual(ownRelay.requests, []);
  });

  test("a shared bucket of the server's own service is read, unless a key leads out of it", async () => {
    const [datasetId, shared] = [
      await fixture.dataset(),
      infoOf({ endpoint: ownRelay.url, bucket: 'shared-files' }),
    ];
    await peer.put('shared-files', 'a.csv', rowsOf(0));
    assert.equal(outcomeOf(await source.run(datasetId, shared)), 'completed: : ');
    ownRelay.requests.length = 0;
    ownRelay.act = ({ path }) =>
      path.includes('list-type=2')
        ? {
            response: {
              status: 200,
              headers: { 'content-type': 'application/xml' },
              body: '<ListBucketResult><Contents><Key>../own-files/a.csv</Key><Size>1</Size></Contents></ListBucketResult>',
            },
          }
        : undefined;
    const escaping = await source.run(datasetId, shared);
    assert.match(outcomeOf(escaping), /^failed: DatasourceError: .*"\." or "\.\." as a part of its key/);
    assert.equal(ownRelay.requests.length, 1);
    assert.deepEqual(await numbersOf(datasetId), [0, 1, 2]);
  });
});

test('a server that may not call private addresses reads no bucket there', async () => {
  const server = await startServer({ allowsPrivateSources: false });
  try {
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset();
    const start = (endpoint: string, status: number): Promise<Job> =>
      fixture.call<Job>(status, 'POST', '/ingest?isAsync=true', {
        body: {
          datasetId,
          dataSourceParams: { type: 'S3', connectionInfo: { endpoint, region: 'us-east-1', bucket: 'abc' } },
        },
      });
    for (const endpoint of [
      'http://127.0.0.1:9000',
      'http://[::1]',
      'http://169.254.169.254',
      'http://10.0.0.1',
    ])
      await start(endpoint, 400);
    const { id } = await start('http://localhost.:9000', 202);
    await server.jobsSettled();
    const { error } = await fixture.call<Job>(200, 'GET', `/jobs/${id}`);
    assert.match(error?.message ?? '', /has no address, or has addresses that this server may not call/);
  } finally {
    await server.close();
  }
});
