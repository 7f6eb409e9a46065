/* Shows: D-tokens-off */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { acquireTestDatabase, createTestRuntime, type TestDatabase } from '@redoubt/server/testing';
import type { Audit } from '../../platform/audit/index.ts';
import { ownSessionCredential, type Member } from '../../platform/auth/actor.ts';
import { wireAttributes, type HeldAttributes } from './index.ts';

/** An audit log that ignores all events. */
const noAudit: Audit = {
  change: () => Promise.reject(new Error('nothing is changed')),
  note: () => Promise.resolve(),
  log: () => Promise.resolve(),
};

const workspaceUid = 'w-1';
const otherUid = 'w-2';

/** A member without attributes and without privileges. */
const memberOf = (uniqueId: string): Member => ({
  accountId: 'a-1',
  email: 'a-1@example.org',
  sessionId: '',
  workspace: { uniqueId, slug: uniqueId, role: 'member', codes: new Set() },
  ...ownSessionCredential,
});
const writer = memberOf(workspaceUid);
const other = memberOf(otherUid);

describe('the attributes in the labels of writes', () => {
  let database: TestDatabase;
  let held: HeldAttributes;
  const runtime = createTestRuntime();

  const addWorkspace = async (uniqueId: string, createOnWrite: boolean): Promise<void> => {
    const now = runtime.clock.now();
    await database.db
      .insertInto('workspaces')
      .values({
        unique_id: uniqueId,
        slug: uniqueId,
        name: uniqueId,
        created_by: 'nobody',
        create_attributes_on_write: createOnWrite,
        created_at: now,
        updated_at: now,
      })
      .execute();
  };
  const tokensOf = async (uniqueId: string): Promise<string[]> => {
    const rows = await database.db
      .selectFrom('attributes')
      .where('workspace_uid', '=', uniqueId)
      .select('token')
      .orderBy('token')
      .execute();
    return rows.map(({ token }) => token);
  };

  before(async () => {
    database = await acquireTestDatabase();
    ({ held } = wireAttributes({ db: database.db, runtime, audit: noAudit }));
    await addWorkspace(workspaceUid, true);
    await addWorkspace(otherUid, false);
  });
  after(() => database.giveBack());

  test('new tokens become attributes of that workspace, held by nobody', async () => {
    await held.ensureTokens(writer, ['B', 'A', 'B']);
    await held.ensureTokens(writer, ['A', 'C']);
    assert.deepEqual(await tokensOf(workspaceUid), ['A', 'B', 'C']);
    assert.deepEqual(await tokensOf(otherUid), []);
    const holders = await database.db.selectFrom('attribute_assignments').selectAll().execute();
    assert.deepEqual(holders, []);
  });

  test('concurrent writes with the same new token all succeed', async () => {
    const tokens = Array.from({ length: 20 }, (_, index) => `RACE-${index}`);
    await Promise.all([1, 2, 3, 4].map(() => held.ensureTokens(writer, tokens)));
    const made = await tokensOf(workspaceUid);
    assert.equal(made.filter((token) => token.startsWith('RACE-')).length, tokens.length);
  });

  test('concurrent lookups of tokens find each of them only in its own workspace', async () => {
    await held.ensureTokens(writer, ['SIDE-A', 'SIDE-B']);
    const outcomes = await Promise.allSettled([
      held.ensureTokens(writer, ['SIDE-A']),
      held.ensureTokens(other, ['SIDE-A']),
      held.ensureTokens(writer, ['SIDE-B', 'SIDE-A']),
      held.ensureTokens(other, ['SIDE-B']),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.deepEqual(await tokensOf(otherUid), []);
  });

  test('more new tokens than fit into one statement are all created', async () => {
    const tokens = Array.from({ length: 2345 }, (_, index) => `MANY-${index}`);
    await held.ensureTokens(writer, tokens);
    const made = await tokensOf(workspaceUid);
    assert.equal(made.filter((token) => token.startsWith('MANY-')).length, tokens.length);
  });

  test('a workspace that creates no attributes on write rejects unknown tokens and names them', async () => {
    await assert.rejects(held.ensureTokens(other, ['UNHEARD']), (error) => {
      assert.ok(error instanceof RedoubtError);
      assert.equal(error.code, 400);
      assert.equal(error.name, 'SecurityError');
      assert.match(error.message, /"UNHEARD"/);
      return true;
    });
    assert.deepEqual(await tokensOf(otherUid), []);
    await held.ensureTokens(other, []);
  });
});
