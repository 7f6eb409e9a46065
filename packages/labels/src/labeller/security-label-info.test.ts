import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { createRecordLabeller } from './record-labeller.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

const identity = { parserClassName: 'identity-parser', fields: ['label'], labelHandlingPolicy: 'drop' };
const applied = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };

const create = (info: unknown): unknown => createRecordLabeller(info as SecurityLabelInfo);

describe('security label information', () => {
  const refused: [name: string, info: unknown, field: string, message: RegExp][] = [
    ['a text', 'identity-parser', 'securityLabelInfo', /"identity-parser" was sent; send an object/],
    ['a list', [identity], 'securityLabelInfo', /send an object, or leave it out/],
    ['a number', 0, 'securityLabelInfo', /0 was sent/],
    ['false', false, 'securityLabelInfo', /false was sent/],
    [
      'an unknown key',
      { ...identity, lable: 'A' },
      'securityLabelInfo',
      /"lable" is no key of it; the keys are fields, label,/,
    ],
    ['the key __proto__', JSON.parse('{"__proto__":{}}'), 'securityLabelInfo', /"__proto__" is no key/],
    [
      'nothing in it',
      {},
      'securityLabelInfo.parserClassName',
      /it is absent; send "identity-parser", "simple-parser", "capco-parser" or/,
    ],
    [
      'nothing but nulls',
      {
        fields: null,
        label: null,
        labelHandlingPolicy: null,
        parserClassName: null,
        replacementString: null,
      },
      'securityLabelInfo.parserClassName',
      /it is absent/,
    ],
    [
      'an unknown parser',
      { ...identity, parserClassName: 'Identity-Parser' },
      'securityLabelInfo.parserClassName',
      /there is no parser "Identity-Parser"; send/,
    ],
    [
      'an empty parser',
      { ...identity, parserClassName: '' },
      'securityLabelInfo.parserClassName',
      /there is no parser ""/,
    ],
    [
      'a parser named like a method',
      { ...identity, parserClassName: 'constructor' },
      'securityLabelInfo.parserClassName',
      /there is no parser/,
    ],
    [
      'a parser that is no text',
      { ...identity, parserClassName: ['identity-parser'] },
      'securityLabelInfo.parserClassName',
      /\["identity-parser"\] was sent; send a text/,
    ],
    [
      'a CAPCO mark as the replacement of the capco parser',
      {
        ...identity,
        parserClassName: 'capco-parser',
        labelHandlingPolicy: 'replace',
        replacementString: 'SECRET',
      },
      'securityLabelInfo.replacementString',
      /"SECRET" is a CAPCO mark, and a replacement is a label expression; send "CLASS:S\|CLASS:TS"/,
    ],
    [
      'the capco parser without fields',
      { parserClassName: 'capco-parser', labelHandlingPolicy: 'drop' },
      'securityLabelInfo.fields',
      /absent or empty/,
    ],
    [
      'an unknown policy',
      { ...identity, labelHandlingPolicy: 'Drop' },
      'securityLabelInfo.labelHandlingPolicy',
      /there is no policy "Drop"; send "ignore", "replace" or "drop"/,
    ],
    [
      'an empty policy',
      { ...identity, labelHandlingPolicy: '' },
      'securityLabelInfo.labelHandlingPolicy',
      /there is no policy ""/,
    ],
    [
      'an unknown policy beside a label for all',
      { ...applied, labelHandlingPolicy: 'keep' },
      'securityLabelInfo.labelHandlingPolicy',
      /there is no policy "keep"/,
    ],
    [
      'a policy that is no text',
      { ...identity, labelHandlingPolicy: 1 },
      'securityLabelInfo.labelHandlingPolicy',
      /1 was sent; send a text/,
    ],
    [
      'replace without a replacement',
      { ...identity, labelHandlingPolicy: 'replace' },
      'securityLabelInfo.replacementString',
      /absent or empty, and the policy is "replace"/,
    ],
    [
      'replace with null as replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: null },
      'securityLabelInfo.replacementString',
      /absent or empty/,
    ],
    [
      'replace with an empty replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: '' },
      'securityLabelInfo.replacementString',
      /absent or empty/,
    ],
    [
      'no policy and no replacement',
      { ...identity, labelHandlingPolicy: null },
      'securityLabelInfo.replacementString',
      /labelHandlingPolicy is absent, which means "replace"; send/,
    ],
    [
      'a replacement that cannot be read',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: 'A&' },
      'securityLabelInfo.replacementString',
      /Label "A&" is not valid: at position 2/,
    ],
    [
      'white space as replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: ' ' },
      'securityLabelInfo.replacementString',
      /Label " " is not valid/,
    ],
    [
      'a replacement that is no text',
      { ...identity, replacementString: {} },
      'securityLabelInfo.replacementString',
      /\{\} was sent; send a text/,
    ],
    [
      'a replacement that cannot be read and is not needed',
      { ...identity, replacementString: 'A&' },
      'securityLabelInfo.replacementString',
      /Label "A&" is not valid/,
    ],
    [
      'no fields',
      { ...identity, fields: null },
      'securityLabelInfo.fields',
      /absent or empty; send the names/,
    ],
    ['an empty list of fields', { ...identity, fields: [] }, 'securityLabelInfo.fields', /absent or empty/],
    ['an empty text of fields', { ...identity, fields: '' }, 'securityLabelInfo.fields', /absent or empty/],
    [
      'a field without a name',
      { ...identity, fields: ['label', ''] },
      'securityLabelInfo.fields',
      /\["label",""\] was sent; send a list/,
    ],
    [
      'a text of fields with a gap',
      { ...identity, fields: 'a,,b' },
      'securityLabelInfo.fields',
      /"a,,b" was sent/,
    ],
    [
      'a text of white space as fields',
      { ...identity, fields: ' ' },
      'securityLabelInfo.fields',
      /" " was sent/,
    ],
    ['a field that is no text', { ...identity, fields: [1] }, 'securityLabelInfo.fields', /\[1\] was sent/],
    [
      'fields that are no list',
      { ...identity, fields: { label: true } },
      'securityLabelInfo.fields',
      /\{"label":true\} was sent/,
    ],
    [
      'a long list of wrong fields',
      { ...identity, fields: Array.from({ length: 100 }, () => '') },
      'securityLabelInfo.fields',
      /^securityLabelInfo\.fields: \["",.{76}… was sent/,
    ],
    [
      'too many fields',
      { ...identity, fields: Array.from({ length: 101 }, (_, index) => `f${index}`) },
      'securityLabelInfo.fields',
      /101 fields were sent; send at most 100/,
    ],
    [
      'a label beside fields',
      { ...identity, label: 'A' },
      'securityLabelInfo.label',
      /"A" was sent; this parser takes labels from fields/,
    ],
    [
      'a label that cannot be read beside fields',
      { ...identity, label: '&' },
      'securityLabelInfo.label',
      /Label "&" is not valid/,
    ],
    [
      'a label for all that is absent',
      { ...applied, label: null },
      'securityLabelInfo.label',
      /absent or empty; send the label of the records/,
    ],
    [
      'a label for all that is empty',
      { ...applied, label: '' },
      'securityLabelInfo.label',
      /absent or empty/,
    ],
    [
      'a label for all that cannot be read',
      { ...applied, label: '()' },
      'securityLabelInfo.label',
      /Label "\(\)" is not valid/,
    ],
    [
      'a label for all that is white space',
      { ...applied, label: ' ' },
      'securityLabelInfo.label',
      /Label " " is not valid/,
    ],
    [
      'fields beside a label for all',
      { ...applied, fields: ['label'] },
      'securityLabelInfo.fields',
      /\["label"\] was sent; this parser reads no fields/,
    ],
  ];
  for (const [name, info, field, message] of refused) {
    test(`label information is refused: ${name}`, () => {
      assert.throws(
        () => create(info),
        (error) => {
          assert.ok(error instanceof RedoubtError, String(error));
          assert.equal(error.name, 'SecurityError');
          assert.equal(error.code, 400);
          assert.equal(error.errors?.[0]?.field, field);
          assert.equal(error.message, `${field}: ${error.errors[0].message}`);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  const accepted: [name: string, info: SecurityLabelInfo][] = [
    ['capco by its id', { parserClassName: 'capco-parser', fields: ['f'], labelHandlingPolicy: 'drop' }],
    ['capco by its short name', { parserClassName: 'capco', fields: 'f', replacementString: 'R&S' }],
    [
      'identity by its short name',
      { parserClassName: 'identity', fields: ['f'], labelHandlingPolicy: 'ignore' },
    ],
    ['simple by its id', { parserClassName: 'simple-parser', fields: ['f'], labelHandlingPolicy: 'ignore' }],
    ['simple by its short name', { parserClassName: 'simple', fields: ['f'], labelHandlingPolicy: 'ignore' }],
    [
      'an empty replacement that is not needed',
      {
        parserClassName: 'identity-parser',
        fields: ['f'],
        labelHandlingPolicy: 'ignore',
        replacementString: '',
      },
    ],
    [
      'a replacement that is not needed',
      {
        parserClassName: 'identity-parser',
        fields: ['f'],
        labelHandlingPolicy: 'drop',
        replacementString: 'A',
      },
    ],
    [
      'an empty label beside fields',
      { parserClassName: 'identity-parser', fields: ['f'], labelHandlingPolicy: 'drop', label: '' },
    ],
    [
      'a hundred fields',
      {
        parserClassName: 'identity-parser',
        fields: Array.from({ length: 100 }, (_, index) => `f${index}`),
        labelHandlingPolicy: 'drop',
      },
    ],
    [
      'no policy with a replacement',
      { parserClassName: 'identity-parser', fields: 'f', replacementString: 'A' },
    ],
    ['a label for all by its short name', { parserClassName: 'apply-label-to-all-records', label: 'A' }],
    [
      'a label for all with the rest empty',
      {
        parserClassName: 'apply-label-to-all-records-parser',
        label: 'A',
        fields: [],
        labelHandlingPolicy: null,
        replacementString: null,
      },
    ],
    [
      'a label for all with a policy that has nothing to do',
      {
        parserClassName: 'apply-label-to-all-records-parser',
        label: 'A',
        fields: '',
        labelHandlingPolicy: 'replace',
      },
    ],
  ];
  for (const [name, info] of accepted) {
    test(`label information is accepted: ${name}`, () => {
      assert.equal(typeof createRecordLabeller(info).label, 'function');
    });
  }
});
