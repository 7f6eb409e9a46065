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
import { join } from 'node:path';

/** The path of the generated documentation page. */
export const capcoReferencePath = join(import.meta.dirname, '../../../../apps/docs/docs/reference/capco.md');

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

const combinesWith = ({ allowed: { lowest, highest } }: CapcoMarking): string =>
  codes(classifications.slice(lowest, highest + 1).map(({ marks: [banner] }) => banner));
const markingsTable = (markings: readonly CapcoMarking[]): string =>
  table(
    ['Marking', 'A reader must hold', 'Can be combined with'],
    markings.map((marking) => [
      codes(marking.marks),
      codes(marking.attributes, ' and '),
      combinesWith(marking),
    ]),
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
  const parsed = parseCapcoMarking(text);
  return [text, ...Object.values(parsed).slice(1)].map(code);
};
const groups = [...releasableTo].filter(([name]) => !countryCodes.includes(name));

/** Renders the documentation page of the supported CAPCO markings, as Markdown, from the parser's own tables. */
export const renderCapcoReference = (): string =>
  `${[
    '---\ntitle: CAPCO markings\ndescription: The classification markings that capco-parser supports, and the attributes that each requires.\nsidebar_position: 6\n---',
    'The markings that `capco-parser` supports. This page is generated from the parser’s own tables.',
    'A marking is a banner (`SECRET//NOFORN`) or a portion (`(S//NF)`). The parentheses of a portion are optional, and you can use the long and the short spelling in both.',
    'Write markings in capital letters, with no spaces except those shown here. Separate the parts with `//`, in the order of this page. Separate the markings within a part with `/`.',
    'Any other text is an error: an unknown marking, a part out of order, a marking that appears twice, or markings that cannot be combined. The handling policy of the write then decides what happens to the record. The record never becomes visible to more people.',
    'Each part requires attributes, and a reader must hold those of all parts. No marking produces the empty label: even unclassified records require a classification attribute.',
    '## Examples',
    table(['Marking', 'Label'], examples.map(exampleRow)),
    '## Classification',
    'The classification comes first. A clearance for one includes all the lower ones.',
    table(
      ['Marking', 'A reader must hold one of'],
      classifications.map(({ marks }, level) => [
        codes(marks),
        codes(classifications.slice(level).map(({ attribute }) => attribute)),
      ]),
    ),
    `In place of a classification, ${codes(cuiBanners, ' or ')} means unclassified and ${code(cuiMarking.marks.join(''))}.`,
    '## Sensitive compartmented information',
    markingsTable(sciMarkings),
    '## Foreign government information',
    `${code('FGI GBR DEU')} names one or more sources, separated by spaces, and requires ${code('FGI:GBR')} and ${code('FGI:DEU')}. A source is any country listed below except USA, or ${codes([...foreignGovernmentSources.keys()].filter((name) => !countryCodes.includes(name)))}. ${code('FGI')} alone means that the source is concealed, and requires ${code(concealedForeignSource)}. FGI cannot be combined with UNCLASSIFIED.`,
    '## Controlled unclassified information',
    markingsTable([cuiMarking]),
    'The next part may name categories:',
    markingsTable(cuiCategories),
    '## Dissemination',
    markingsTable(disseminationMarkings),
    `${code('REL TO USA, GBR, FVEY')} names USA first, then other countries or groups, separated by commas. A reader needs any one of their attributes, such as ${code('REL:GBR')}. REL TO cannot be combined with NOFORN.`,
    table(
      ['Group', 'A reader must hold one of'],
      groups.map(([name, attributes]) => [code(name), codes(attributes)]),
    ),
    '## Countries',
    'The three-letter codes of ISO 3166-1:',
    codes(countryCodes, ' '),
  ].join('\n\n')}\n`;
