import { countryCodes } from './capco-countries.ts';
import {
  classifications,
  concealedForeignSource,
  cuiBanners,
  cuiCategories,
  cuiMarking,
  disseminationMarkings,
  foreignGovernmentSources,
  releasableTo,
  sciMarkings,
  type CapcoMarking,
} from './capco-markings.ts';
import { parseCapcoMarking } from './parse-capco-marking.ts';

const code = (text: string): string => `\`${text}\``;
const codes = (texts: readonly string[], between = ', '): string => texts.map(code).join(between);
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => String(row[column]).length)));
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(Number(widths[column]))));
  const rule = widths.map((width) => '-'.repeat(width));
  return lines
    .toSpliced(1, 0, rule)
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

const standsWith = ({ allowed: { lowest, highest } }: CapcoMarking): string =>
  codes(classifications.slice(lowest, highest + 1).map(({ marks: [banner] }) => banner));
const marksTable = (marks: readonly CapcoMarking[]): string =>
  table(
    ['Mark', 'A reader has to hold', 'Stands with'],
    marks.map((mark) => [codes(mark.marks), codes(mark.attributes, ' and '), standsWith(mark)]),
  );

const examples = [
  'TOP SECRET//SI/TK//NOFORN',
  '(TS//SI-G//OC/NF)',
  'SECRET//FGI GBR//REL TO USA, GBR',
  '(C//REL TO USA, FVEY)',
  '(U//FOUO)',
  'CUI//SP-PRVCY//NOFORN',
  'SECRET//CUI',
  'UNCLASSIFIED',
];
const exampleRow = (text: string): string[] => {
  const reading = parseCapcoMarking(text);
  return [text, ...Object.values(reading).slice(1)].map(code);
};
const groups = [...releasableTo].filter(([name]) => !countryCodes.includes(name));

/** The marks that the capco parser reads, and what they ask for, as a page of Markdown made out of its table. */
export const renderCapcoReference = (): string =>
  `${[
    '---\ntitle: CAPCO marks\ndescription: The classification marks that capco-parser reads, and the attributes that each asks for.\nsidebar_position: 6\n---',
    'What `capco-parser` reads. This page is made out of the parser’s own table.',
    'A mark is a banner (`SECRET//NOFORN`) or a portion, with or without its parentheses (`(S//NF)`); both spellings of a mark may stand in either. It is written in capitals, without spaces but those shown here. Its parts are separated by `//` and stand in the order of this page; the marks of one part are separated by `/`. This is a closed part of CAPCO: a text with anything else in it, with a part out of its place, with a mark twice, or with marks that do not stand together, is unreadable. What becomes of its record is then up to the handling policy of the write, and it never becomes visible to more people.',
    'Each part of a mark asks for attributes, and a reader has to hold what all of them ask for. No mark gives the empty label: also to read what is unclassified one holds a classification.',
    '## Examples',
    table(['Mark', 'Label'], examples.map(exampleRow)),
    '## Classification',
    'Comes first. Who is cleared for one is cleared for the lower ones.',
    table(
      ['Mark', 'A reader has to hold one of'],
      classifications.map(({ marks }, level) => [
        codes(marks),
        codes(classifications.slice(level).map(({ attribute }) => attribute)),
      ]),
    ),
    `In its place ${codes(cuiBanners, ' or ')} means unclassified and ${code(cuiMarking.marks.join(''))}.`,
    '## Sensitive compartmented information',
    marksTable(sciMarkings),
    '## Foreign government information',
    `${code('FGI GBR DEU')} names one or several sources with a space between them, and asks for ${code('FGI:GBR')} and ${code('FGI:DEU')}. A source is one of the countries below but USA, or ${codes([...foreignGovernmentSources.keys()].filter((name) => !countryCodes.includes(name)))}. ${code('FGI')} alone conceals the source and asks for ${code(concealedForeignSource)}. Not with UNCLASSIFIED.`,
    '## Controlled unclassified information',
    marksTable([cuiMarking]),
    'A part of its own after it may name categories:',
    marksTable(cuiCategories),
    '## Dissemination',
    marksTable(disseminationMarkings),
    `${code('REL TO USA, GBR, FVEY')} names USA first, then countries or groups with commas between them, and asks for any one of their attributes, such as ${code('REL:GBR')}. It does not stand with NOFORN.`,
    table(
      ['Group', 'A reader has to hold one of'],
      groups.map(([name, attributes]) => [code(name), codes(attributes)]),
    ),
    '## Countries',
    'Their codes of three letters of ISO 3166-1:',
    codes(countryCodes, ' '),
  ].join('\n\n')}\n`;
