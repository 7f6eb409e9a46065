/* Shows: A-object-store */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestS3, type TestS3 } from '@redoubt/testkit';
import { openFolderStore } from './folder-store.ts';
import {
  ObjectNotFoundError,
  ObjectStoreError,
  prefixObjectStore,
  type ObjectStore,
} from './object-store.ts';
import { openS3Store } from './s3-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'redoubt-files-'));
const opened: ObjectStore[] = [];
let s3: TestS3;
before(async () => {
  s3 = await startTestS3();
});
after(async () => {
  for (const store of opened) store.close();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const partBytes = 5 * 1024 * 1024;
const kept = <Store extends ObjectStore>(store: Store): Store => {
  opened.push(store);
  return store;
};
const openS3 = (prefix: string, settings: Partial<TestS3> = {}): ObjectStore => {
  const { bucket, ...service } = { ...s3, ...settings };
  return kept(openS3Store(service, { bucket, prefix }, partBytes));
};

async function* pieces(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* failing(...texts: string[]): AsyncGenerator<Uint8Array> {
  yield* pieces(...texts);
  throw new Error('the source failed');
}

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('latin1');
};

const namesOf = async (store: ObjectStore, prefix: string): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of store.list(prefix)) names.push(name);
  return names.toSorted();
};

const badNames = [
  '',
  '/',
  'a/',
  '/a',
  '..',
  '../a',
  'a/../b',
  'a//b',
  '.drafts/1',
  'a\\b',
  'a b',
  'ä',
  'a\0',
  '-a',
];

/** What callers may rely on for every kind of store. */
const contract = (kind: string, open: (area: string) => Promise<ObjectStore>): void => {
  test(`${kind} returns what was stored, whole and in ranges`, async () => {
    const store = await open('whole');
    await store.put('a/b.txt', pieces('hello ', '', 'world'));
    await store.put('empty', pieces());
    assert.equal(await read(store.get('a/b.txt')), 'hello world');
    assert.equal(await read(store.get('empty')), '');
    assert.equal(await read(store.get('a/b.txt', { first: 6 })), 'world');
    assert.equal(await read(store.get('a/b.txt', { first: 0, last: 4 })), 'hello');
    assert.equal(await read(store.get('a/b.txt', { first: 4, last: 400 })), 'o world');
    assert.equal(await read(store.get('a/b.txt', { first: 11 })), '');
    assert.deepEqual(await store.head('a/b.txt'), { name: 'a/b.txt', size: 11 });
    await store.put('a/b.txt', pieces('new'));
    assert.equal(await read(store.get('a/b.txt')), 'new');
  });

  test(`${kind} distinguishes missing files from empty ones`, async () => {
    const store = await open('missing');
    await store.put('a/b', pieces('x'));
    assert.equal(await store.head('b'), undefined);
    assert.equal(await store.head('a'), undefined);
    await assert.rejects(read(store.get('b')), ObjectNotFoundError);
    await assert.rejects(read(store.get('b', { first: 3 })), ObjectNotFoundError);
    await store.delete('b');
    await store.delete('a/b');
    assert.equal(await store.head('a/b'), undefined);
    assert.deepEqual(await namesOf(store, ''), []);
  });

  test(`${kind} lists by prefix`, async () => {
    const store = await open('lists');
    const names = ['a-1', 'a.1', 'a/1', 'a/10', 'a/2/x', 'a0', 'b/1', 'B'];
    for (const name of names) await store.put(name, pieces(name));
    const sorted = names.toSorted();
    assert.deepEqual(await namesOf(store, ''), sorted);
    assert.deepEqual(
      await namesOf(store, 'a'),
      sorted.filter((name) => name.startsWith('a')),
    );
    assert.deepEqual(await namesOf(store, 'a/'), ['a/1', 'a/10', 'a/2/x']);
    assert.deepEqual(await namesOf(store, 'a/1'), ['a/1', 'a/10']);
    assert.deepEqual(await namesOf(store, 'c/'), []);
    assert.deepEqual(await namesOf(prefixObjectStore(store, 'a/'), ''), ['1', '10', '2/x'].toSorted());
  });

  test(`${kind} rejects names that could lead out of it`, async () => {
    const store = await open('names');
    for (const name of [...badNames, 'x'.repeat(201), `${'x/'.repeat(300)}x`]) {
      const message = /is not a valid file name/;
      await assert.rejects(async () => store.put(name, pieces('x')), message);
      await assert.rejects(async () => read(store.get(name)), message);
      await assert.rejects(async () => store.head(name), message);
      await assert.rejects(async () => store.delete(name), message);
      await assert.rejects(async () => prefixObjectStore(store, 'a/').put(name, pieces('x')), message);
    }
    for (const prefix of ['/', '..', '../', 'a//', '.drafts/'])
      await assert.rejects(async () => namesOf(store, prefix), /is not a valid prefix/);
  });

  test(`${kind} keeps the old file when writing a new one fails`, async () => {
    const store = await open('broken');
    await store.put('a', pieces('before'));
    await assert.rejects(store.put('a', failing('half ')), /the source failed/);
    await assert.rejects(store.put('b', failing('half ')), /the source failed/);
    assert.equal(await read(store.get('a')), 'before');
    assert.deepEqual(await namesOf(store, ''), ['a']);
  });

  test(`${kind} stores and streams files larger than one part of an upload`, async () => {
    const store = await open('large');
    const wrote = createHash('sha256');
    const size = 2 * partBytes + 12_345;
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let left = size, round = 0; left > 0; round++) {
        const piece = Buffer.alloc(Math.min(left, 100_003), round);
        left -= piece.length;
        wrote.update(piece);
        yield piece;
      }
    }
    await store.put('large', content());
    assert.equal((await store.head('large'))?.size, size);
    const got = createHash('sha256');
    for await (const chunk of store.get('large')) got.update(chunk);
    assert.equal(got.digest('hex'), wrote.digest('hex'));
    for await (const chunk of store.get('large')) {
      assert.ok(chunk.length > 0 && chunk.length < size);
      break;
    }
  });
};

