import { idsOf, write, writeExpectingError, writeRequest, type RecordText } from './records.ts';
import type { Person } from '@redoubt/testkit/requests';
import type { VisibleWorld } from './visible-world.ts';
import { done, type Send } from '@redoubt/testkit/requests';

/** Values that no visible record has, in fields of visible records: other types, extreme values, other shapes. */
const oddValues: Readonly<Record<string, readonly RecordText[]>> = {
  id: ['"zebra"', '0', 'null', '["v1"]'],
  name: [
    '"zebra crossing"',
    '42',
    '"2031-05-05"',
    '["alpine lodge","quagga"]',
    '{"a":"zebra"}',
    '"alpine lodge 0"',
  ],
  n: [
    '"not a number"',
    '1e400',
    '-1e400',
    '99999999999999999999999999',
    '18446744073709551615',
    '-0.0',
    '[1,2,[3]]',
    '{"x":1}',
    '"2024-01-05"',
    'true',
    '1.5',
    '5',
  ],
  f: ['7', '"7.5"', '1e-320', '[0.5]', 'null'],
  flag: ['"true"', '0', '[true,false]', '{}'],
  at: [
    '5',
    '"not a time"',
    '"0001-01-01"',
    '"9999-12-31T23:59:59.999999Z"',
    '["2024-01-05T12:00:00Z"]',
    '{"year":2024}',
  ],
  day: ['"2019-07-01"', '"2024-02-05T00:00:00+14:00"', '20240205', '[]'],
  tags: ['"red"', '[["red"]]', '[{"colour":"red"}]', '[1,2]', '["violet"]', '{"red":1}'],
  nested: [
    '"a scalar"',
    '[{"a":1}]',
    '{"a":"text"}',
    '{"a":{"b":1},"b":2}',
    '{"hidden":{"deeper":1}}',
    'null',
  ],
  mixed: ['1e999', '"text 1"', '[0]', '{"m":1}', '2.5'],
  big: ['1', '-99999999999999999999', '"9007199254740993"', '9007199254740994'],
  'nested.a': ['1', '"conflict"', '[1]'],
  'dotted.key': ['5', '"x1"', '{"more":1}'],
  dotted: ['{"key":"x1"}', '{"key":5}'],
};

const oddRecords = (label: string): RecordText[] =>
  Object.entries(oddValues).flatMap(([field, values]) =>
    values.map((value) => `{${JSON.stringify(field)}:${value},"label":${JSON.stringify(label)}}`),
  );

/** Fields that only hidden records have, some with names that are hard to parse. */
const secretFields = [
  'secret',
  'Name',
  'a b',
  '',
  ' ',
  '.',
  'x.',
  '"',
  '`',
  '\\',
  '🦓',
  'e\u0301',
  'sec:ret',
  '__proto__',
  'length',
  'raw',
  'doc',
  'words',
  'record_id',
  'label_id',
];

const secretRecords = (label: string): RecordText[] => [
  ...secretFields.map((field) => `{${JSON.stringify(field)}:"zebra","label":${JSON.stringify(label)}}`),
  `{"secret":7,"label":${JSON.stringify(label)}}`,
  `{"secret":"2030-01-01T00:00:00Z","label":${JSON.stringify(label)}}`,
  `{"secret":{"deep":{"er":1}},"label":${JSON.stringify(label)}}`,
  `{"nest":${'{"x":'.repeat(90)}1${'}'.repeat(90)},"label":${JSON.stringify(label)}}`,
  `{"long":"${'zebra '.repeat(20_000)}","label":${JSON.stringify(label)}}`,
];

/** Records with more paths than a dataset may have. Each batch stays within the limit. */
const manyPaths = (from: number, to: number): RecordText[] => {
  const fields = Array.from({ length: to - from }, (_, index) => `"p${from + index}":${index}`);
  return [`{${fields.join(',')},"label":"HELD-BY-NOBODY"}`];
};

/** Labels that the reader does not satisfy, each on a record that looks like a visible one. */
const manyLabels = (from: number, to: number): RecordText[] =>
  Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const label = [`H${index}`, `ALPHA&H${index}`, `H${index}|H${index + 1}`][index % 3];
    return JSON.stringify({
      id: `v${index}`,
      name: 'alpine lodge',
      n: index,
      k: index,
      note: 'old mill',
      label,
    });
  });

const secretLabels = ['SECRET', 'ALPHA&SECRET', 'GAMMA', 'SECRET|GAMMA', '(ALPHA|BETA)&GAMMA'] as const;

/** Sends a batch that is rejected. It must not create paths, labels or attributes. */
const refusedBatch = (send: Send, writer: Person, datasetId: string) =>
  writeExpectingError(
    send,
    writeRequest(writer, datasetId, [
      '{"refused":"zebra","n":"refused","label":"REFUSED-1"}',
      '{"label":"A&B|C"}',
      '{"label":"ALPHA|REFUSED-2"}',
    ]),
  );

/** Creates hidden records of every kind, in several parts that are written between visible records. */
export const hideRecords = async (
  send: Send,
  { people: { admin, writer: anyWriter }, datasets }: VisibleWorld,
  datasetId: string,
  part: number,
) => {
  const writer = datasetId === datasets.mine ? admin : anyWriter;
  const label = secretLabels[part % secretLabels.length] ?? 'SECRET';
  await write(send, writer, datasetId, oddRecords(label));
  await write(send, writer, datasetId, secretRecords(label));
  await write(send, writer, datasetId, manyLabels(part * 120, part * 120 + 120));
  await refusedBatch(send, writer, datasetId);
};

const pathsOfBatch = 100;

/**
 * Writes hidden records with so many paths that the engine has no separate columns left for paths of visible records.
 */
export const hidePaths = async (send: Send, { people }: VisibleWorld, datasetId: string, count: number) => {
  for (let from = 0; from < count; from += pathsOfBatch) {
    await write(send, people.admin, datasetId, manyPaths(from, from + pathsOfBatch));
  }
};

/** The insider, who sees hidden records, replaces some of them. Returns the id of one. */
export const replaceHidden = async (
  send: Send,
  { people }: VisibleWorld,
  datasetId: string,
  visible: readonly string[],
) => {
  const seen = new Set(visible);
  const hidden = (await idsOf(send, people.insider, datasetId)).filter((id) => !seen.has(id));
  const chosen = hidden.filter((_, index) => index % 7 === 0).slice(0, 20);
  for (const round of [1, 2]) {
    const records = chosen.map((id) =>
      JSON.stringify({ id: 'zebra', n: -round, replaced: round, _koverse_record_id: id }),
    );
    await done(send, writeRequest(people.insider, datasetId, records, null));
  }
  const [id] = chosen;
  if (id === undefined) throw new Error('The insider sees nothing hidden');
  return id;
};
