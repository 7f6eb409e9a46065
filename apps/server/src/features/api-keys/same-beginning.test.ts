/* Shows: E-APIKey-keyId, L-hazard-keyId */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestRuntime, acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import { createKeyRepository, hashOfKey, keyIdLength } from '../../platform/auth/key.repository.ts';
import { createApiKeyRepository } from './api-key.repository.ts';
import { generateApiKey } from './generate-api-key.ts';

const runtime = createTestRuntime();
const now = runtime.clock.now();

describe('finding an API key', () => {
  let database: TestDatabase;

  before(async () => {
    database = await acquireTestDatabase();
    const { db } = database;
    const made = { created_at: now, updated_at: now };
    await db
      .insertInto('workspaces')
      .values({
        unique_id: 'w',
        slug: 'w',
        name: 'w',
        created_by: 'p',
        create_attributes_on_write: true,
        ...made,
      })
      .execute();
    await db
      .insertInto('accounts')
      .values({
        id: 'p',
        email: 'p@example.org',
        first_name: 'P',
        last_name: 'P',
        password_hash: null,
        verified: true,
        ...made,
      })
      .execute();
    await db
      .insertInto('memberships')
      .values({ workspace_uid: 'w', account_id: 'p', role: 'admin', disabled: false, created_at: now })
      .execute();
  });
  after(() => database.giveBack());

  const add = (id: string, key: string): Promise<void> =>
    createApiKeyRepository(database.db).create(
      {
        id,
        workspaceUid: 'w',
        accountId: 'p',
        keyId: key.slice(0, keyIdLength),
        keyHash: hashOfKey(key),
        name: id,
        description: '',
        expiresAt: null,
        groupIds: [],
        attributeIds: [],
      },
      now,
    );

  test('keys with the same id differ by their whole secret', async () => {
    const keys = createKeyRepository(database.db);
    for (const id of ['one', 'two', 'three']) await add(id, `abcdef-${id}`);
    for (const id of ['one', 'two', 'three']) {
      assert.equal((await keys.findByKey(`abcdef-${id}`, now))?.keyId, id);
    }
    for (const wrong of ['abcdef', 'abcdef-', 'abcdef-onetwo', 'abcdeg-one', '']) {
      assert.equal(await keys.findByKey(wrong, now), undefined);
    }
  });

  test('only the id and the hash of a key are stored, and the role of its owner has no effect', async () => {
    const { key, keyId, keyHash } = generateApiKey(runtime.random);
    await add('fourth', key);
    const rows = await database.db.selectFrom('api_keys').selectAll().where('id', '=', 'fourth').execute();
    assert.equal(rows[0]?.key_hash, keyHash);
    assert.ok(!JSON.stringify(rows).includes(key.slice(keyIdLength)));
    const member = (await createKeyRepository(database.db).findByKey(key, now))?.member;
    assert.equal(keyId, key.slice(0, keyIdLength));
    assert.deepEqual(member?.scope, { groupIds: [], tokens: [], datasets: undefined });
    assert.equal(member?.workspace.role, 'member');
  });
});

test('beyond its first six characters, a key has 32 random bytes', () => {
  const requested: number[] = [];
  const bytes = (size: number): Buffer => {
    requested.push(size);
    return runtime.random.bytes(size);
  };
  const { key } = generateApiKey({ bytes });
  assert.ok(requested.includes(32));
  assert.equal(Buffer.from(key.slice(6), 'base64url').length, 32);
  const keys = Array.from({ length: 100 }, () => generateApiKey(runtime.random).key.slice(6));
  assert.equal(new Set(keys).size, 100);
});
