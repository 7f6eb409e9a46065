import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { toCanonicalLabel } from '../expression/canonical-label.ts';
import { evaluateLabel, listLabelAttributes } from '../expression/evaluate-label.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { countryCodes } from './capco-countries.ts';
import { classifications, cuiCategories, sciMarkings } from './capco-markings.ts';
import { parseCapcoMarking } from './parse-capco-marking.ts';

function labelOf(text: string): string {
  const reading = parseCapcoMarking(text);
  assert.equal(reading.kind, 'label', reading.kind === 'fault' ? reading.message : text);
  return reading.kind === 'label' ? reading.label : '';
}

const unclassified = 'CLASS:C|CLASS:S|CLASS:TS|CLASS:U';

describe('reading CAPCO marks', () => {
  const readable: [mark: string, label: string][] = [
    ['TOP SECRET', 'CLASS:TS'],
    ['(TS)', 'CLASS:TS'],
    ['S', 'CLASS:S|CLASS:TS'],
    ['CONFIDENTIAL', 'CLASS:C|CLASS:S|CLASS:TS'],
    ['(U)', unclassified],
    [
      'TOP SECRET//HCS-P/SI-G/TK//ORCON/NOFORN',
      'CLASS:TS&DISSEM:ORCON&REL:USA&SCI:HCS&SCI:HCS-P&SCI:SI&SCI:SI-G&SCI:TK',
    ],
    ['(TS//SI-G//OC/NF)', 'CLASS:TS&DISSEM:ORCON&REL:USA&SCI:SI&SCI:SI-G'],
    ['(C//SI)', '(CLASS:C|CLASS:S|CLASS:TS)&SCI:SI'],
    ['TOP SECRET//TALENT KEYHOLE', 'CLASS:TS&SCI:TK'],
    ['SECRET//FGI', '(CLASS:S|CLASS:TS)&FGI:CONCEALED'],
    [
      'SECRET//FGI DEU GBR//REL TO USA, DEU, GBR',
      '(CLASS:S|CLASS:TS)&(REL:DEU|REL:GBR|REL:USA)&FGI:DEU&FGI:GBR',
    ],
    ['(S//REL TO USA,GBR)', '(CLASS:S|CLASS:TS)&(REL:GBR|REL:USA)'],
    ['(S//REL TO USA, FVEY)', '(CLASS:S|CLASS:TS)&(REL:AUS|REL:CAN|REL:GBR|REL:NZL|REL:USA)'],
    ['(S//REL TO USA, ACGU, NATO)', '(CLASS:S|CLASS:TS)&(REL:AUS|REL:CAN|REL:GBR|REL:NATO|REL:USA)'],
    ['(S//REL TO USA)', '(CLASS:S|CLASS:TS)&REL:USA'],
    ['(S//OC/REL TO USA, GBR)', '(CLASS:S|CLASS:TS)&(REL:GBR|REL:USA)&DISSEM:ORCON'],
    ['UNCLASSIFIED//FOR OFFICIAL USE ONLY', `(${unclassified})&DISSEM:FOUO`],
    ['(U//FOUO/NF)', `(${unclassified})&DISSEM:FOUO&REL:USA`],
    ['CUI', `(${unclassified})&CUI`],
    ['CONTROLLED', `(${unclassified})&CUI`],
    ['CUI//SP-PRVCY/EXPT//NOFORN', `(${unclassified})&CUI&CUI:EXPT&CUI:PRVCY&REL:USA`],
    ['(S//CUI//NF)', '(CLASS:S|CLASS:TS)&CUI&REL:USA'],
    ['UNCLASSIFIED//CUI//TAX', `(${unclassified})&CUI&CUI:TAX`],
  ];
  for (const [mark, label] of readable) {
    test(`the CAPCO mark ${mark} asks for ${label}`, () => {
      assert.equal(labelOf(mark), toCanonicalLabel(parseLabel(label)));
    });
  }

  const unreadable: [mark: string, message: RegExp][] = [
    ['', /"" is no classification known here/],
    ['()', /"" is no classification/],
    ['(S', /"\(S" is no classification/],
    ['S)', /"S\)" is no classification/],
    ['((S))', /"\(S\)" is no classification/],
    ['secret', /"secret" is no classification/],
    [' SECRET', /" SECRET" is no classification/],
    ['SECRET\n', /is no classification/],
    ['ЅECRET', /is no classification/],
    ['RESTRICTED', /is no classification/],
    ['NOFORN', /"NOFORN" is no classification/],
    ['SECRET/NOFORN', /"SECRET\/NOFORN" is no classification/],
    ['SECRET//', /"" is no mark that is known here/],
    ['SECRET////NOFORN', /"" is no mark/],
    ['SECRET//NOFORN//', /"" is no mark/],
    ['SECRET//MAGIC', /"MAGIC" is no mark/],
    ['SECRET//NOFORN/MAGIC', /"MAGIC" is no dissemination mark/],
    ['SECRET//NOFORN/', /"" is no dissemination mark/],
    ['TOP SECRET//SI/MAGIC', /"MAGIC" is no SCI mark/],
    ['TOP SECRET//SI-XYZ', /"SI-XYZ" is no mark/],
    ['TOP SECRET//SI/NOFORN', /"NOFORN" is no SCI mark/],
    ['TOP SECRET//NOFORN//SI', /"SI" stands twice or too late/],
    ['TOP SECRET//SI//TK', /"TK" stands twice or too late/],
    ['TOP SECRET//SI/SI', /names a mark twice/],
    ['SECRET//NOFORN/NF', /names a mark twice/],
    ['SECRET//SI-G', /"SI-G" does not stand with SECRET/],
    ['CONFIDENTIAL//TK', /"TK" does not stand with CONFIDENTIAL/],
    ['UNCLASSIFIED//SI', /"SI" does not stand with UNCLASSIFIED/],
    ['UNCLASSIFIED//ORCON', /"ORCON" does not stand with UNCLASSIFIED/],
    ['UNCLASSIFIED//FGI GBR', /"FGI" does not stand with UNCLASSIFIED/],
    ['SECRET//FOUO', /"FOUO" does not stand with SECRET/],
    ['SECRET//REL TO', /"REL TO" is no mark/],
    ['SECRET//REL TO ', /does not name USA first/],
    ['SECRET//REL TO GBR, USA', /does not name USA first/],
    ['SECRET//REL TO USA, ', /"" is no country or group/],
    ['SECRET//REL TO USA GBR', /does not name USA first/],
    ['SECRET//REL TO USA, XXX', /"XXX" is no country or group/],
    ['SECRET//REL TO USA,  GBR', /" GBR" is no country or group/],
    ['SECRET//REL TO USA, GBR, GBR', /names a mark twice/],
    ['SECRET//REL TO USA, GBR/REL TO USA, DEU', /names a mark twice/],
    ['SECRET//REL TO USA, GBR/NOFORN', /keeps it from foreigners and releases it/],
    ['SECRET//NOFORN/REL TO USA, GBR', /keeps it from foreigners and releases it/],
    ['SECRET//FGI ', /"" is no foreign source/],
    ['SECRET//FGI USA', /"USA" is no foreign source/],
    ['SECRET//FGI GBR, DEU', /"GBR," is no foreign source/],
    ['SECRET//FGI GBR GBR', /names a mark twice/],
    ['SECRET//FGI FVEY', /"FVEY" is no foreign source/],
    ['UNCLASSIFIED//PRVCY', /"PRVCY" does not follow CUI/],
    ['CUI//CUI', /"CUI" stands twice or too late/],
    ['CUI//SP-MAGIC', /"SP-MAGIC" is no mark/],
    ['CUI//PRVCY/SP-PRVCY', /names a mark twice/],
    ['CUI//SI', /"SI" stands twice or too late/],
    [`SECRET//${'X'.repeat(10_000)}`, /more than 10000 characters/],
    ['toString', /is no classification/],
    ['SECRET//constructor', /is no mark/],
  ];
  for (const [mark, message] of unreadable) {
    test(`as a CAPCO mark it is unreadable: ${JSON.stringify(mark).slice(0, 60)}`, () => {
      const reading = parseCapcoMarking(mark);
      assert.equal(reading.kind, 'fault', JSON.stringify(reading));
      assert.match(reading.kind === 'fault' ? reading.message : '', message);
    });
  }

  test('the longest mark that can be read makes a label within its limits', () => {
    const countries = countryCodes.filter((code) => code !== 'USA');
    const sci = 'HCS/HCS-O/HCS-P/SI/SI-G/TK/TK-BLFH/TK-IDIT/TK-KAND';
    const text = `TS//${sci}//FGI ${countries.join(' ')}//CUI//${cuiCategories.map(({ marks }) => marks[0]).join('/')}//ORCON/REL TO USA, ${countries.join(', ')}`;
    assert.equal([...listLabelAttributes(parseLabel(labelOf(text)))].length > 490, true);
  });
});

