import { deepEqual, equal, rejects } from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createJournal, type Journal, type WaitingEvent } from './journal.ts';

const event = (id: string): WaitingEvent => ({ id, workspaceUid: 'w', event: `{"id":"${id}"}` });

describe('the journal of audit events', () => {
  let folder: string;
  let journal: Journal;
  let stored: string[];
  const store = async (events: WaitingEvent[]): Promise<void> => {
    stored.push(...events.map(({ id }) => id));
    return Promise.resolve();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-journal-'));
    journal = createJournal(folder);
    stored = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('what was added is taken out once, in its order, and no file is left', async () => {
    const ids = Array.from({ length: 2500 }, (_, at) => `e${at}`);
    for (const id of ids) journal.add(event(id));
    await journal.take(store);
    deepEqual(stored, ids);
    deepEqual(await readdir(folder), []);
    await journal.take(store);
    equal(stored.length, ids.length);
  });

  test('what could not be stored is stored the next time, before what came after it', async () => {
    journal.add(event('one'));
    await rejects(
      journal.take(() => Promise.reject(new Error('no'))),
      /no/,
    );
    journal.add(event('two'));
    await createJournal(folder).take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('a line that was broken off takes nothing with it', async () => {
    journal.add(event('one'));
    await appendFile(join(folder, 'told-events.jsonl'), '\n{"id":"half');
    journal.add(event('two'));
    await journal.take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('what is added while others are taken waits for the next time', async () => {
    journal.add(event('one'));
    await journal.take((events) => {
      journal.add(event('two'));
      return store(events);
    });
    deepEqual(stored, ['one']);
    await journal.take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('nobody else on the machine can read it', async () => {
    journal.add(event('one'));
    const { mode } = await stat(join(folder, 'told-events.jsonl'));
    equal(mode & 0o777, 0o600);
  });
});
