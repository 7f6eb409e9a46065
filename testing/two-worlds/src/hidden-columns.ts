import type { RecordText } from './records.ts';
import type { VisibleWorld } from './visible-world.ts';
import { as, done, type Send } from '@redoubt/testkit/requests';

/**
 * Columns that are hidden from the reader. They exist only in the second world, where visible records have some of
 * them.
 */
const hiddenColumns = {
  hush: { securityLabel: 'SECRET' },
  'nested.hush': { securityLabel: 'ALPHA&SECRET' },
  'nested.deep.hush': { securityLabel: 'GAMMA' },
  'Hush.x': { securityLabel: 'NOBODY-HOLDS-THIS' },
};

/** Labels columns in the second world only. */
export const hideColumns = async (send: Send, { people, datasets }: VisibleWorld): Promise<void> => {
  for (const id of [datasets.shared, datasets.notes, datasets.mine, datasets.empty]) {
    await done(send, as(people.admin).patch(`/write/schema/${id}`, hiddenColumns));
  }
};

/** Values of every type. Visible records do not have them, or have them only in other fields. */
const hushed = [
  '"zebra"',
  '"zebra crossing"',
  '"alpine lodge"',
  '7',
  '1.50',
  '99999999999999999999999999',
  '"2024-01-05T12:00:00Z"',
  String.raw`"\ud800"`,
  '{"a":"zebra","n":[1,{"x":"red"}]}',
  '["zebra","red",[5]]',
  'null',
  'true',
];

/** Adds values in hidden columns to a record, next to visible members and inside visible objects. */
export const withHiddenColumnValues = (record: RecordText, index: number): RecordText => {
  const value = hushed[index % hushed.length] ?? 'null';
  const inside = `"nested":{"hush":${value},"deep.hush":"quagga ${String(index)}",`;
  const rest = record.replace('"nested":{', inside).slice(1, -1);
  const members = [`"hush":${value}`, rest, `"Hush.x":{"y":${value}}`, '"nested.hush":5'];
  const turned = index % 2 === 0 ? members : members.toReversed();
  return `{${turned.filter((member) => member !== '').join(',')}}`;
};
