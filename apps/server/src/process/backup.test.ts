/* Shows: A-audit-chain, L24, A-backup, A-socket-path */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sendCommand, openControl, OperatorError } from '../platform/control/index.ts';
import { openS3Store } from '../platform/files/index.ts';
import { bodyOf, createRecordFixture, labelField, signIn, startTestS3 } from '@redoubt/testkit';
import {
  programEnvironment,
  migrateDataFolder,
  startServerProcess,
  ServerDidNotStart,
  type ServerProcess,
} from '@redoubt/server/testing';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-backup-'));
const servers: ServerProcess[] = [];
after(async () => {
  for (const server of servers) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const program = join(import.meta.dirname, '../redoubt.ts');

const redoubt = (dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> =>
  redoubtWith({}, dataDir, ...args);

const redoubtWith = (
  environment: Record<string, string>,
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const env = { ...programEnvironment, ...environment, DATA_DIR: join(folder, dataDir) };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: stdout + stderr });
    });
  });

test('a backup during writes contains every record acknowledged before it with its label, and no incomplete write', async () => {
  const server = await startServerProcess({ dataDir: await migrateDataFolder(join(folder, 'first')) });
  servers.push(server);
  const fixture = await createRecordFixture(server);
  const id = await fixture.dataset(['read', 'write', 'manage']);
  const holder = await fixture.newReader('KEEP', 'MOVED');
  const other = await fixture.newReader('MOVED');
  const write = async (records: unknown[]): Promise<void> => {
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField, token: holder.token }));
  };
  const read = async (url: string, token: string) => {
    const body = JSON.stringify({ datasetId: id, startingRecordId: '', includeInternalFields: true });
    const response = await fetch(`${url}/readInSequence`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    assert.equal(response.status, 200);
    return (await response.json()) as { records: Record<string, unknown>[]; total: number };
  };

  await write(Array.from({ length: 500 }, (_, n) => ({ label: 'KEEP', n, real: 1.0, exact: '2^53+1' })));
  const before = (await read(server.url, holder.token)).records;
  const moved = before.slice(0, 20).map((record) => ({ ...record, label: 'MOVED', n: -1 }));
  await write(moved);

  const state = { writing: true };
  const acknowledged: string[] = [];
  let round = 0;
  const writer = async (): Promise<void> => {
    while (state.writing) {
      const batch = `batch${(round += 1)}`;
      const label = round % 7 === 0 ? `KEEP|NEW${round}` : 'KEEP';
      await write(Array.from({ length: 5 }, () => ({ label, batch })));
      acknowledged.push(batch);
      // Leave some CPU to the backup.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const writers = Array.from({ length: 6 }, writer);
  while (acknowledged.length < 30) await new Promise((resolve) => setTimeout(resolve, 10));
  const certain = [...acknowledged];
  const made = await redoubt('first', 'backup', join(folder, 'copy'));
  state.writing = false;
  await Promise.all(writers);
  assert.deepEqual([made.code, /1 datasets/.test(made.text)], [0, true], made.text);
  assert.equal(statSync(join(folder, 'copy')).mode & 0o77, 0);

  const again = await redoubt('first', 'backup', join(folder, 'copy'));
  assert.deepEqual([again.code, /exists already/.test(again.text)], [1, true], again.text);
  const checked = await redoubt('first', 'audit', 'verify');
  assert.deepEqual(
    [checked.code, /events, all as they were written/.test(checked.text)],
    [0, true],
    checked.text,
  );
  const busy = await redoubt('first', 'restore', join(folder, 'copy'));
  assert.deepEqual([busy.code, /in use by process/.test(busy.text)], [1, true], busy.text);
  await server.stop();

  const restored = await redoubt('second', 'restore', join(folder, 'copy'));
  assert.equal(restored.code, 0, restored.text);
  const second = await startServerProcess({ dataDir: join(folder, 'second') });
  servers.push(second);
  try {
    const token = await signIn(second, holder, fixture.workspace.id);
    const { records, total } = await read(second.url, token);
    assert.equal(records.length, total);
    const batches = new Map<unknown, number>();
    for (const { batch } of records)
      if (batch !== undefined) batches.set(batch, (batches.get(batch) ?? 0) + 1);
    for (const batch of certain) assert.equal(batches.get(batch), 5, `${batch} is incomplete`);
    assert.deepEqual(new Set(batches.values()), new Set([5]));
    assert.equal(records.filter(({ real }) => real === 1).length, 500);
    const seenByOther = await read(second.url, await signIn(second, other, fixture.workspace.id));
    assert.equal(seenByOther.records.length, 20);
    assert.ok(
      seenByOther.records.every(
        (record) => record['_koverse_security_label'] === 'MOVED' && record['n'] === -1,
      ),
    );
    const verified = await redoubt('second', 'audit', 'verify');
    assert.equal(verified.code, 0, verified.text);
    const [, events] = /workspace \S+: (\d+) events/.exec(verified.text) ?? [];
    // The events of the backup, and the two sign-ins and two reads since.
    assert.ok(Number(events) > 30, verified.text);
    const old = await fetch(`${second.url}/me`, { headers: { authorization: `Bearer ${holder.token}` } });
    assert.equal(old.status, 401);
  } finally {
    await second.stop();
  }
  const full = await redoubt('second', 'restore', join(folder, 'copy'));
  assert.deepEqual([full.code, /has accounts already/.test(full.text)], [1, true], full.text);
});

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('an uploaded file');
}

