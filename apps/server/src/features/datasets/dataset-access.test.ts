/* Shows: D-grants-to-groups, D-creator-manages, D-admins-manage, D-group-nesting, D-key-subset,
   R-manage-covers, V-datasetAction-manage */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import { assert as check, asyncProperty, constantFrom, nat, record, tuple, uniqueArray } from 'fast-check';
import { ownSessionCredential, type Member } from '../../platform/auth/actor.ts';
import { createDatasetAccess, type DatasetAccess } from './dataset-access.ts';
import { createDatasetAccessRepository } from './dataset-access.repository.ts';
import { createDatasetRepository } from './dataset.repository.ts';

const now = new Date('2026-01-01T00:00:00Z');
const workspaceUid = 'w';
const personId = 'p';
const member: Member = {
  accountId: personId,
  email: 'p@example.org',
  sessionId: 's',
  workspace: { uniqueId: workspaceUid, slug: 'w', role: 'member', codes: new Set() },
  ...ownSessionCredential,
};
const groupIds = Array.from({ length: 6 }, (_, index) => `g${index}`);
const actions = ['read', 'write', 'manage'] as const;
/** A call that needs each permission. */
const calls = { read: 'queryLucene', write: 'writeRecords', manage: 'patchDataset' } as const;
type Action = (typeof actions)[number];

interface Case {
  /** Pairs of child and parent; the child always has the lower number. */
  nestings: [child: number, parent: number][];
  direct: number[];
  grants: [group: number, action: Action][];
}

/** The groups and all their ancestors. */
const upwards = (groups: readonly number[], nestings: Case['nestings']): Set<number> => {
  const reached = new Set(groups);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const [child, parent] of nestings) if (reached.has(child)) reached.add(parent);
  }
  return reached;
};

/**
 * The reference implementation of the rules: it collects the groups of the person with all their ancestors, then the
 * grants to these groups.
 * @param chosen the groups of a key; only those that the person is in count
 */
const expectedFor = (
  { nestings, direct, grants }: Case,
  chosen?: readonly number[],
): Record<Action, boolean> => {
  const ofPerson = upwards(direct, nestings);
  const reached =
    chosen === undefined
      ? ofPerson
      : upwards(
          chosen.filter((group) => ofPerson.has(group)),
          nestings,
        );
  const held = new Set(grants.filter(([group]) => reached.has(group)).map(([, action]) => action));
  const manage = held.has('manage');
  return { read: manage || held.has('read'), write: manage || held.has('write'), manage };
};

const idsOf = (rows: { dataset: { id: string } }[]): string[] => rows.map(({ dataset }) => dataset.id);

