/* Shows: D-security-strict, E-SecurityLabelInfo-fields, E-SecurityLabelInfo-parserClassName,
   W-label-info-null, W-parser-ids */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { createRecordLabeller } from './record-labeller.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

const identity = { parserClassName: 'identity-parser', fields: ['label'], labelHandlingPolicy: 'drop' };
const applied = { parserClassName: 'apply-label-to-all-records-parser', label: 'A' };

const create = (info: unknown): unknown => createRecordLabeller(info as SecurityLabelInfo);

describe('security label information', () => {
  const rejected: [name: string, info: unknown, field: string, message: RegExp][] = [
    [
      'a string',
      'identity-parser',
      'securityLabelInfo',
      /must be an object, got "identity-parser"\. Send an object/,
    ],
    ['a list', [identity], 'securityLabelInfo', /Send an object, or leave it out/],
    ['a number', 0, 'securityLabelInfo', /got 0\./],
    ['false', false, 'securityLabelInfo', /got false\./],
    [
      'an unknown key',
      { ...identity, lable: 'A' },
      'securityLabelInfo',
      /must have the keys fields, label, .* alone, got "lable"\. Leave it out/,
    ],
    ['the key __proto__', JSON.parse('{"__proto__":{}}'), 'securityLabelInfo', /alone, got "__proto__"/],
    [
      'nothing in it',
      {},
      'securityLabelInfo.parserClassName',
      /must be "identity-parser", "simple-parser", "capco-parser" or .* got nothing/,
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
      /got nothing/,
    ],
    [
      'an unknown parser',
      { ...identity, parserClassName: 'Identity-Parser' },
      'securityLabelInfo.parserClassName',
      /must be "identity-parser", .* got "Identity-Parser"/,
    ],
    [
      'an empty parser',
      { ...identity, parserClassName: '' },
      'securityLabelInfo.parserClassName',
      /must be "identity-parser", .* got ""/,
    ],
    [
      'a parser named like a method',
      { ...identity, parserClassName: 'constructor' },
      'securityLabelInfo.parserClassName',
      /must be "identity-parser", .* got "constructor"/,
    ],
    [
      'a parser that is not a string',
      { ...identity, parserClassName: ['identity-parser'] },
      'securityLabelInfo.parserClassName',
      /must be a string, got \["identity-parser"\]/,
    ],
    [
      'a CAPCO marking as the replacement of the capco parser',
      {
        ...identity,
        parserClassName: 'capco-parser',
        labelHandlingPolicy: 'replace',
        replacementString: 'SECRET',
      },
      'securityLabelInfo.replacementString',
      /got the CAPCO marking "SECRET"\. Send "CLASS:S\|CLASS:TS"/,
    ],
    [
      'the capco parser without fields',
      { parserClassName: 'capco-parser', labelHandlingPolicy: 'drop' },
      'securityLabelInfo.fields',
      /got none/,
    ],
    [
      'an unknown policy',
      { ...identity, labelHandlingPolicy: 'Drop' },
      'securityLabelInfo.labelHandlingPolicy',
      /must be "ignore", "replace" or "drop", got "Drop"/,
    ],
    [
      'an empty policy',
      { ...identity, labelHandlingPolicy: '' },
      'securityLabelInfo.labelHandlingPolicy',
      /or "drop", got ""/,
    ],
    [
      'an unknown policy beside a label for all',
      { ...applied, labelHandlingPolicy: 'keep' },
      'securityLabelInfo.labelHandlingPolicy',
      /or "drop", got "keep"/,
    ],
    [
      'a policy that is not a string',
      { ...identity, labelHandlingPolicy: 1 },
      'securityLabelInfo.labelHandlingPolicy',
      /must be a string, got 1\./,
    ],
    [
      'replace without a replacement',
      { ...identity, labelHandlingPolicy: 'replace' },
      'securityLabelInfo.replacementString',
      /got nothing: labelHandlingPolicy is "replace"/,
    ],
    [
      'replace with null as replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: null },
      'securityLabelInfo.replacementString',
      /got nothing/,
    ],
    [
      'replace with an empty replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: '' },
      'securityLabelInfo.replacementString',
      /got nothing/,
    ],
    [
      'no policy and no replacement',
      { ...identity, labelHandlingPolicy: null },
      'securityLabelInfo.replacementString',
      /labelHandlingPolicy is absent, which means "replace"\. Send/,
    ],
    [
      'an invalid replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: 'A&' },
      'securityLabelInfo.replacementString',
      /must be a valid label, got "A&"\. At position 2/,
    ],
    [
      'white space as replacement',
      { ...identity, labelHandlingPolicy: 'replace', replacementString: ' ' },
      'securityLabelInfo.replacementString',
      /must be a valid label, got " "/,
    ],
    [
      'a replacement that is not a string',
      { ...identity, replacementString: {} },
      'securityLabelInfo.replacementString',
      /must be a string, got \{\}/,
    ],
    [
      'an invalid replacement that is not needed',
      { ...identity, replacementString: 'A&' },
      'securityLabelInfo.replacementString',
      /must be a valid label, got "A&"/,
    ],
    ['no fields', { ...identity, fields: null }, 'securityLabelInfo.fields', /got none\. Send their names/],
    ['an empty list of fields', { ...identity, fields: [] }, 'securityLabelInfo.fields', /got none/],
    ['an empty string of fields', { ...identity, fields: '' }, 'securityLabelInfo.fields', /got none/],
    [
      'a field without a name',
      { ...identity, fields: ['label', ''] },
      'securityLabelInfo.fields',
      /must be a list .* got \["label",""\]/,
    ],
    [
      'a string of fields with an empty name',
      { ...identity, fields: 'a,,b' },
      'securityLabelInfo.fields',
      /got "a,,b"/,
    ],
    ['white space as fields', { ...identity, fields: ' ' }, 'securityLabelInfo.fields', /got " "/],
    ['a field that is not a string', { ...identity, fields: [1] }, 'securityLabelInfo.fields', /got \[1\]/],
    [
      'fields that are not a list',
      { ...identity, fields: { label: true } },
      'securityLabelInfo.fields',
      /got \{"label":true\}/,
    ],
    [
      'a long list of wrong fields',
      { ...identity, fields: Array.from({ length: 100 }, () => '') },
      'securityLabelInfo.fields',
      /^securityLabelInfo\.fields must .* got \["",.{76}…\./,
    ],
    [
      'too many fields',
      { ...identity, fields: Array.from({ length: 101 }, (_, index) => `f${index}`) },
      'securityLabelInfo.fields',
      /must have at most 100 fields, got 101\./,
    ],
    [
      'a label beside fields',
      { ...identity, label: 'A' },
      'securityLabelInfo.label',
      /this parser, which reads labels from fields, got "A"/,
    ],
    [
      'an invalid label beside fields',
      { ...identity, label: '&' },
      'securityLabelInfo.label',
      /must be a valid label, got "&"/,
    ],
    [
      'an absent label for all',
      { ...applied, label: null },
      'securityLabelInfo.label',
      /got nothing\. Send the label of the records/,
    ],
    ['an empty label for all', { ...applied, label: '' }, 'securityLabelInfo.label', /got nothing/],
    [
      'an invalid label for all',
      { ...applied, label: '()' },
      'securityLabelInfo.label',
      /must be a valid label, got "\(\)"/,
    ],
    [
      'white space as the label for all',
      { ...applied, label: ' ' },
      'securityLabelInfo.label',
      /must be a valid label, got " "/,
    ],
    [
      'fields beside a label for all',
      { ...applied, fields: ['label'] },
      'securityLabelInfo.fields',
      /this parser, which reads no fields, got \["label"\]/,
    ],
  ];
  for (const [name, info, field, message] of rejected) {
    test(`label information is rejected: ${name}`, () => {
      assert.throws(
        () => create(info),
        (error) => {
          assert.ok(error instanceof RedoubtError, String(error));
          assert.equal(error.name, 'SecurityError');
          assert.equal(error.code, 400);
          assert.equal(error.errors?.[0]?.field, field);
          assert.ok(error.message.startsWith(`${field} must `), error.message);
          assert.equal(error.message, error.errors[0].message);
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
      'a label for all with a policy that has no effect',
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