describe('whatever stands in a CAPCO mark', () => {
  const head = fc.constantFrom(...classifications.flatMap(({ marks }) => marks));
  const pieces = fc.constantFrom(
    ...sciMarkings.flatMap(({ marks }) => marks),
    'NOFORN',
    'NF',
    'ORCON',
    'OC',
    'FOUO',
    'CUI',
    'PRVCY',
    'SP-TAX',
    'FGI',
    'FGI GBR',
    'FGI DEU NATO',
    'REL TO USA, GBR',
    'REL TO USA, FVEY',
    'MAGIC',
    '',
    ' ',
    '/',
    '//',
    '(',
    ')',
  );
  const anyMark = fc.oneof(
    fc
      .tuple(head, fc.array(pieces, { maxLength: 5 }), fc.constantFrom('//', '/'))
      .map(([first, rest, between]) => [first, rest.join(between)].filter((part) => part !== '').join('//')),
    fc.array(fc.oneof(head, pieces, fc.string()), { maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );

  test('no CAPCO text gives the empty label, or one that a reader without attributes satisfies', () => {
    fc.assert(
      fc.property(anyMark, (text) => {
        const reading = parseCapcoMarking(text);
        if (reading.kind === 'fault') return;
        assert.notEqual(reading.label, '');
        const expression = parseLabel(reading.label);
        assert.equal(toCanonicalLabel(expression), reading.label);
        assert.equal(evaluateLabel(expression, new Set()), false);
      }),
      { numRuns: 2000 },
    );
  });

  test('a CAPCO mark with one part more never shows a record to more people', () => {
    const holdings = fc.subarray([
      ...classifications.map(({ attribute }) => attribute),
      ...sciMarkings.flatMap(({ attributes }) => attributes),
      'REL:USA',
      'REL:GBR',
      'REL:NZL',
      'DISSEM:ORCON',
      'DISSEM:FOUO',
      'CUI',
      'CUI:PRVCY',
      'CUI:TAX',
      'FGI:CONCEALED',
      'FGI:GBR',
      'FGI:DEU',
      'FGI:NATO',
    ]);
    fc.assert(
      fc.property(anyMark, fc.constantFrom('//', '/'), pieces, holdings, (text, between, piece, held) => {
        const [less, more] = [parseCapcoMarking(text), parseCapcoMarking(`${text}${between}${piece}`)];
        if (less.kind === 'fault' || more.kind === 'fault') return;
        const attributes = new Set(held);
        if (evaluateLabel(parseLabel(more.label), attributes)) {
          assert.equal(evaluateLabel(parseLabel(less.label), attributes), true, `${text} and ${piece}`);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('who is cleared for more reads all CAPCO marks that who is cleared for less reads', () => {
    for (const [level, { attribute }] of classifications.entries()) {
      for (const [of, { marks }] of classifications.entries()) {
        for (const mark of marks) {
          assert.equal(evaluateLabel(parseLabel(labelOf(mark)), new Set([attribute])), level >= of);
        }
      }
    }
  });

  test('a CAPCO text with any one character changed is unreadable or another mark of the table, never a wider one', () => {
    const texts = ['TOP SECRET//SI/TK//NOFORN', '(S//FGI GBR//REL TO USA, GBR)', 'CUI//SP-PRVCY//NOFORN'];
    const cleared = new Set(['CLASS:U']);
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(30),
        fc.string({ maxLength: 1 }),
        (text, at, character) => {
          const reading = parseCapcoMarking(`${text.slice(0, at)}${character}${text.slice(at + 1)}`);
          if (reading.kind === 'fault') return;
          assert.equal(evaluateLabel(parseLabel(reading.label), cleared), false, text);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