describe('access to a dataset', () => {
  let database: TestDatabase;
  let access: DatasetAccess;

  const addDataset = async (id: string, createdBy = 'somebody'): Promise<void> => {
    await database.db
      .insertInto('datasets')
      .values({
        id,
        workspace_uid: workspaceUid,
        name: id,
        description: '',
        auto_create_indexes: true,
        search_any_field: true,
        created_by: createdBy,
        created_at: now,
        updated_at: now,
      })
      .execute();
  };

  before(async () => {
    database = await acquireTestDatabase();
    const { db } = database;
    access = createDatasetAccess(createDatasetAccessRepository(db));
    await db
      .insertInto('workspaces')
      .values({
        unique_id: workspaceUid,
        slug: 'w',
        name: 'w',
        created_by: 'somebody',
        create_attributes_on_write: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await db
      .insertInto('accounts')
      .values({
        id: personId,
        email: 'p@example.org',
        first_name: 'P',
        last_name: 'P',
        password_hash: null,
        verified: true,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await db
      .insertInto('memberships')
      .values({
        workspace_uid: workspaceUid,
        account_id: personId,
        role: 'member',
        disabled: false,
        created_at: now,
      })
      .execute();
    await db
      .insertInto('groups')
      .values(
        groupIds.map((id) => ({
          id,
          workspace_uid: workspaceUid,
          name: id,
          created_by: 'x',
          created_at: now,
        })),
      )
      .execute();
    await addDataset('d');
  });
  after(() => database.giveBack());

  const arrange = async ({ nestings, direct, grants }: Case): Promise<void> => {
    const { db } = database;
    await db.deleteFrom('group_memberships').execute();
    await db.deleteFrom('dataset_permissions').execute();
    const base = { workspace_uid: workspaceUid, role: 'member' as const, created_at: now };
    const rows = [
      ...nestings.map(([child, parent]) => ({
        account_id: null,
        child_group_id: `g${child}`,
        group_id: `g${parent}`,
      })),
      ...direct.map((group) => ({ account_id: personId, child_group_id: null, group_id: `g${group}` })),
    ].map((row, index) => ({ ...base, ...row, id: `m${index}` }));
    if (rows.length > 0) await db.insertInto('group_memberships').values(rows).execute();
    const granted = grants.map(([group, action], index) => ({
      id: `p${index}`,
      workspace_uid: workspaceUid,
      dataset_id: 'd',
      group_id: `g${group}`,
      action,
      created_at: now,
    }));
    if (granted.length > 0) await db.insertInto('dataset_permissions').values(granted).execute();
  };

  /** The message of the 404 that the person gets. */
  const messageFor = async (id: string): Promise<string> => {
    try {
      await access.requireCall(member, id, 'queryLucene');
    } catch (error) {
      assert.ok(error instanceof RedoubtError);
      assert.equal(error.code, 404);
      return error.message;
    }
    return assert.fail('it was let through');
  };

  const group = nat({ max: groupIds.length - 1 });
  const cases = record<Case>({
    nestings: uniqueArray(
      tuple(group, group).filter(([child, parent]) => child < parent),
      { maxLength: 8, selector: String },
    ),
    direct: uniqueArray(group, { maxLength: 2 }),
    grants: uniqueArray(tuple(group, constantFrom(...actions)), {
      maxLength: 4,
      selector: String,
    }),
  });

  test('for any groups, nestings and grants, a person may do exactly what the rules say', async () => {
    await check(
      asyncProperty(cases, async (arranged) => {
        await arrange(arranged);
        const expected = expectedFor(arranged);
        if (expected.read || expected.write) {
          const { permissions, dataset } = await access.resolve(member, 'd');
          assert.deepEqual(permissions, expected);
          assert.equal(dataset.id, 'd');
        } else {
          await assert.rejects(access.resolve(member, 'd'), { name: 'NotFoundError' });
        }
        for (const action of actions) {
          const attempt = access.requireCall(member, 'd', calls[action]);
          if (expected[action]) await attempt;
          else await assert.rejects(attempt, { code: expected.read || expected.write ? 403 : 404 });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('for any groups of a key, it may do exactly what those of them permit that its owner is in', async () => {
    await check(
      asyncProperty(cases, uniqueArray(group, { maxLength: 3 }), async (arranged, chosen) => {
        await arrange(arranged);
        const key: Member = {
          ...member,
          credential: { kind: 'key', keyId: 'k' },
          scope: { groupIds: chosen.map((index) => `g${index}`), tokens: [], datasets: undefined },
        };
        const expected = expectedFor(arranged, chosen);
        if (expected.read || expected.write) {
          assert.deepEqual((await access.resolve(key, 'd')).permissions, expected);
        } else {
          await assert.rejects(access.resolve(key, 'd'), { name: 'NotFoundError' });
        }
        // Cached permissions of the person must not apply to the key.
        const own = expectedFor(arranged);
        const seen = await access.resolve(member, 'd').catch(() => undefined);
        assert.deepEqual(seen?.permissions, own.read || own.write ? own : undefined);
      }),
      { numRuns: 60 },
    );
  });

  test('an absent dataset and one without a grant get the same response', async () => {
    await arrange({ nestings: [], direct: [0], grants: [[1, 'manage']] });
    assert.equal(await messageFor('d'), (await messageFor('absent')).replace('absent', 'd'));
  });

  test('admins and creators have all permissions in their own workspace and none in another', async () => {
    await arrange({ nestings: [], direct: [], grants: [] });
    const admin: Member = { ...member, workspace: { ...member.workspace, role: 'admin' } };
    const everything = { read: true, write: true, manage: true };
    assert.deepEqual((await access.resolve(admin, 'd')).permissions, everything);
    await addDataset('mine', personId);
    assert.deepEqual((await access.resolve(member, 'mine')).permissions, everything);
    for (const actor of [admin, member]) {
      const elsewhere = { ...actor, workspace: { ...actor.workspace, uniqueId: 'w2', slug: 'w2' } };
      await assert.rejects(access.resolve(elsewhere, 'mine'), { name: 'NotFoundError' });
    }
  });

  test('sorting and filtering by recordCount use the counts of the requester', async () => {
    const { db } = database;
    const admin: Member = { ...member, workspace: { ...member.workspace, role: 'admin' } };
    for (const id of ['few', 'none', 'many']) await addDataset(id);
    const counts = new Map([
      ['few', 2],
      ['many', 3_000_000_000],
    ]);
    const repository = createDatasetRepository(db);
    const anyOf = { field: 'id', operator: 'in' as const, value: ['few', 'none', 'many'] };
    const page = { limit: -1, skip: 0, or: [], flags: {} };
    for (const [direction, expected] of [
      [1, ['none', 'few', 'many']],
      [-1, ['many', 'few', 'none']],
    ] as const) {
      const sort = [{ field: 'recordCount', direction }];
      const { data } = await repository.list(admin, { ...page, sort, where: [anyOf] }, counts);
      assert.deepEqual(idsOf(data), expected);
    }
    const where = [anyOf, { field: 'recordCount', operator: 'gte' as const, value: 2 }];
    const filtered = await repository.list(admin, { ...page, sort: [], where }, counts);
    assert.deepEqual(idsOf(filtered.data).toSorted(), ['few', 'many']);
    assert.equal(filtered.total, 2);
  });
});
