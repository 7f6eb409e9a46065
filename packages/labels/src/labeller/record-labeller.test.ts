/* Shows: K-label-policy, D-no-empty-label, L27, V-labelParser-capco, W-policy-unparseable */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { RedoubtError } from '@redoubt/errors';
import { toCanonicalLabel } from '../expression/canonical-label.ts';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelSyntaxError } from '../expression/label-syntax-error.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { createRecordLabeller, type LabelResult, type RecordLabeller } from './record-labeller.ts';
import type { LabelHandlingPolicy, SecurityLabelInfo } from './security-label-info.ts';

const policies: LabelHandlingPolicy[] = ['ignore', 'replace', 'drop'];
const own = (label: string): LabelResult => ({ kind: 'label', label, outcome: 'as-is' });
const replaced: LabelResult = { kind: 'label', label: 'R&S', outcome: 'replaced' };
const dropped: LabelResult = { kind: 'drop' };
const replacement = { labelHandlingPolicy: 'replace', replacementString: 's&r' } as const;

const fromFields = (policy: LabelHandlingPolicy, ...fields: string[]): RecordLabeller =>
  createRecordLabeller({
    parserClassName: 'identity-parser',
    fields,
    labelHandlingPolicy: policy,
    ...(policy === 'replace' ? replacement : {}),
  });
const ofParser =
  (parserClassName: string) =>
  (policy: LabelHandlingPolicy): RecordLabeller =>
    createRecordLabeller({
      parserClassName,
      fields: ['label'],
      labelHandlingPolicy: policy,
      ...(policy === 'replace' ? replacement : {}),
    });
const simple = ofParser('simple-parser');
const capco = ofParser('capco-parser');

function messageOf(outcome: LabelResult): string {
  assert.equal(outcome.kind, 'error');
  return outcome.kind === 'error' ? `${outcome.field} ${outcome.predicate}` : '';
}

/** Checks what each policy does with a record whose label is invalid. */
function checkInvalid(
  make: (policy: LabelHandlingPolicy) => RecordLabeller,
  record: Record<string, unknown>,
): void {
  assert.equal(make('ignore').label(record).kind, 'error', JSON.stringify(record));
  assert.deepEqual(make('replace').label(record), replaced, JSON.stringify(record));
  assert.deepEqual(make('drop').label(record), dropped, JSON.stringify(record));
}

/** Checks what each policy does with a record without a label. */
function checkNone(
  make: (policy: LabelHandlingPolicy) => RecordLabeller,
  record: Record<string, unknown>,
): void {
  assert.deepEqual(make('ignore').label(record), own(''), JSON.stringify(record));
  assert.deepEqual(make('replace').label(record), replaced, JSON.stringify(record));
  assert.deepEqual(make('drop').label(record), dropped, JSON.stringify(record));
}

