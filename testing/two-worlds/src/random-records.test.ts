/* Shows: D-no-counter, R-abac-records, V-datasetAction-read, A-lucene-oracle */
import { matchesLucene } from '@redoubt/query/testing';
import { parseLucene } from '@redoubt/query';
import { readTestEffort } from '@redoubt/testkit';
import { startTwoWorlds, type TwoWorlds } from '@redoubt/server/testing';
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAccessMakers } from '@redoubt/testkit/requests';
import { schema, search, sequence } from './cases/reading.ts';
import { addMember, createWorkspace, signUp, type Person } from '@redoubt/testkit/requests';
import { randomStatements } from './random-statements.ts';
import { randomExpressions, randomRecords, tokens, type RandomRecord } from './random-data.ts';
import { batchOf, write } from './records.ts';
import { as, bodyOf, type WireResponse, type Request } from '@redoubt/testkit/requests';

/** The number of generated datasets. The environment can set more. */
const rounds = readTestEffort('REDOUBT_RANDOM_ROUNDS', 2, 1);
const firstSeed = readTestEffort('REDOUBT_RANDOM_SEED', 1);
const recordsOfRound = 36;
const searchesOfRound = 24;
const statementsOfRound = 30;

const accepts = [
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
];
const subsets = [undefined, [], ['RED'], ['GREEN', 'UNHEARD-OF']];

const readers = [[], ['RED'], ['RED', 'GREEN']] as const;

/** Groups records into runs of consecutive ones that are all visible or all hidden. */
const runsOf = (records: readonly RandomRecord[], held: readonly string[]) => {
  const runs: { visible: boolean; records: RandomRecord[] }[] = [];
  for (const record of records) {
    const visible = record.label.isSatisfiedBy(held);
    const run = runs.at(-1);
    if (run?.visible === visible) run.records.push(record);
    else runs.push({ visible, records: [record] });
  }
  return runs;
};

/** The records that a search must find, or undefined if it is invalid. */
const expectedOf = (expression: string, records: readonly RandomRecord[]): number[] | undefined => {
  let tree: ReturnType<typeof parseLucene>;
  try {
    tree = parseLucene(expression);
  } catch {
    return undefined;
  }
  return records
    .filter(({ text }) => matchesLucene(tree, text))
    .map(({ text }) => numberOf(JSON.parse(text)));
};

const numberOf = (record: unknown): number => (record as { i: number }).i;
const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** The requests about a dataset besides searches. Statements call it `t`. */
const otherRequests = (reader: Person, datasetId: string, seed: number): Request[] => [
  ...randomStatements(statementsOfRound, seed).map((statement, index) => {
    const expression = statement.replaceAll(/\bt(?= |$)/g, `"${datasetId}"`);
    const credentialsSubset = subsets[index % subsets.length];
    const body = {
      expression,
      limit: index % 3 === 0 ? 4 : -1,
      includeInternalFields: index % 2 === 0,
      ...(credentialsSubset === undefined ? {} : { credentialsSubset }),
    };
    return as(reader).post('/query', body);
  }),
  as(reader).get(`/splits/${datasetId}`),
  ...subsets.flatMap((credentialsSubset, index) =>
    accepts.map((accept) => ({
      ...as(reader).post('/read', {
        datasetId,
        batchSize: index % 2 === 0 ? -1 : 5,
        includeInternalFields: index > 1,
        ...(credentialsSubset === undefined ? {} : { credentialsSubset }),
      }),
      headers: { accept },
    })),
  ),
];

