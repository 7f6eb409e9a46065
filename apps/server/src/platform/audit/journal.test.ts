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
  let brokenLines: number;
  const store = async (events: PendingEvent[]): Promise<void> => {
    stored.push(...events.map(({ id }) => id));
    return Promise.resolve();
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-journal-'));
    brokenLines = 0;
    journal = createJournal(folder, () => (brokenLines += 1));
    stored = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('events are taken out once, in order, and no file is left', async () => {
    const ids = Array.from({ length: 2500 }, (_, at) => `e${at}`);
    for (const id of ids) journal.add(event(id));
    await journal.take(store);
    deepEqual(stored, ids);
    deepEqual(await readdir(folder), []);
    await journal.take(store);
    equal(stored.length, ids.length);
  });

  test('events that could not be stored are stored the next time, before later ones', async () => {
    journal.add(event('one'));
    await rejects(
      journal.take(() => Promise.reject(new Error('no'))),
      /no/,
    );
    journal.add(event('two'));
    await createJournal(folder, () => undefined).take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('an incomplete line does not lose other events', async () => {
    journal.add(event('one'));
    await appendFile(join(folder, 'told-events.jsonl'), '\n{"id":"half');
    journal.add(event('two'));
    await appendFile(join(folder, 'told-events.jsonl'), '\nnull\n{"id":7}');
    await journal.take(store);
    deepEqual([stored, brokenLines], [['one', 'two'], 3]);
  });

  test('an event may contain any character that JSON allows in a string, including other line separators', async () => {
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
    deepEqual([stored, brokenLines], [ids, 0]);
  });

  test('events that are added while others are taken wait for the next time', async () => {
    journal.add(event('one'));
    await journal.take((events) => {
      journal.add(event('two'));
      return store(events);
    });
    deepEqual(stored, ['one']);
    await journal.take(store);
    deepEqual(stored, ['one', 'two']);
  });

  test('only its owner can read the journal', async () => {
    journal.add(event('one'));
    const { mode } = await stat(join(folder, 'told-events.jsonl'));
    equal(mode & 0o777, 0o600);
  });
});