test('a backup to a bucket restores records and files, and no existing location is overwritten', async () => {
  const s3 = await startTestS3();
  const environment = {
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    S3_PREFIX: 'here',
  };
  const filesUnder = (prefix: string) => openS3Store(s3, { bucket: s3.bucket, prefix });
  try {
    const server = await startServerProcess({
      dataDir: await migrateDataFolder(join(folder, 'bucket')),
      environment,
    });
    servers.push(server);
    const fixture = await createRecordFixture(server);
    const id = await fixture.dataset(['read', 'write', 'manage']);
    const holder = await fixture.newReader('KEEP');
    bodyOf(
      200,
      await fixture.write(id, [{ label: 'KEEP', n: 1 }], { labelInfo: labelField, token: holder.token }),
    );
    await filesUnder('here/files/').put('a/upload.pdf', content());
    const place = `s3://${s3.bucket}/backups/monday`;
    const made = await redoubt('bucket', 'backup', place);
    assert.deepEqual([made.code, /1 datasets/.test(made.text)], [0, true], made.text);
    const again = await redoubt('bucket', 'backup', place);
    assert.deepEqual([again.code, /exists already/.test(again.text)], [1, true], again.text);
    for (const [wrong, message] of [
      ['s3://other-bucket/x', /cannot use the S3 bucket "other-bucket" at .* \(NoSuchBucket\)/i],
      ['s3:/nowhere', /must be a folder or s3:\/\/bucket\/name, got "s3:\/nowhere"/],
    ] as const) {
      const refused = await redoubt('bucket', 'backup', wrong);
      assert.deepEqual([refused.code, message.test(refused.text)], [1, true], refused.text);
    }
    await server.stop();
    const elsewhere = { ...environment, S3_PREFIX: 'there' };
    const none = await redoubtWith(elsewhere, 'restored', 'restore', `${place}y`);
    assert.deepEqual([none.code, /is not a backup/.test(none.text)], [1, true], none.text);
    const restored = await redoubtWith(elsewhere, 'restored', 'restore', place);
    assert.equal(restored.code, 0, restored.text);
    assert.deepEqual(await filesUnder('there/files/').head('a/upload.pdf'), {
      name: 'a/upload.pdf',
      size: 16,
    });
    const second = await startServerProcess({ dataDir: join(folder, 'restored'), environment: elsewhere });
    servers.push(second);
    const token = await signIn(second, holder, fixture.workspace.id);
    const response = await fetch(`${second.url}/datasets/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(((await response.json()) as { recordCount: number }).recordCount, 1);
    await second.stop();
  } finally {
    await s3.stop();
  }
});

test('an unexpected error of a backup is logged, and the operator is referred to the log', async () => {
  const place = join(folder, 'control');
  mkdirSync(place);
  const errors: unknown[] = [];
  const cause = new Error('a value of a record');
  const control = await openControl(
    place,
    { backup: () => Promise.reject(cause) },
    (each) => void errors.push(each),
  );
  try {
    await assert.rejects(sendCommand(place, ['backup', 'x']), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.equal(error.message, 'The command failed. The log of the server has the cause.');
      return true;
    });
  } finally {
    await control.close();
  }
  assert.deepEqual(errors, [cause]);
});

test('the error for a data folder whose path is too long for a socket is one line', async () => {
  const long = join(folder, 'x'.repeat(100));
  await assert.rejects(startServerProcess({ dataDir: long }), (error) => {
    assert.ok(error instanceof ServerDidNotStart);
    assert.match(
      error.output,
      /^The path of the data folder .* is \d+ bytes too long for the socket in it\. Set DATA_DIR to a shorter path\.$/m,
    );
    return true;
  });
});

test('a restore from a location without a backup is rejected and leaves nothing behind', async () => {
  const none = await redoubt('third', 'restore', join(folder, 'nowhere'));
  assert.deepEqual([none.code, /is not a backup/.test(none.text)], [1, true], none.text);
  const nobody = await redoubt('third', 'backup', join(folder, 'copy3'));
  assert.deepEqual([nobody.code, /No server is running on/.test(nobody.text)], [1, true], nobody.text);
  assert.deepEqual((await redoubt('third', 'burn', 'x')).code, 1);
});

test('every metadata table is either in a backup or left out on purpose', async () => {
  const { copiedTables, leftOutTables } = await import('../platform/backup/metadata-copy.repository.ts');
  const folderOfMigrations = join(import.meta.dirname, '../platform/db/migrations');
  const named = (pattern: RegExp): (string | undefined)[] =>
    readdirSync(folderOfMigrations).flatMap((file) =>
      Array.from(readFileSync(join(folderOfMigrations, file), 'utf8').matchAll(pattern), ([, name]) => name),
    );
  const dropped = new Set(named(/drop table (\w+)/g));
  const present = new Set(named(/create table (\w+)/g).filter((name) => !dropped.has(name)));
  assert.deepEqual(new Set<string | undefined>([...copiedTables, ...leftOutTables]), present);
});
