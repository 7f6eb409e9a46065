import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  bodyOf,
  createRecordDesk,
  labelField,
  signIn,
  startServerProcess,
  type ServerProcess,
} from '@redoubt/testkit';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-backup-'));
const servers: ServerProcess[] = [];
after(async () => {
  for (const server of servers) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const program = join(import.meta.dirname, '../redoubt.ts');

const redoubt = (dataDir: string, ...args: string[]): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const env = { DATA_DIR: join(folder, dataDir) };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: stdout + stderr });
    });
  });

test('a backup made under writers holds every record acknowledged before it with its label, and no write in part', async () => {
  const server = await startServerProcess({ dataDir: join(folder, 'first') });
  servers.push(server);
  const desk = await createRecordDesk(server);
  const id = await desk.dataset(['read', 'write', 'manage']);
  const holder = await desk.newReader('KEEP', 'MOVED');
  const other = await desk.newReader('MOVED');
  const write = async (records: unknown[]): Promise<void> => {
    bodyOf(200, await desk.write(id, records, { labelInfo: labelField, token: holder.token }));
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
  assert.deepEqual([again.code, /is there already/.test(again.text)], [1, true], again.text);
  const busy = await redoubt('first', 'restore', join(folder, 'copy'));
  assert.deepEqual([busy.code, /in use by process/.test(busy.text)], [1, true], busy.text);
  await server.stop();

  const restored = await redoubt('second', 'restore', join(folder, 'copy'));
  assert.equal(restored.code, 0, restored.text);
  const second = await startServerProcess({ dataDir: join(folder, 'second') });
  servers.push(second);
  try {
    const token = await signIn(second, holder, desk.workspace.id);
    const { records, total } = await read(second.url, token);
    assert.equal(records.length, total);
    const batches = new Map<unknown, number>();
    for (const { batch } of records)
      if (batch !== undefined) batches.set(batch, (batches.get(batch) ?? 0) + 1);
    for (const batch of certain) assert.equal(batches.get(batch), 5, `${batch} is not whole`);
    assert.deepEqual(new Set(batches.values()), new Set([5]));
    assert.equal(records.filter(({ real }) => real === 1).length, 500);
    const seenByOther = await read(second.url, await signIn(second, other, desk.workspace.id));
    assert.equal(seenByOther.records.length, 20);
    assert.ok(
      seenByOther.records.every(
        (record) => record['_koverse_security_label'] === 'MOVED' && record['n'] === -1,
      ),
    );
    const old = await fetch(`${second.url}/me`, { headers: { authorization: `Bearer ${holder.token}` } });
    assert.equal(old.status, 401);
  } finally {
    await second.stop();
  }
  const full = await redoubt('second', 'restore', join(folder, 'copy'));
  assert.deepEqual([full.code, /accounts here already/.test(full.text)], [1, true], full.text);
});

test('what is no backup is refused, and nothing is left behind', async () => {
  const none = await redoubt('third', 'restore', join(folder, 'nowhere'));
  assert.deepEqual([none.code, /is no backup/.test(none.text)], [1, true], none.text);
  const nobody = await redoubt('third', 'backup', join(folder, 'copy3'));
  assert.deepEqual([nobody.code, /No server runs on/.test(nobody.text)], [1, true], nobody.text);
  assert.deepEqual((await redoubt('third', 'burn', 'x')).code, 1);
});

test('every table of the metadata is either in a backup or left out on purpose', async () => {
  const { copiedTables, leftOutTables } = await import('../platform/backup/metadata-copy.repository.ts');
  const folderOfMigrations = join(import.meta.dirname, '../platform/db/migrations');
  const made = readdirSync(folderOfMigrations).flatMap((file) =>
    [...readFileSync(join(folderOfMigrations, file), 'utf8').matchAll(/create table (\w+)/g)].map(
      ([, name]) => name,
    ),
  );
  assert.deepEqual(new Set<string | undefined>([...copiedTables, ...leftOutTables]), new Set(made));
});
