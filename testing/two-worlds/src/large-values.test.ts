/* Shows: L18 */
import { readTestEffort } from '@redoubt/testkit';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/server/testing';
import { equal, ok } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { schema, search, sequence } from './cases/reading.ts';
import { kindsOf, largestText } from './large-shapes.ts';
import { addMember, createWorkspace, signUp, type Person } from '@redoubt/testkit/requests';
import { idsOf, writeRequest } from './records.ts';
import { as, bodyOf, done, type WireResponse, type Request, type Send } from '@redoubt/testkit/requests';

/** The number of records of each kind. With more than 2, values have up to 16 MB, and the test prints times. */
const count = readTestEffort('REDOUBT_LARGE_RECORDS', 2);
const isLong = count > 2;
const kinds = kindsOf(isLong);
/** A thousand of the large records do not fit into one response that a test can read. */
const batchSize = 20;

/** Columns that are hidden from the member. */
const hiddenColumns = { hush: { securityLabel: 'SECRET' }, 'box.hush': { securityLabel: 'SECRET' } };
/** The members with hidden columns in the second world: a small value and a large one. */
const hushed = [
  '"hush":1,',
  `"hush":"${'secret '.repeat(2000)}",`,
  '"hush":{"a":[[{}]]},',
  '"box.hush":[1],',
];