describe('labelling records', () => {
  test('without label information every record gets the empty label', () => {
    for (const info of [undefined, null]) {
      assert.deepEqual(createRecordLabeller(info).label({ label: 'A' }), own(''));
    }
  });

  test('the label for all records is applied to each of them in canonical form', () => {
    const labeller = createRecordLabeller({
      parserClassName: 'apply-label-to-all-records-parser',
      label: 'b&(a)',
      labelHandlingPolicy: 'drop',
    });
    for (const record of [{}, { label: 'C' }, { label: 5 }]) {
      assert.deepEqual(labeller.label(record), own('A&B'));
    }
  });

  test('a valid label in the field becomes the label of the record, whatever the policy', () => {
    for (const policy of policies) {
      const labeller = fromFields(policy, 'label');
      assert.deepEqual(labeller.label({ label: 'b&(c|a)' }), own('(A|C)&B'));
      assert.deepEqual(labeller.label({ label: '"x y"', other: 1 }), own('"X Y"'));
    }
  });

  test('the policy decides about a label field that is absent, null or empty', () => {
    for (const record of [{}, { label: null }, { label: undefined }, { label: '' }, { Label: 'A' }]) {
      checkNone((policy) => fromFields(policy, 'label'), record);
      checkNone(simple, record);
      checkNone(capco, record);
    }
  });

  test('a label that is not a string or cannot be parsed never makes a record visible to more people', () => {
    const values = [
      0,
      1,
      true,
      false,
      [],
      ['A'],
      {},
      { a: 'A' },
      ' ',
      '\n',
      'A&',
      '()',
      '""',
      'A B',
      'A&B|C',
      '\u0000',
    ];
    for (const label of values) {
      checkInvalid((policy) => fromFields(policy, 'label'), { label });
      checkInvalid(simple, { label });
      checkInvalid(capco, { label });
    }
  });

  test('the capco parser converts markings to labels, and any other text is an error', () => {
    for (const policy of policies) {
      const labeller = capco(policy);
      assert.deepEqual(labeller.label({ label: '(TS//SI/TK//NF)' }), own('CLASS:TS&REL:USA&SCI:SI&SCI:TK'));
      assert.deepEqual(labeller.label({ label: 'SECRET' }), own('CLASS:S|CLASS:TS'));
    }
    for (const label of ['secret', 'SECRET ', 'SECRET//MAGIC', 'CLASS:S', '(S', 'A&B'])
      checkInvalid(capco, { label });
  });

  test('without a policy, the policy is replace', () => {
    const labeller = createRecordLabeller({
      parserClassName: 'identity',
      fields: 'label',
      replacementString: 's&r',
    });
    assert.deepEqual(labeller.label({}), replaced);
    assert.deepEqual(labeller.label({ label: '&' }), replaced);
  });

  test('the simple parser takes the whole value as one attribute', () => {
    const labeller = simple('ignore');
    assert.deepEqual(labeller.label({ label: 'top:secret/x' }), own('TOP:SECRET/X'));
    for (const label of [
      'A&B',
      'A|B',
      '(A)',
      '"A"',
      'A B',
      'é',
      'ſ',
      'A'.repeat(257),
      `${'A'.repeat(90)}!`,
    ]) {
      checkInvalid(simple, { label });
    }
  });

  test('a reader must satisfy all of several label fields, and fields without a value are skipped', () => {
    const labeller = fromFields('ignore', 'a', 'b', 'c');
    assert.deepEqual(labeller.label({ a: 'X|Y', b: 'Z' }), own('(X|Y)&Z'));
    assert.deepEqual(labeller.label({ a: 'X&Y', b: 'y&x', c: '' }), own('X&Y'));
    assert.deepEqual(labeller.label({ c: 'z', a: null }), own('Z'));
    checkNone((policy) => fromFields(policy, 'a', 'b'), { a: '', b: null });
  });

  test('one invalid value among several label fields is an error of the record', () => {
    for (const record of [
      { a: 'X', b: '&' },
      { a: '&', b: 'X' },
      { a: 1 },
      { a: 'X', b: [] },
      { a: '', b: ' ' },
    ]) {
      checkInvalid((policy) => fromFields(policy, 'a', 'b'), record);
    }
  });

  test('several labels that are too long or too deep together are an error', () => {
    const long = Array.from({ length: 1_000 }, (_, index) => `A${index}`).join('&');
    const longer = Array.from({ length: 1_200 }, (_, index) => `B${index}`).join('&');
    checkInvalid((policy) => fromFields(policy, 'a', 'b'), { a: long, b: longer });
    const outcome = fromFields('ignore', 'a', 'b').label({ a: long, b: longer });
    assert.match(
      messageOf(outcome),
      /^a,b together must be a valid label, .* expected at most 10000 characters in a label/,
    );
    let deep = 'A|Z';
    for (let depth = 0; depth < 100; depth += 1) deep = `(${deep})${depth % 2 === 0 ? '&' : '|'}B${depth}`;
    assert.equal(fromFields('ignore', 'a', 'b').label({ a: deep }).kind, 'label');
    checkInvalid((policy) => fromFields(policy, 'a', 'b'), { a: deep, b: 'C' });
  });

  test('fields may be named in one text with commas', () => {
    const labeller = createRecordLabeller({
      parserClassName: 'identity',
      fields: ' a, b ,a',
      labelHandlingPolicy: 'ignore',
    });
    assert.deepEqual(labeller.label({ a: 'X', b: 'Y' }), own('X&Y'));
  });

  test('a field name with dots is a key and a path, and a reader must satisfy both', () => {
    const labeller = fromFields('ignore', 'meta.sec.label');
    assert.deepEqual(labeller.label({ 'meta.sec.label': 'A' }), own('A'));
    assert.deepEqual(labeller.label({ meta: { sec: { label: 'B' } } }), own('B'));
    assert.deepEqual(labeller.label({ 'meta.sec.label': 'A', meta: { sec: { label: 'B' } } }), own('A&B'));
    assert.deepEqual(labeller.label({ 'meta.sec.label': '', meta: { sec: { label: 'B' } } }), own('B'));
    for (const meta of [
      undefined,
      null,
      {},
      'A',
      5,
      { sec: null },
      { sec: 'A' },
      { sec: {} },
      { 'sec.label': 'A' },
    ]) {
      checkNone((policy) => fromFields(policy, 'meta.sec.label'), { meta });
    }
  });

  test('a list on the path to a label is an error, since it may contain a label', () => {
    for (const meta of [[], [{ sec: { label: 'A' } }], { sec: [] }, { sec: [{ label: 'A' }] }]) {
      checkInvalid((policy) => fromFields(policy, 'meta.sec.label'), { meta });
    }
    const outcome = fromFields('ignore', 'meta.sec.label').label({ meta: { sec: [{ label: 'A' }] } });
    assert.match(
      messageOf(outcome),
      /^meta\.sec\.label must lead through objects, got a list at "meta\.sec"/,
    );
  });

  test('inherited properties are not fields of a record', () => {
    for (const field of [
      'constructor',
      'toString',
      '__proto__',
      'constructor.name',
      '__proto__.constructor.name',
    ]) {
      checkNone((policy) => fromFields(policy, field), {});
    }
    const record = JSON.parse('{"__proto__":"A"}') as Record<string, unknown>;
    assert.deepEqual(fromFields('ignore', '__proto__').label(record), own('A'));
  });

  test('the message of a label error describes the value of the field', () => {
    const labeller = fromFields('ignore', 'label');
    const message = (label: unknown): string => messageOf(labeller.label({ label }));
    assert.equal(message(5), 'label must be a label as a string, got number 5. Send a string.');
    assert.equal(message(false), 'label must be a label as a string, got boolean false. Send a string.');
    assert.equal(message(['A']), 'label must be a label as a string, got a list. Send a string.');
    assert.equal(message({ a: 'A' }), 'label must be a label as a string, got an object. Send a string.');
    assert.equal(message('A&'), `label ${predicateOfSyntax('A&')}`);
    const short = messageOf(simple('ignore').label({ label: 'A&B' }));
    assert.match(
      short,
      /^label must be one attribute of letters.* got "A&B"\. Use identity-parser for label expressions\.$/,
    );
    const long = messageOf(simple('ignore').label({ label: `${'A'.repeat(90)}!` }));
    assert.match(long, /^label must be one attribute .* got "A{80}"…\./);
  });

  test('a repeated label gives the same result', () => {
    const labeller = fromFields('ignore', 'a', 'b');
    for (const _ of [1, 2]) {
      assert.deepEqual(labeller.label({ a: 'y|x', b: 'z' }), own('(X|Y)&Z'));
      assert.equal(labeller.label({ a: 'y|' }).kind, 'error');
    }
  });
});