describe('files in a folder', () => {
  contract('a folder', async (area) => kept(await openFolderStore(join(folder, area))));

  test('an incomplete file of a killed process is removed, and only the owner can read files', async () => {
    const place = join(folder, 'killed');
    await (await openFolderStore(place)).put('a/b', pieces('x'));
    writeFileSync(join(place, '.drafts', '7'), 'half');
    const store = await openFolderStore(place);
    assert.deepEqual(readdirSync(join(place, '.drafts')), []);
    assert.equal(await read(store.get('a/b')), 'x');
    assert.equal(readFileSync(join(place, 'a', 'b'), 'utf8'), 'x');
    for (const path of ['a', 'a/b']) assert.equal(statSync(join(place, path)).mode & 0o77, 0);
  });

  test('the error for a folder that cannot be written names the folder and the reason', async () => {
    writeFileSync(join(folder, 'file'), '');
    await assert.rejects(openFolderStore(join(folder, 'file', 'x')), (error) => {
      assert.ok(error instanceof ObjectStoreError);
      assert.match(
        error.message,
        /^Cannot write to the folder .* \(ENOTDIR\)\. Give this user write access to it\.$/,
      );
      return true;
    });
  });
});

/** Runs a script where the folder for temporary files has room for 64 KB, in namespaces of its own. */
const runWithSmallFolder = (script: string): string => {
  const mounted =
    'mount -t tmpfs -o size=64k tmpfs "$TMPDIR" && exec "$0" --no-warnings --input-type=module -e "$1"';
  const words = ['--user', '--map-root-user', '--mount', 'sh', '-c', mounted, process.execPath, script];
  const { status, stdout } = spawnSync('/usr/bin/unshare', words, {
    encoding: 'utf8',
    env: { TMPDIR: folder },
  });
  return status === 0 ? stdout.trim() : '';
};
const mayMount = runWithSmallFolder('console.log("mounted")') === 'mounted';

test(
  'a temporary file for which there is no room fails, instead of losing its end',
  { skip: mayMount ? false : 'this system lets nobody mount a small folder' },
  () => {
    const place = JSON.stringify(new URL('./temporary-file.ts', import.meta.url).href);
    const found = runWithSmallFolder(`
      import { copyToTemporaryFile } from ${place};
      const bytes = (async function* () { yield Buffer.alloc(100_000); })();
      const size = copyToTemporaryFile(bytes).then(async (file) => (await file.stat()).size);
      console.log(await size.catch((error) => error.code));`);
    assert.equal(found, 'ENOSPC');
  },
);

describe('files in an S3 bucket', () => {
  contract('a bucket', async (area) => openS3(`${area}/`));

  test('the error for a bucket that cannot be used has only the error code of the service', async () => {
    const wrong = { accessKeyId: 'stranger', secretAccessKey: 'wrong' };
    for (const [settings, word] of [
      [{ bucket: 'another' }, 'NoSuchBucket'],
      [{ credentials: wrong }, 'InvalidAccessKeyId'],
      [{ endpoint: 'http://127.0.0.1:9' }, 'ECONNREFUSED'],
    ] as const) {
      await assert.rejects(namesOf(openS3('', settings), ''), (error) => {
        assert.ok(error instanceof ObjectStoreError);
        assert.match(
          error.message,
          new RegExp(`^Cannot use the S3 bucket ".*" at .* \\(${word}\\)\\. Check`),
        );
        return true;
      });
    }
  });
});