describe('two worlds with large values', () => {
  let worlds: TwoWorlds;
  let workspaceId: string;
  let admin: Person;
  let member: Person;
  let groupId: string;
  before(async () => {
    worlds = await startTwoWorlds();
    ({ workspaceId, admin, member, groupId } = await worlds.both('people', async (send) => {
      const admin = await signUp(send, 'admin');
      const { id: workspaceId } = await createWorkspace(send, admin, 'large-values');
      const make = createAccessMakers(send, admin, workspaceId);
      const groupId = await make.group('Managers');
      const member = await addMember(send, admin, workspaceId, 'member');
      await make.member(groupId, member);
      await make.attribute('SECRET');
      await make.assignment(await make.attribute('ALPHA'), member);
      return { workspaceId, admin, member, groupId };
    }));
  });
  after(() => worlds.close());

  /**
   * Creates a dataset that the member manages, with records of one kind. In the second world it has hidden columns with
   * values.
   */
  const makeDataset = async (name: string, text: string): Promise<string> => {
    const id = await worlds.both(name, async (send) => {
      const make = createAccessMakers(send, admin, workspaceId);
      const made = await make.dataset(name);
      for (const action of ['read', 'write', 'manage'] as const) await make.permission(action, made, groupId);
      return made;
    });
    await worlds.hidden('columns', (send) =>
      done(send, as(admin).patch(`/write/schema/${id}`, hiddenColumns)),
    );
    for (let index = 0; index < count; index += 1) {
      await worlds.both(`record ${index} of ${name}`, async (send, isSecond) => {
        const hush = isSecond ? (hushed[index % hushed.length] ?? '') : '';
        await done(send, writeRequest(admin, id, [`{${hush}"n":${index},${text}}`], null));
      });
    }
    return id;
  };

  const hideRecord = (datasetId: string, text: string): Promise<WireResponse> =>
    worlds.hidden('a record', (send) =>
      done<WireResponse>(send, writeRequest(admin, datasetId, [`{"label":"SECRET","n":0,${text}}`])),
    );

  /** Sends a request to both worlds. The response may be an error, but not a server error. */
  const same = async (name: string, request: Request): Promise<WireResponse> => {
    const response = await worlds.same(name, request);
    ok(response.status < 500, `${name}: ${response.status} ${response.body.slice(0, 300)}`);
    return response;
  };

  const readAll = async (name: string, id: string): Promise<void> => {
    await same(`${name}, read`, sequence(member, id, { batchSize: 2 }));
    await same(`${name}, search`, search(member, id, 'n:1 OR secret', { limit: 2 }));
    await same(`${name}, page`, as(member).post('/read', { datasetId: id, batchSize: 1 }));
    await same(
      `${name}, statement`,
      as(member).post('/query', { expression: `SELECT n, z FROM "${id}" WHERE n = 1 LIMIT 1` }),
    );
    await same(`${name}, schema`, schema(member, id, { includeNestedFields: true }));
  };

  /** Replaces the records with these ids in one write. */
  const replaceBy = (id: string, ids: readonly string[], text: (index: number) => string): Request =>
    writeRequest(
      member,
      id,
      ids.map((each, index) => `{"_koverse_record_id":"${each}","n":${index},${text(index)}}`),
      null,
    );

  for (const { name, text } of kinds) {
    test(`records with ${name} are read, replaced, relabelled and deleted alike, whatever is hidden in them`, async () => {
      const id = await makeDataset(name, text);
      await hideRecord(id, text);
      await readAll(`${name} at first`, id);
      const ids = await worlds.both('ids', (send) => idsOf(send, member, id, batchSize));
      equal(ids.length, count);
      const replaced = [];
      replaced.push(
        await same(
          `${name} by little`,
          replaceBy(id, ids, () => '"a":1'),
        ),
      );
      replaced.push(
        await same(
          `${name} by much`,
          replaceBy(id, ids.slice(0, 1), () => text),
        ),
      );
      replaced.push(
        await same(
          `${name} by the same`,
          replaceBy(id, ids.slice(0, 1), () => text),
        ),
      );
      replaced.push(
        await same(
          `${name} in another object`,
          replaceBy(id, ids.slice(0, 1), () => `"box":{${text}}`),
        ),
      );
      for (const { status, body } of replaced) equal(status, 200, body);
      await readAll(`${name} at last`, id);
      await same(
        `${name} relabelled`,
        as(member).patch(`/storage/datasets/${id}/labels`, { label: 'ALPHA', recordIds: ids.slice(0, 1) }),
      );
      await same(
        `${name} relabelled by a query`,
        as(member).patch(`/storage/datasets/${id}/labels`, { label: 'ALPHA', query: 'n:1' }),
      );
      await same(
        `${name} deleted`,
        as(member).post(`/storage/datasets/${id}/deleteRecords`, { recordIds: ids.slice(0, 1) }),
      );
      await readAll(`${name} deleted`, id);
    });
  }

  const tooMuch: [name: string, text: string][] = [
    ['a text of more than 16 MB', `"z":"${'v'.repeat(16_000_001)}"`],
    ['100,000 keys', Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(',')],
    ['100 levels', `"z":${'['.repeat(100)}${']'.repeat(100)}`],
    ['a million levels', `"z":${'{"k":'.repeat(1_000_000)}`],
  ];

  test('a record that is too large, too deep or too wide gets the same error, whatever is hidden in the one it replaces', async () => {
    const id = await makeDataset('refusals', '"z":1');
    const ids = await worlds.both('ids', (send) => idsOf(send, member, id, batchSize));
    for (const [name, text] of tooMuch) {
      const added = await same(name, writeRequest(member, id, [`{${text}}`], null));
      const replaced = await same(
        `${name}, in place`,
        replaceBy(id, ids.slice(0, 1), () => text),
      );
      ok([400, 413].includes(added.status), name);
      equal(replaced.status, added.status, name);
    }
    await readAll('refused', id);
  });

  test(
    'the time of replacing large records is of one order in both worlds',
    { skip: !isLong },
    async (t: TestContext) => {
      const id = await makeDataset('times', largestText);
      const ids = await worlds.both('ids', (send) => idsOf(send, member, id, batchSize));
      const times: number[] = [];
      for (let from = 0; from < ids.length; from += 40) {
        const request = replaceBy(id, ids.slice(from, from + 40), () => '"a":1');
        const timed = async (send: Send): Promise<number> => {
          const start = performance.now();
          const { status, body } = await send(request);
          equal(status, 200, body);
          return performance.now() - start;
        };
        times.length = 0;
        await worlds.both(`times ${from}`, async (send) => {
          times.push(await timed(send));
        });
        const [without = 0, beside = 0] = times;
        t.diagnostic(
          `${ids.length} records, 40 at a time: without ${without.toFixed(0)} ms, with hidden columns ${beside.toFixed(0)} ms, ${(beside / without).toFixed(2)} times`,
        );
      }
      ok(
        Array.isArray((bodyOf(await same('times', sequence(member, id))) as { records: unknown[] }).records),
      );
    },
  );
});
