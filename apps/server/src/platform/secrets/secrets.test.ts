/* Shows: A-sealed, A-sealing-key, A-rotation */
import { createTestRuntime, acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  createSecretBox,
  openSecretKeys,
  rotateSecrets,
  UnsealError,
  sealedLocation,
  secretKeyOf,
} from './index.ts';

const { random } = createTestRuntime();
const boxWith = (...texts: string[]) => createSecretBox({ keys: () => texts.map(secretKeyOf), random });
const [first, second] = ['the first key of at least 32 chars', 'another key of at least 32 characters'];

describe('sealed secrets', () => {
  test('a sealed secret opens only at its own location', () => {
    const box = boxWith(first);
    const place = sealedLocation('providers', 'secret', 'one');
    const sealed = box.seal('s€cret', place);
    assert.equal(box.open(sealed, place), 's€cret');
    assert.match(sealed, /^s1\.[\w-]{8}\.[\w-]+$/);
    for (const other of [
      sealedLocation('providers', 'secret', 'two'),
      sealedLocation('providers', 'key', 'one'),
    ])
      assert.throws(() => box.open(sealed, other), UnsealError);
  });

  test('the same secret sealed twice gives two texts', () => {
    const box = boxWith(first);
    assert.notEqual(box.seal('secret', 'a'), box.seal('secret', 'a'));
  });

  test('a sealed text with any change does not open, and the error does not contain the secret', () => {
    const box = boxWith(first);
    const sealed = box.seal('the secret itself', 'a');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      // The last character of base64 may differ in unused bits.
      if (
        Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
          Buffer.from(sealed.split('.')[2]!, 'base64url'),
        ) &&
        at > 11
      )
        continue;
      assert.throws(
        () => box.open(changed, 'a'),
        (error: Error) => error instanceof UnsealError && !error.message.includes('the secret itself'),
        `at ${at}`,
      );
    }
    for (const text of ['', 'plain', 's1..', 's1.x', sealed.slice(0, 20)])
      assert.throws(() => box.open(text, 'a'), UnsealError, text);
  });

  test('older keys still open what they sealed, and the newest key seals', () => {
    const old = boxWith(first).seal('secret', 'a');
    const both = boxWith(second, first);
    assert.equal(both.open(old, 'a'), 'secret');
    assert.equal(both.isCurrent(old), false);
    assert.equal(both.isCurrent(both.seal('secret', 'a')), true);
    assert.throws(() => boxWith(second).open(old, 'a'), /SECRETS_KEY/);
  });
});

const placeOf = (id: string) => sealedLocation('mail_outbox', 'about', id);

describe('keys in the data folder and their rotation', () => {
  let folder: string;
  let database: TestDatabase;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redoubt-keys-'));
    database = await acquireTestDatabase();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await database.giveBack();
  });

  test('a key is created once, in a file that only its owner can read, and found again', () => {
    const [made] = openSecretKeys({ setting: undefined, folder, random }).current();
    const [found] = openSecretKeys({ setting: undefined, folder, random }).current();
    assert.deepEqual(found, made);
    assert.equal(statSync(join(folder, 'secrets.keys')).mode & 0o777, 0o600);
  });

  test('a rotation seals every row again, and then deletes the old key from the data folder', async () => {
    const { db } = database;
    const columns = [{ table: 'mail_outbox', column: 'about', key: 'id' }];
    const keys = openSecretKeys({ setting: undefined, folder, random });
    const box = createSecretBox({ keys: keys.current, random });
    const before = readFileSync(join(folder, 'secrets.keys'), 'utf8').trim();
    const now = new Date(0);
    for (const id of ['a', 'b']) {
      const about = box.seal(`secret ${id}`, placeOf(id));
      const mail = { id, kind: 'x', about, attempts: 0, due_at: now, created_at: now };
      await db.insertInto('mail_outbox').values(mail).execute();
    }
    assert.deepEqual(await rotateSecrets({ db, keys, box, columns }), { resealed: 2, madeKey: true });
    const rows = await db.selectFrom('mail_outbox').select(['id', 'about']).orderBy('id').execute();
    assert.ok(!readFileSync(join(folder, 'secrets.keys'), 'utf8').includes(before));
    const reopened = createSecretBox({
      keys: openSecretKeys({ setting: undefined, folder, random }).current,
      random,
    });
    assert.deepEqual(
      rows.map(({ id, about }) => reopened.open(about, placeOf(id))),
      ['secret a', 'secret b'],
    );
    assert.deepEqual((await rotateSecrets({ db, keys, box, columns })).resealed, 2);
  });

  test('only the operator changes the keys of the setting', async () => {
    const { db } = database;
    const setting = [second, first];
    const keys = openSecretKeys({ setting, folder, random });
    const box = createSecretBox({ keys: keys.current, random });
    const rotation = await rotateSecrets({ db, keys, box, columns: [] });
    assert.deepEqual(rotation, { resealed: 0, madeKey: false });
    assert.deepEqual(
      keys.current().map(({ id }) => id),
      setting.map((text) => secretKeyOf(text).id),
    );
  });
});
