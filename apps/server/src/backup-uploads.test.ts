/* Shows: A-upload-backup */
import type {
  Connection,
  Job,
  JobReceipt,
  RecordSource,
  RejectedRow,
  Schedule,
  Upload,
  UploadResult,
} from '@redoubt/contract';
import { makeMail } from '@redoubt/file-formats/testing';
import { createRecordFixture, multipartBody, sendRequest, signIn, startTestS3 } from '@redoubt/testkit';
import { startTestClickhouse } from '@redoubt/records/testing';
import {
  createPostgresDatabase,
  metadataEngine,
  migrateDataFolder,
  programEnvironment,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-backup-uploads-'));
const servers: ServerProcess[] = [];
after(async () => {
  for (const server of servers) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const program = join(import.meta.dirname, 'redoubt.ts');
const run = promisify(execFile);

const redoubt = async (
  dataDir: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<void> => {
  const env = { ...programEnvironment, ...environment, DATA_DIR: dataDir };
  await run(process.execPath, [program, ...args], { env });
};

type Tables = Record<string, Record<string, unknown>[]>;

/** Changes the metadata of a backup in a folder. */
const changeBackup = (place: string, change: (tables: Tables) => void): void => {
  const file = join(place, 'metadata.json');
  const copy = JSON.parse(readFileSync(file, 'utf8')) as { tables: Tables };
  change(copy.tables);
  writeFileSync(file, JSON.stringify(copy));
};

/** Sends requests to a server as one person. */
const callsOf = (server: ServerProcess, token: string) => ({
  call: async <Result>(method: 'DELETE' | 'GET' | 'PATCH' | 'POST', path: string, body?: unknown) => {
    const response = await sendRequest<Result>(server, method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(
      response.status < 300,
      `${method} ${path} answered ${response.status}: ${JSON.stringify(response.body)}`,
    );
    return response.body;
  },
});
type Call = ReturnType<typeof callsOf>['call'];

const ended = async (call: Call, id: string): Promise<Job> => {
  for (;;) {
    const job = await call<Job>('GET', `/jobs/${id}`);
    if (job.endedAt !== null) return job;
    await delay(50);
  }
};

interface Row extends Record<string, unknown> {
  _koverse_record_id: string;
}
const rowsOf = async (call: Call, datasetId: string): Promise<Row[]> =>
  (
    await call<{ records: Row[] }>('POST', '/readInSequence', {
      datasetId,
      batchSize: -1,
      includeInternalRecordId: true,
    })
  ).records;

/** The storage of two servers: their files, records and metadata. */
interface Storage {
  /** The environment of the server that is backed up, and of the one that the backup is restored to. */
  environments: readonly [Record<string, string>, Record<string, string>];
  stop(): Promise<void>;
}

const inFolders = async (): Promise<Storage> => ({ environments: [{}, {}], stop: async () => undefined });

const inBucket = async (): Promise<Storage> => {
  const { bucket, endpoint, credentials, stop } = await startTestS3();
  const environment = (prefix: string): Record<string, string> => ({
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_PREFIX: prefix,
  });
  return { environments: [environment('here'), environment('there')], stop };
};

/** A database of its own for each of the servers, on the same PostgreSQL and ClickHouse. */
const onServers = async (): Promise<Storage> => {
  const { url, username, password, stop } = await startTestClickhouse();
  const environment = async (name: string): Promise<Record<string, string>> => ({
    DATABASE_URL: await createPostgresDatabase(),
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: `test_backup_${name}`,
    JWT_SECRET: 'the same secret for both of the servers',
  });
  return { environments: [await environment('here'), await environment('there')], stop };
};

const checkRestore = async (name: string, open: () => Promise<Storage>): Promise<void> => {
  const { environments, stop } = await open();
  const [here, there] = environments;
  try {
    const first = join(folder, `${name}-first`);
    const server = await startServerProcess({
      dataDir: await migrateDataFolder(first),
      environment: here,
    });
    servers.push(server);
    const fixture = await createRecordFixture(server);
    const datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const person = await fixture.newReader();
    const upload = async (fileName: string, content: string): Promise<UploadResult> => {
      const { body, headers } = multipartBody([
        { name: 'datasetId', content: datasetId },
        { name: 'files', fileName, content },
      ]);
      const { text } = await fixture.post('/uploads', body, { token: person.token, headers });
      return JSON.parse(text) as UploadResult;
    };
    const { call } = callsOf(server, person.token);
    const whole = await upload('whole.csv', 'n,m\n1,1\n2\n3,3\n');
    const broken = await upload('broken.csv', 'k\n1\n2\n3\n');
    for (const { jobId } of [whole, broken]) assert.equal((await ended(call, jobId)).status, 'completed');
    const before = await call<JobReceipt>('GET', `/jobs/${whole.jobId}/receipt`);
    assert.deepEqual([before.written, before.rejected], [2, 1]);
    const stored = (await rowsOf(call, datasetId)).find(({ k }) => k !== undefined);
    const mailDataset = await fixture.dataset(['read', 'write', 'manage']);
    const holder = await fixture.newReader('A');
    const { body: mail, headers: mailHeaders } = multipartBody([
      { name: 'datasetId', content: mailDataset },
      { name: 'processAsDocument', content: 'true' },
      {
        name: 'accessControlLabel',
        content: JSON.stringify({
          securityLabeled: true,
          securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'A' },
        }),
      },
      {
        name: 'files',
        fileName: 'notice.eml',
        content: makeMail('Notice', [{ name: 'note.txt', content: 'a note' }]),
      },
    ]);
    const mailed = await fixture.post('/uploads', mail, { token: holder.token, headers: mailHeaders });
    const { call: byHolder } = callsOf(server, holder.token);
    assert.equal(
      (await ended(byHolder, (JSON.parse(mailed.text) as UploadResult).jobId)).status,
      'completed',
    );
    const noteId = (await rowsOf(byHolder, mailDataset)).find(({ file_name: file }) => file === 'note.txt')?.[
      'document_id'
    ];
    const notePath = `/serve-media/${mailDataset}?documentId=${String(noteId)}`;
    const connection = await byHolder<Connection>('POST', '/connections', {
      workspaceId: fixture.workspace.id,
      name: 'Source',
      type: 'URL',
      connectionInfo: { headers: { 'x-key': 'sealed' } },
      allowed: { urlPrefixes: ['https://example.org/'] },
      minimumLabel: 'A',
    });
    const schedule = await byHolder<Schedule>('POST', '/schedules', {
      datasetId: mailDataset,
      name: 'Rows',
      cron: '0 0 1 1 *',
      request: {
        dataSourceParams: {
          type: 'URL',
          connectionInfo: { urls: [{ url: 'https://example.org/rows.csv' }] },
        },
      },
    });

    const place = join(folder, `${name}-copy`);
    await redoubt(first, here, 'backup', place);
    await server.stop();
    // Simulates a backup that was made after a process had stored a block and died before it recorded that.
    changeBackup(place, (tables) => {
      for (const file of tables['ingest_files'] ?? [])
        if (file['id'] === broken.files[0]?.id) Object.assign(file, { next_row: 0, written: 0 });
      for (const job of tables['jobs'] ?? []) if (job['id'] === broken.jobId) job['status'] = 'failed';
      for (const segment of tables['segments'] ?? [])
        if (segment['job_id'] === broken.jobId) segment['status'] = 'failed';
      tables['ingest_blocks'] = [
        {
          file_id: broken.files[0]?.id,
          dataset_id: datasetId,
          seed: 'any',
          first_row: 0,
          record_id: stored?.['_koverse_record_id'],
          outcome: JSON.stringify({ nextRow: 3, written: 3, rejected: 0, dropped: 0 }),
        },
      ];
    });

    const second = join(folder, `${name}-second`);
    await redoubt(second, there, 'restore', place);
    const restored = await startServerProcess({ dataDir: second, environment: there });
    servers.push(restored);
    const token = await signIn(restored, person, fixture.workspace.id);
    const { call: again } = callsOf(restored, token);
    assert.deepEqual(await again<JobReceipt>('GET', `/jobs/${whole.jobId}/receipt`), before);
    const { data: uploads } = await again<{ data: Upload[] }>('GET', `/uploads?datasetId=${datasetId}`);
    assert.deepEqual(new Set(uploads.map(({ recordCount }) => recordCount)), new Set([2, 3]));
    const record = (await rowsOf(again, datasetId)).find(({ n }) => n === 3);
    const source = await again<RecordSource>(
      'GET',
      `/datasets/${datasetId}/records/${record?.['_koverse_record_id'] ?? ''}/source`,
    );
    assert.deepEqual([source.fileName, source.line], ['whole.csv', 4]);

    const { call: holderAgain } = callsOf(restored, await signIn(restored, holder, fixture.workspace.id));
    const note = await holderAgain<{ url: string }>('GET', notePath);
    assert.equal(await (await fetch(note.url)).text(), 'a note');
    assert.equal((await sendRequest(restored, 'GET', notePath, { token })).status, 404);
    assert.deepEqual(await holderAgain<Connection>('GET', `/connections/${connection.id}`), connection);
    assert.deepEqual(await holderAgain<Schedule>('GET', `/schedules/${schedule.id}`), schedule);
    assert.equal(
      (await sendRequest(restored, 'GET', `/connections/${connection.id}`, { token })).status,
      404,
    );
    assert.equal((await again<Schedule>('GET', `/schedules/${schedule.id}`)).request, null);

    // The records in the engine show that the block was stored, so it is not stored again. The file is read again to
    // its end.
    await again('PATCH', `/jobs/${broken.jobId}`, { status: 'queued' });
    assert.equal((await ended(again, broken.jobId)).status, 'completed');
    const receipt = await again<JobReceipt>('GET', `/jobs/${broken.jobId}/receipt`);
    assert.equal(receipt.received, 3);
    assert.equal((await rowsOf(again, datasetId)).filter(({ k }) => k !== undefined).length, 3);

    const rejected = `/rejected-rows?datasetId=${datasetId}`;
    const [row] = (await again<{ data: RejectedRow[] }>('GET', rejected)).data;
    const rows = [{ id: row?.id, text: '{"n":2,"m":2}' }];
    const replay = await again<Job>('POST', `/jobs/${whole.jobId}/rejected-rows/replay`, { rows });
    assert.equal((await ended(again, replay.id)).status, 'completed');
    const numbers = (await rowsOf(again, datasetId)).flatMap(({ n }) => (n === undefined ? [] : [n]));
    assert.equal(numbers.length, 3);
    assert.deepEqual(new Set(numbers), new Set([1, 2, 3]));
    await restored.stop();
  } finally {
    await stop();
  }
};

const isOnServers = metadataEngine() === 'postgres';
const onlyEmbedded = { skip: isOnServers ? 'runs on the embedded engines' : false };
const onlyServers = { skip: isOnServers ? false : 'needs a PostgreSQL server' };

test(
  'uploads, their files, receipts, rejected rows and blocks survive a backup and its restore',
  onlyEmbedded,
  () => checkRestore('folder', inFolders),
);

test('uploads with files in a bucket survive a backup and its restore', onlyEmbedded, () =>
  checkRestore('bucket', inBucket),
);

test('uploads on PostgreSQL and ClickHouse survive a backup and its restore', onlyServers, () =>
  checkRestore('servers', onServers),
);
