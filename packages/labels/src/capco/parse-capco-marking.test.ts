/* Shows: A-capco-never-wider */
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
  const parsed = parseCapcoMarking(text);
  assert.equal(parsed.kind, 'label', parsed.kind === 'error' ? parsed.predicate : text);
  return parsed.kind === 'label' ? parsed.label : '';
}

const unclassified = 'CLASS:C|CLASS:S|CLASS:TS|CLASS:U';

describe('parsing CAPCO markings', () => {
  const supported: [mark: string, label: string][] = [
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
  for (const [mark, label] of supported) {
    test(`the CAPCO marking ${mark} becomes the label ${label}`, () => {
      assert.equal(labelOf(mark), toCanonicalLabel(parseLabel(label)));
    });
  }

  const unsupported: [mark: string, message: RegExp][] = [
    ['', /"" is not a known classification/],
    ['()', /"" is not a known classification/],
    ['(S', /"\(S" is not a known classification/],
    ['S)', /"S\)" is not a known classification/],
    ['((S))', /"\(S\)" is not a known classification/],
    ['secret', /"secret" is not a known classification/],
    [' SECRET', /" SECRET" is not a known classification/],
    ['SECRET\n', /is not a known classification/],
    ['ЅECRET', /is not a known classification/],
    ['RESTRICTED', /is not a known classification/],
    ['NOFORN', /"NOFORN" is not a known classification/],
    ['SECRET/NOFORN', /"SECRET\/NOFORN" is not a known classification/],
    ['SECRET//', /"" is not a known marking/],
    ['SECRET////NOFORN', /"" is not a known marking/],
    ['SECRET//NOFORN//', /"" is not a known marking/],
    ['SECRET//MAGIC', /"MAGIC" is not a known marking/],
    ['SECRET//NOFORN/MAGIC', /"MAGIC" is not a known dissemination marking/],
    ['SECRET//NOFORN/', /"" is not a known dissemination marking/],
    ['TOP SECRET//SI/MAGIC', /"MAGIC" is not a known SCI marking/],
    ['TOP SECRET//SI-XYZ', /"SI-XYZ" is not a known marking/],
    ['TOP SECRET//SI/NOFORN', /"NOFORN" is not a known SCI marking/],
    ['TOP SECRET//NOFORN//SI', /"SI" is repeated or out of order/],
    ['TOP SECRET//SI//TK', /"TK" is repeated or out of order/],
    ['TOP SECRET//SI/SI', /contains a marking twice/],
    ['SECRET//NOFORN/NF', /contains a marking twice/],
    ['SECRET//SI-G', /"SI-G" cannot be combined with SECRET/],
    ['CONFIDENTIAL//TK', /"TK" cannot be combined with CONFIDENTIAL/],
    ['UNCLASSIFIED//SI', /"SI" cannot be combined with UNCLASSIFIED/],
    ['UNCLASSIFIED//ORCON', /"ORCON" cannot be combined with UNCLASSIFIED/],
    ['UNCLASSIFIED//FGI GBR', /"FGI" cannot be combined with UNCLASSIFIED/],
    ['SECRET//FOUO', /"FOUO" cannot be combined with SECRET/],
    ['SECRET//REL TO', /"REL TO" is not a known marking/],
    ['SECRET//REL TO ', /must name USA first/],
    ['SECRET//REL TO GBR, USA', /must name USA first/],
    ['SECRET//REL TO USA, ', /"" is not a known country or group/],
    ['SECRET//REL TO USA GBR', /must name USA first/],
    ['SECRET//REL TO USA, XXX', /"XXX" is not a known country or group/],
    ['SECRET//REL TO USA,  GBR', /" GBR" is not a known country or group/],
    ['SECRET//REL TO USA, GBR, GBR', /contains a marking twice/],
    ['SECRET//REL TO USA, GBR/REL TO USA, DEU', /contains a marking twice/],
    ['SECRET//REL TO USA, GBR/NOFORN', /combines NOFORN with REL TO/],
    ['SECRET//NOFORN/REL TO USA, GBR', /combines NOFORN with REL TO/],
    ['SECRET//FGI ', /"" is not a known foreign source/],
    ['SECRET//FGI USA', /"USA" is not a known foreign source/],
    ['SECRET//FGI GBR, DEU', /"GBR," is not a known foreign source/],
    ['SECRET//FGI GBR GBR', /contains a marking twice/],
    ['SECRET//FGI FVEY', /"FVEY" is not a known foreign source/],
    ['UNCLASSIFIED//PRVCY', /"PRVCY" must follow CUI/],
    ['CUI//CUI', /"CUI" is repeated or out of order/],
    ['CUI//SP-MAGIC', /"SP-MAGIC" is not a known marking/],
    ['CUI//PRVCY/SP-PRVCY', /contains a marking twice/],
    ['CUI//SI', /"SI" is repeated or out of order/],
    [`SECRET//${'X'.repeat(10_000)}`, /more than 10000 characters/],
    ['toString', /is not a known classification/],
    ['SECRET//constructor', /is not a known marking/],
  ];
  for (const [mark, message] of unsupported) {
    test(`an unsupported CAPCO marking is rejected: ${JSON.stringify(mark).slice(0, 60)}`, () => {
      const parsed = parseCapcoMarking(mark);
      assert.equal(parsed.kind, 'error', JSON.stringify(parsed));
      assert.match(parsed.kind === 'error' ? parsed.predicate : '', message);
    });
  }

  test('the longest supported CAPCO marking becomes a label within the limits', () => {
    const countries = countryCodes.filter((code) => code !== 'USA');
    const sci = 'HCS/HCS-O/HCS-P/SI/SI-G/TK/TK-BLFH/TK-IDIT/TK-KAND';
    const text = `TS//${sci}//FGI ${countries.join(' ')}//CUI//${cuiCategories.map(({ marks }) => marks[0]).join('/')}//ORCON/REL TO USA, ${countries.join(', ')}`;
    assert.equal([...listLabelAttributes(parseLabel(labelOf(text)))].length > 490, true);
  });
});

describe('CAPCO markings of any content', () => {
  const head = fc.constantFrom(...classifications.flatMap(({ marks }) => marks));
  const parts = fc.constantFrom(
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
      .tuple(head, fc.array(parts, { maxLength: 5 }), fc.constantFrom('//', '/'))
      .map(([first, rest, between]) => [first, rest.join(between)].filter((part) => part !== '').join('//')),
    fc.array(fc.oneof(head, parts, fc.string()), { maxLength: 6 }).map((texts) => texts.join('')),
    fc.string({ unit: 'binary' }),
  );

  test('no CAPCO text becomes the empty label, or a label that a reader without attributes satisfies', () => {
    fc.assert(
      fc.property(anyMark, (text) => {
        const parsed = parseCapcoMarking(text);
        if (parsed.kind === 'error') return;
        assert.notEqual(parsed.label, '');
        const expression = parseLabel(parsed.label);
        assert.equal(toCanonicalLabel(expression), parsed.label);
        assert.equal(evaluateLabel(expression, new Set()), false);
      }),
      { numRuns: 2000 },
    );
  });

  test('adding a part to a CAPCO marking never makes a record visible to more people', () => {
    const heldAttributes = fc.subarray([
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
      fc.property(anyMark, fc.constantFrom('//', '/'), parts, heldAttributes, (text, between, part, held) => {
        const [less, more] = [parseCapcoMarking(text), parseCapcoMarking(`${text}${between}${part}`)];
        if (less.kind === 'error' || more.kind === 'error') return;
        const attributes = new Set(held);
        if (evaluateLabel(parseLabel(more.label), attributes)) {
          assert.equal(evaluateLabel(parseLabel(less.label), attributes), true, `${text} and ${part}`);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('a higher CAPCO classification can read everything that a lower one can read', () => {
    for (const [level, { attribute }] of classifications.entries()) {
      for (const [of, { marks }] of classifications.entries()) {
        for (const mark of marks) {
          assert.equal(evaluateLabel(parseLabel(labelOf(mark)), new Set([attribute])), level >= of);
        }
      }
    }
  });

  test('a CAPCO text with one character changed is rejected or becomes another supported marking, never a wider one', () => {
    const texts = ['TOP SECRET//SI/TK//NOFORN', '(S//FGI GBR//REL TO USA, GBR)', 'CUI//SP-PRVCY//NOFORN'];
    const cleared = new Set(['CLASS:U']);
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(30),
        fc.string({ maxLength: 1 }),
        (text, at, character) => {
          const parsed = parseCapcoMarking(`${text.slice(0, at)}${character}${text.slice(at + 1)}`);
          if (parsed.kind === 'error') return;
          assert.equal(evaluateLabel(parseLabel(parsed.label), cleared), false, text);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
