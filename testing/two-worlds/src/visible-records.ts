import { withHiddenColumnValues } from './hidden-columns.ts';
import { write, writeRequest, type RecordText } from './records.ts';
import type { VisibleWorld } from './visible-world.ts';
import { done, type Send } from '@redoubt/testkit/requests';

const names = ['alpine lodge', 'harbour master', 'quiet meadow', 'old mill', 'Łódź & 東京都'];
/** Labels that a reader with ALPHA and BETA satisfies. */
const visibleLabels = ['', 'ALPHA', 'BETA', 'ALPHA&BETA', 'ALPHA|UNHEARD-OF', 'BETA&(ALPHA|SECRET)'];

const mixed = (index: number): unknown => [index, `text ${index}`, index % 2 === 0, null][index % 4];

const recordOf = (index: number): RecordText => {
  const day = String((index % 28) + 1).padStart(2, '0');
  const fields = {
    id: `v${index}`,
    name: `${names[index % names.length]} ${index}`,
    n: index,
    f: index + 0.5,
    flag: index % 2 === 0,
    at: `2024-01-${day}T12:00:00Z`,
    day: `2024-02-${day}`,
    tags: index % 3 === 0 ? ['red', 'blue'] : ['green'],
    nested: { a: index, b: { c: 'deep water' } },
    'dotted.key': `x${index}`,
    mixed: mixed(index),
    label: visibleLabels[index % visibleLabels.length],
  };
  return `${JSON.stringify(fields).slice(0, -1)},"big":${9_007_199_254_740_993n + BigInt(index)}}`;
};

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** The text of a record to write. In the second world, the record has hidden columns. */
const written = (record: RecordText, index: number, isSecond: boolean): RecordText =>
  isSecond ? withHiddenColumnValues(record, index) : record;

/** Writes the records of the dataset Shared with the numbers from `from` up to `to`, exclusive. */
export const writeShared = (
  send: Send,
  { people, datasets }: VisibleWorld,
  isSecond: boolean,
  from: number,
  to: number,
) =>
  write(
    send,
    people.writer,
    datasets.shared,
    range(from, to).map((index) => written(recordOf(index), index, isSecond)),
  );

export const writeNotes = (
  send: Send,
  { people, datasets }: VisibleWorld,
  isSecond: boolean,
  from: number,
  to: number,
) =>
  write(
    send,
    people.reader,
    datasets.notes,
    range(from, to).map((index) =>
      written(
        JSON.stringify({ note: `${names[index % names.length]} ${index}`, priority: index, label: 'ALPHA' }),
        index,
        isSecond,
      ),
    ),
  );

/** Writes records that each have a different label; the reader satisfies all of them. */
export const writeMany = (send: Send, { people, datasets }: VisibleWorld, from: number, to: number) =>
  write(
    send,
    people.writer,
    datasets.many,
    range(from, to).map((index) => JSON.stringify({ k: index, label: `ALPHA|OWN-${index}` })),
  );

const mine: readonly RecordText[] = [
  '{"title":"first","pages":1}',
  '{"title":"second","pages":2}',
  '{"title":"third","pages":3.5}',
];

export const writeMine = (send: Send, { people, datasets }: VisibleWorld, isSecond: boolean) =>
  write(
    send,
    people.reader,
    datasets.mine,
    mine.map((record, index) => written(record, index, isSecond)),
  );

/** The reader replaces a visible record. */
export const replaceNote = async (send: Send, { people, datasets }: VisibleWorld, id: string) => {
  const record = JSON.stringify({ note: 'the note was rewritten', priority: 99, _koverse_record_id: id });
  await done(send, writeRequest(people.reader, datasets.notes, [record], null));
};