describe('made-up records, labels and searches', () => {
  let worlds: TwoWorlds;
  let workspaceId: string;
  let admin: Person;
  let people: Person[];
  let groupId: string;
  before(async () => {
    worlds = await startTwoWorlds();
    ({ workspaceId, admin, people, groupId } = await worlds.both('people', async (send) => {
      const admin = await signUp(send, 'admin');
      const { id: workspaceId } = await createWorkspace(send, admin, 'made-up');
      const make = createAccessMakers(send, admin, workspaceId);
      const groupId = await make.group('Readers');
      const attributes = new Map<string, string>();
      for (const token of tokens) attributes.set(token, await make.attribute(token));
      const people: Person[] = [];
      for (const [index, held] of readers.entries()) {
        const person = await addMember(send, admin, workspaceId, `reader${index}`);
        await make.member(groupId, person);
        for (const token of held) await make.assignment(attributes.get(token) ?? '', person);
        people.push(person);
      }
      return { workspaceId, admin, people, groupId };
    }));
  });
  after(() => worlds.close());

  const makeDataset = (name: string): Promise<string> =>
    worlds.both(`dataset ${name}`, async (send) => {
      const make = createAccessMakers(send, admin, workspaceId);
      const id = await make.dataset(name);
      await make.permission('read', id, groupId);
      return id;
    });

  /** Sends a request to both worlds. `name` identifies the generated case in a failure. */
  const same = (name: string, request: Request): Promise<WireResponse> => worlds.same(name, request);

  const compare = async (
    name: string,
    reader: Person,
    datasetId: string,
    seen: RandomRecord[],
    seed: number,
  ) => {
    for (const [index, expression] of randomExpressions(searchesOfRound, seed).entries()) {
      const step = `${name}, search ${index}: ${expression}`;
      const response = await same(step, search(reader, datasetId, expression, { limit: -1 }));
      const expected = expectedOf(expression, seen);
      equal(response.status, expected === undefined ? 400 : 200, `${step}: ${response.body}`);
      if (expected === undefined) continue;
      const { records, total } = batchOf(response);
      deepEqual(sorted(records.map(numberOf)), sorted(expected), step);
      equal(total, expected.length, step);
      await same(`${step}, a page`, search(reader, datasetId, expression, { limit: 3, offset: 2 }));
    }
    const all = batchOf(
      await same(`${name}, all`, sequence(reader, datasetId, { includeInternalFields: true })),
    );
    deepEqual(sorted(all.records.map(numberOf)), sorted(seen.map(({ text }) => numberOf(JSON.parse(text)))));
    await same(`${name}, schema`, schema(reader, datasetId, { includeNestedFields: true }));
  };

  test('a reader finds exactly what they would find in a dataset without the hidden records', async () => {
    for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
      const name = `seed ${seed}`;
      const held = readers[seed % readers.length] ?? [];
      const reader = people[seed % readers.length] ?? admin;
      const datasetId = await makeDataset(name);
      const records = randomRecords(recordsOfRound, seed);
      for (const [index, run] of runsOf(records, held).entries()) {
        const where = run.visible ? worlds.both : worlds.hidden;
        const texts = run.records.map(({ text }) => text);
        await where(`${name}, run ${index}`, (send) => write(send, admin, datasetId, texts));
      }
      const seen = records.filter(({ label }) => label.isSatisfiedBy(held));
      await compare(name, reader, datasetId, seen, seed);
    }
  });

  test('statements, reads and splits of a dataset get the same responses with and without hidden records, headers included', async () => {
    let succeeded = 0;
    for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
      const name = `statements of seed ${seed}`;
      const place = (seed + 1) % readers.length;
      const held = readers[place] ?? [];
      const reader = people[place] ?? admin;
      const datasetId = await makeDataset(name);
      const records = randomRecords(recordsOfRound, seed + 1000);
      for (const [index, run] of runsOf(records, held).entries()) {
        const where = run.visible ? worlds.both : worlds.hidden;
        const texts = run.records.map(({ text }) => text);
        await where(`${name}, run ${index}`, (send) => write(send, admin, datasetId, texts));
      }
      for (const [index, request] of otherRequests(reader, datasetId, seed).entries()) {
        const step = `${name}, request ${index}: ${JSON.stringify(request.body)}`;
        const { status, body } = await same(step, request);
        equal(status < 500, true, `${step}: ${body}`);
        if (status === 200) succeeded += 1;
      }
    }
    equal(succeeded > 22 * rounds, true, `${succeeded} requests were answered`);
  });

  test('visible and hidden records of one batch are distinguished for every reader', async () => {
    const datasetId = await makeDataset('mixed');
    const records = randomRecords(recordsOfRound * 2, firstSeed);
    await worlds.both('mixed', (send) =>
      write(
        send,
        admin,
        datasetId,
        records.map(({ text }) => text),
      ),
    );
    for (const [index, held] of readers.entries()) {
      const seen = records.filter(({ label }) => label.isSatisfiedBy(held));
      const reader = people[index] ?? admin;
      await compare(`mixed ${index}`, reader, datasetId, seen, firstSeed + index);
      const fields = bodyOf(await same(`mixed ${index} fields`, schema(reader, datasetId)));
      const keys = new Set(seen.flatMap(({ text }) => Object.keys(JSON.parse(text) as object)));
      deepEqual(new Set(Object.keys(fields as object)), keys);
    }
  });
});