function predicateOfSyntax(text: string): string {
  try {
    parseLabel(text);
  } catch (error) {
    return (error as LabelSyntaxError).predicate;
  }
  return assert.fail('the text was parsed');
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) });
const blank = (value: unknown): boolean => value === null || value === undefined || value === '';

function labellerOf(info: SecurityLabelInfo): RecordLabeller | undefined {
  try {
    return createRecordLabeller(info);
  } catch (error) {
    assert.ok(error instanceof RedoubtError && error.name === 'SecurityError', String(error));
    return undefined;
  }
}

/** Whether a record has no label in these fields, computed without the code under test. */
function hasNone(record: Record<string, unknown>, fields: readonly string[]): boolean {
  return fields.every((field) => {
    if (field !== 'f.x') return blank(record[field]);
    const parent = record['f'];
    if (Array.isArray(parent)) return false;
    const nested = typeof parent === 'object' && parent !== null && 'x' in parent ? parent.x : null;
    return blank(record['f.x']) && blank(nested);
  });
}

describe('no record gets the empty label by accident', () => {
  const texts = ['', ' ', '\n', 'A', 'b', 'A&B', 'B|C', '(A)', '()', '""', '"', 'A&', '"a b"', 'é', 'A&B|C'];
  const value = fc.oneof(
    fc.constantFrom(...texts),
    fc.constantFrom(null, undefined, 0, 1, true, false),
    fc.constantFrom([], ['A'], {}, { x: 'A' }, { x: '' }, { x: null }, { x: ['A'] }, [{ x: 'A' }]),
  );
  const names = ['f', 'g', 'f.x', 'h'];
  const anyRecord = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
  const anyInfo = fc.record(
    {
      fields: maybe(
        fc.oneof(
          fc.subarray(names),
          fc.subarray(names).map((some) => some.join(',')),
        ),
      ),
      label: maybe(fc.constantFrom(...texts)),
      labelHandlingPolicy: maybe(fc.constantFrom<LabelHandlingPolicy>(...policies)),
      parserClassName: maybe(
        fc.constantFrom('identity-parser', 'simple', 'apply-label-to-all-records-parser', 'capco-parser', ''),
      ),
      replacementString: maybe(fc.constantFrom(...texts)),
    },
    { requiredKeys: [] },
  );
  const likelyInfo = fc.record({
    fields: fc.subarray(names, { minLength: 1 }),
    labelHandlingPolicy: fc.constantFrom<LabelHandlingPolicy>(...policies),
    parserClassName: fc.constantFrom('identity-parser', 'simple-parser', 'capco-parser'),
    replacementString: fc.constantFrom('R', 'r&s'),
  });

  test('the empty label comes from the policy ignore on a record without a label, and from nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(anyInfo, likelyInfo), anyRecord, (info: SecurityLabelInfo, record) => {
        const outcome = labellerOf(info)?.label(record);
        if (outcome?.kind !== 'label') return;
        assert.equal(toCanonicalLabel(parseLabel(outcome.label)), outcome.label);
        const fields =
          typeof info.fields === 'string' ? info.fields.split(',').filter(Boolean) : (info.fields ?? []);
        const fromFields = !info.parserClassName?.startsWith('apply');
        const isUnlabelledByPolicy =
          fromFields && info.labelHandlingPolicy === 'ignore' && fields.length > 0 && hasNone(record, fields);
        assert.equal(outcome.label === '', isUnlabelledByPolicy);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a reader who sees a labelled record satisfies each of its label fields', () => {
    const readers = [[], ['A'], ['B'], ['A', 'B'], ['C'], ['A B'], ['A', 'B', 'C', 'A B']].map(
      (held) => new Set(held),
    );
    fc.assert(
      fc.property(likelyInfo, anyRecord, (info, record) => {
        const outcome = createRecordLabeller(info).label(record);
        if (outcome.kind !== 'label' || outcome.outcome !== 'as-is') return;
        const label = parseLabel(outcome.label);
        for (const field of info.fields) {
          const text = record[field];
          if (typeof text !== 'string') continue;
          for (const reader of readers) {
            assert.ok(!evaluateLabel(label, reader) || evaluateLabel(parseLabel(text), reader));
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
