/* Shows: A-jobs-taken-over, A-jobs-per-workspace, R-job-cancel */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createTestRuntime,
  acquireTestDatabase,
  type TestDatabase,
  type TestRuntime,
} from '@redoubt/server/testing';
import type { RedoubtError } from '@redoubt/errors';
import { createJobQueueRepository, type JobQueueRepository } from './job-queue.repository.ts';
import { createJobChanges, type JobChanges } from './job-changes.repository.ts';
import { createJobRunner, type JobRunner } from './job-runner.ts';
import type { JobKind, RunningJob } from './job.ts';

const leaseMilliseconds = 15_000;

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('workers that share a database', () => {
  let database: TestDatabase;
  let queue: JobQueueRepository;
  let changes: JobChanges;
  let runtime: TestRuntime;
  const logged: object[] = [];
  const runners: JobRunner[] = [];
  let made = 0;

  before(async () => {
    database = await acquireTestDatabase();
    queue = createJobQueueRepository(database.db);
    changes = createJobChanges(database.db);
    runtime = createTestRuntime('workers');
    const now = runtime.clock.now();
    for (const id of ['somebody', 'ada', 'ben', 'cleo']) {
      await database.db
        .insertInto('accounts')
        .values({
          id,
          email: `${id}@example.org`,
          first_name: 'Some',
          last_name: 'Body',
          password_hash: null,
          verified: true,
          created_at: now,
          updated_at: now,
        })
        .execute();
    }
    for (const uid of ['w1', 'w2']) {
      await database.db
        .insertInto('workspaces')
        .values({
          unique_id: uid,
          slug: uid,
          name: uid,
          created_by: 'somebody',
          create_attributes_on_write: true,
          created_at: now,
          updated_at: now,
        })
        .execute();
      await database.db
        .insertInto('memberships')
        .values({
          workspace_uid: uid,
          account_id: 'somebody',
          role: 'member',
          disabled: false,
          created_at: now,
        })
        .execute();
      for (const name of ['a', 'b', 'c']) {
        await database.db
          .insertInto('datasets')
          .values({
            id: `${uid}-${name}`,
            workspace_uid: uid,
            name,
            description: '',
            auto_create_indexes: true,
            search_any_field: true,
            created_by: 'somebody',
            created_at: now,
            updated_at: now,
          })
          .execute();
      }
    }
  });
  after(() => database.giveBack());

  const add = async (datasetId: string, accountId = 'somebody', on = changes): Promise<string> => {
    made += 1;
    const id = `job-${made}`;
    await on.create({
      id,
      segments: [{ id: `segment-${made}` }],
      workspaceUid: datasetId.slice(0, 2),
      datasetId,
      accountId,
      credential: null,
      sessionId: '',
      type: 'delete-record',
      config: {},
      totalStages: 1,
      createdAt: runtime.clock.now(),
    });
    return id;
  };
  const statusOf = async (id: string): Promise<string> =>
    (await database.db.selectFrom('jobs').where('id', '=', id).select('status').executeTakeFirstOrThrow())
      .status;
  const worker = async (run: JobKind['run'], ended?: JobKind['ended']): Promise<JobRunner> => {
    const runner = createJobRunner({
      queue,
      clock: runtime.clock,
      ids: runtime.ids,
      logger: { error: (entry: object) => void logged.push(entry) },
      shared: true,
      perWorkspace: 2,
    });
    runner.add({ type: 'delete-record', totalStages: 1, run, ...(ended && { ended }) });
    await runner.start();
    runners.push(runner);
    return runner;
  };
  const stopAll = async (): Promise<void> => {
    for (const runner of runners.splice(0)) await runner.stop();
  };
  const claim = async (name: string) => {
    const now = runtime.clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMilliseconds);
    return queue.claim({ worker: name, now, leaseUntil, perWorkspace: 2, types: ['delete-record'] });
  };

  test('another worker resumes a job only after its lease has expired', async () => {
    const id = await add('w1-a');
    assert.equal((await claim('dead'))?.id, id);
    const ran: string[] = [];
    const runner = await worker(async ({ changeId, actor }) => {
      assert.equal((await actor()).email, 'somebody@example.org');
      ran.push(changeId);
    });
    await runner.settled();
    assert.deepEqual([ran, await statusOf(id)], [[], 'running']);
    runtime.clock.advance(leaseMilliseconds + 1000);
    runner.wake();
    await until(async () => (await statusOf(id)) === 'completed');
    assert.deepEqual(ran, [`${id}-0`]);
    await stopAll();
  });

  test('a worker that has lost its job does nothing more for it and does not end it', async () => {
    const id = await add('w1-a');
    const resumed = Promise.withResolvers<void>();
    let slept: RunningJob | undefined;
    const sleeper = await worker(async (job) => {
      slept = job;
      await resumed.promise;
      await job.actor();
    });
    await until(() => slept !== undefined);
    runtime.clock.advance(leaseMilliseconds + 1000);
    assert.equal((await claim('second'))?.id, id);
    resumed.resolve();
    await sleeper.settled();
    assert.equal(await statusOf(id), 'running');
    assert.equal(await queue.isOwn(id, 'second'), true);
    await queue.end(id, 'second', 'completed', null, runtime.clock.now());
    await stopAll();
  });

  test('with many workers, a dataset has one running job and a workspace at most its limit', async () => {
    const ids: string[] = [];
    for (const datasetId of ['w1-a', 'w1-a', 'w1-b', 'w1-c', 'w2-a']) ids.push(await add(datasetId));
    const claimed = await Promise.all(Array.from({ length: 8 }, (_, index) => claim(`worker ${index}`)));
    const taken = claimed.flatMap((row) => (row === undefined ? [] : [row]));
    assert.deepEqual(taken.map(({ dataset_id: dataset }) => dataset).toSorted(), ['w1-a', 'w1-b', 'w2-a']);
    for (const { id, worker: name } of taken)
      await queue.end(id, String(name), 'completed', null, runtime.clock.now());
    const rest = [await claim('x'), await claim('x'), await claim('x')];
    assert.deepEqual(
      rest.map((row) => row?.dataset_id),
      ['w1-a', 'w1-c', undefined],
    );
    for (const row of rest) if (row) await queue.end(row.id, 'x', 'completed', null, runtime.clock.now());
  });

  test('people take turns, however many jobs of one wait and whichever process claims them', async () => {
    const starters = ['ada', 'ada', 'ada', 'ada', 'ben', 'ben', 'cleo'];
    for (const starter of starters) await add(starter === 'ben' ? 'w2-a' : 'w1-a', starter);
    const order = [];
    for (const [index] of starters.entries()) {
      const row = await claim(`worker ${index % 2}`);
      order.push(row?.account_id);
      if (row) await queue.end(row.id, String(row.worker), 'completed', null, runtime.clock.now());
    }
    assert.deepEqual(order, ['ada', 'ben', 'cleo', 'ada', 'ben', 'ada', 'ada']);
    assert.equal(await claim('worker 0'), undefined);
  });

  test('of a person at most 100 jobs wait in a workspace, also if they are added at the same time', async () => {
    const addInTransaction = (datasetId: string, starter: string): Promise<string> =>
      database.db.transaction().execute((trx) => add(datasetId, starter, createJobChanges(trx)));
    const added = await Promise.allSettled(
      Array.from({ length: 120 }, () => addInTransaction('w1-a', 'ada')),
    );
    const refused = added.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    assert.equal(refused.length, 20);
    for (const error of refused)
      assert.deepEqual(
        [(error as RedoubtError).name, (error as RedoubtError).code, (error as RedoubtError).retrySeconds],
        ['ForbiddenError', 429, 10],
      );
    const others = [await addInTransaction('w1-a', 'ben'), await addInTransaction('w2-a', 'ada')];
    const [oldest] = added.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await changes.requestCancel(oldest ?? '', runtime.clock.now());
    await addInTransaction('w1-a', 'ada');
    await assert.rejects(changes.retry(oldest ?? '', ''), { code: 429 });
    assert.equal(await statusOf(oldest ?? ''), 'canceled');
    assert.deepEqual(await Promise.all(others.map(statusOf)), ['queued', 'queued']);
    await database.db.deleteFrom('jobs').where('status', '=', 'queued').execute();
  });

  test('a job that another process cancels is aborted where it runs', async () => {
    const id = await add('w1-a');
    let signal: AbortSignal | undefined;
    await worker(async (job) => {
      signal = job.signal;
      await new Promise((_, reject) => {
        job.signal.addEventListener('abort', () => reject(job.signal.reason as Error), { once: true });
      });
    });
    await until(() => signal !== undefined);
    await changes.requestCancel(id, runtime.clock.now());
    await until(async () => (await statusOf(id)) === 'canceled');
    assert.equal(signal?.aborted, true);
    await stopAll();
  });

  test('a job that is retried right after its end waits for the work after that end, and can be canceled', async () => {
    const id = await add('w1-a');
    const held = Promise.withResolvers<void>();
    const steps: string[] = [];
    const run: JobKind['run'] = async ({ changeId, signal }) => {
      steps.push(`run ${changeId}`);
      if (changeId === `${id}-0`) throw new Error('failed');
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const runner = await worker(run, async ({ changeId }) => {
      if (changeId === `${id}-0`) await held.promise;
      steps.push(`ended ${changeId}`);
    });
    await until(async () => (await statusOf(id)) === 'failed');
    assert.equal(await changes.retry(id, ''), true);
    runner.wake();
    await until(async () => (await statusOf(id)) === 'running');
    held.resolve();
    await until(() => steps.length >= 3);
    assert.deepEqual(steps, [`run ${id}-0`, `ended ${id}-0`, `run ${id}-1`]);
    runner.cancel(id);
    await runner.settled();
    assert.deepEqual([await statusOf(id), steps.at(-1)], ['canceled', `ended ${id}-1`]);
    await stopAll();
  });

  test('a stopping worker returns its jobs to the queue, and another one resumes them', async () => {
    const id = await add('w1-a');
    let runs = 0;
    const run: JobKind['run'] = async ({ signal }) => {
      runs += 1;
      if (runs > 1) return;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const first = await worker(run);
    await until(() => runs === 1);
    await first.stop();
    assert.equal(await statusOf(id), 'queued');
    const second = await worker(run);
    await second.settled();
    assert.equal(await statusOf(id), 'completed');
    await stopAll();
  });

  test('a job that a dead worker started is canceled only by the next worker, which finds out what was done', async () => {
    const id = await add('w1-a');
    await claim('dead');
    await queue.giveBackAll();
    await changes.requestCancel(id, runtime.clock.now());
    assert.equal(await statusOf(id), 'queued');
    const seen: boolean[] = [];
    const runner = await worker(async ({ signal }) => {
      seen.push(signal.aborted);
      return Promise.resolve();
    });
    await runner.settled();
    assert.deepEqual([seen, await statusOf(id)], [[true], 'completed']);
    await stopAll();
  });

  test('the error of an unexpected failure has only the id under which the log has the cause', async () => {
    const id = await add('w1-a');
    const runner = await worker(() => Promise.reject(new Error('a value that nobody may see')));
    await runner.settled();
    const { error } = await database.db
      .selectFrom('jobs')
      .where('id', '=', id)
      .select('error')
      .executeTakeFirstOrThrow();
    assert.ok(error?.includes(id) === true && !error.includes('nobody may see'), String(error));
    assert.ok(logged.some((entry) => 'jobId' in entry && entry.jobId === id));
    await stopAll();
  });
});
