import { deepEqual, equal, rejects } from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createJournal, type Journal, type PendingEvent } from './journal.ts';

const event = (id: string): PendingEvent => ({ id, workspaceUid: 'w', event: `{"id":"${id}"}` });

describe('the journal of audit events', () => {
  let folder: string;
  let journal: Journal;
  let stored: string[];
  let brokenOff: number;
  const store = async (events: PendingEvent[]): Promise<void> => {
    stored.push(...events.map(({ id }) => id));
    return Promise.resolve();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-journal-'));
    brokenOff = 0;
    journal = createJournal(folder, () => (brokenOff += 1));
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
    await createJournal(folder, () => undefined).take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('a line that was broken off takes nothing with it', async () => {
    journal.add(event('one'));
    await appendFile(join(folder, 'told-events.jsonl'), '\n{"id":"half');
    journal.add(event('two'));
    await appendFile(join(folder, 'told-events.jsonl'), '\nnull\n{"id":7}');
    await journal.take(store);
    deepEqual([stored, brokenOff], [['one', 'two'], 3]);
  });

  test('an event may hold any character that JSON has in a text, also those that end lines elsewhere', async () => {
    const ids = [
      'a\u2028b',
      'a\u2029b',
      'a\u0085b',
      'a\r\nb',
      'a\nb',
      '\ud83d\ude00'.repeat(50_000),
      '\ud800',
    ];
    for (const id of ids) journal.add(event(id));
    await journal.take(store);
    deepEqual([stored, brokenOff], [ids, 0]);
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
