import { maxLabelLength } from '../expression/limits.ts';
import { parseLabelText, type ParsedLabel } from '../labeller/parse-label-text.ts';
import {
  classifications,
  classified,
  concealedForeignSource,
  cuiBanners,
  cuiCategories,
  cuiMarking,
  disseminationMarkings,
  foreignGovernmentSources,
  noforn,
  releasableTo,
  sciMarkings,
  type AllowedClassifications,
  type CapcoMarking,
} from './capco-markings.ts';

/** What is wrong with a mark; it never leaves this file. */
class CapcoFault extends Error {}

/** The parts of a mark, each between `//`, in the order in which they have to stand. */
const kinds = ['SCI', 'FGI', 'CUI', 'CUI category', 'dissemination'] as const;
type Kind = (typeof kinds)[number];

const spellings = (marks: readonly CapcoMarking[]): ReadonlyMap<string, CapcoMarking> =>
  new Map(marks.flatMap((mark) => mark.marks.map((spelling) => [spelling, mark] as const)));

const levels = new Map<string, number>(
  classifications.flatMap(({ marks }, level) => marks.map((mark) => [mark, level] as const)),
);
const listed = new Map<Kind, ReadonlyMap<string, CapcoMarking>>([
  ['SCI', spellings(sciMarkings)],
  ['CUI', spellings([cuiMarking])],
  ['CUI category', spellings(cuiCategories)],
  ['dissemination', spellings(disseminationMarkings)],
]);

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
const relTo = 'REL TO ';

function kindOf(block: string): Kind {
  if (block === 'FGI' || block.startsWith('FGI ')) return 'FGI';
  if (block.startsWith(relTo)) return 'dissemination';
  const [first = ''] = block.split('/', 1);
  const kind = kinds.find((candidate) => listed.get(candidate)?.has(first));
  if (kind === undefined) throw new CapcoFault(`${quoted(first)} is no mark that is known here`);
  return kind;
}

function checkAllowed(mark: string, { lowest, highest }: AllowedClassifications, level: number): void {
  if (level >= lowest && level <= highest) return;
  throw new CapcoFault(`${quoted(mark)} does not stand with ${classifications[level]?.marks[0]}`);
}

function distinct(marks: readonly string[]): readonly string[] {
  if (new Set(marks).size === marks.length) return marks;
  throw new CapcoFault(`${quoted(marks.join(' '))} names a mark twice`);
}

/** `REL TO USA, GBR, FVEY`: who holds one of these may read. */
function readReleasable(entry: string): string {
  const codes = distinct(entry.slice(relTo.length).split(/, ?/));
  if (codes[0] !== 'USA') throw new CapcoFault(`${quoted(entry)} does not name USA first`);
  const attributes = codes.flatMap((code) => {
    const members = releasableTo.get(code);
    if (members === undefined) throw new CapcoFault(`${quoted(code)} is no country or group known here`);
    return members;
  });
  return `(${attributes.join('|')})`;
}

/** `FGI GBR DEU`, or `FGI` where the source is concealed. */
function readForeign(block: string, level: number): string[] {
  checkAllowed('FGI', classified, level);
  if (block === 'FGI') return [concealedForeignSource];
  return distinct(block.slice('FGI '.length).split(' ')).map((code) => {
    const attribute = foreignGovernmentSources.get(code);
    if (attribute === undefined) throw new CapcoFault(`${quoted(code)} is no foreign source known here`);
    return attribute;
  });
}

/** The operands that one part of a mark asks for, all of them. */
function readBlock(block: string, kind: Kind, level: number): string[] {
  if (kind === 'FGI') return readForeign(block, level);
  const entries = block.split('/');
  const marks = listed.get(kind);
  const found = entries.map((entry) => {
    if (kind === 'dissemination' && entry.startsWith(relTo)) {
      return { name: 'REL TO', operands: [readReleasable(entry)] };
    }
    const mark = marks?.get(entry);
    if (mark === undefined) throw new CapcoFault(`${quoted(entry)} is no ${kind} mark known here`);
    checkAllowed(entry, mark.allowed, level);
    return { name: String(mark.marks[0]), operands: mark.attributes };
  });
  const names = distinct(found.map(({ name }) => name));
  if (names.includes('REL TO') && names.includes(String(noforn.marks[0]))) {
    throw new CapcoFault(`${quoted(block)} both keeps it from foreigners and releases it to them`);
  }
  return found.flatMap(({ operands }) => operands);
}

function readHead(head: string): { level: number; last: number; operands: string[] } {
  const isCui = cuiBanners.includes(head);
  const level = isCui ? 0 : levels.get(head);
  if (level === undefined) throw new CapcoFault(`${quoted(head)} is no classification known here`);
  const cleared = classifications.slice(level).map(({ attribute }) => attribute);
  return {
    level,
    last: isCui ? kinds.indexOf('CUI') : -1,
    operands: [`(${cleared.join('|')})`, ...(isCui ? cuiMarking.attributes : [])],
  };
}

function expressionOf(text: string): string {
  if (text.length > maxLabelLength) throw new CapcoFault(`it has more than ${maxLabelLength} characters`);
  const inside = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  const [head = '', ...blocks] = inside.split('//');
  const { level, last, operands } = readHead(head);
  let before = last;
  for (const block of blocks) {
    const kind = kindOf(block);
    const place = kinds.indexOf(kind);
    if (place <= before) throw new CapcoFault(`${quoted(block)} stands twice or too late`);
    if (kind === 'CUI category' && before !== kinds.indexOf('CUI')) {
      throw new CapcoFault(`${quoted(block)} does not follow CUI`);
    }
    before = place;
    operands.push(...readBlock(block, kind, level));
  }
  return operands.join('&');
}

/**
 * Reads a CAPCO mark, of a banner (`TOP SECRET//SI/TK//NOFORN`) or a portion (`(TS//SI/TK//NF)`), as the label that
 * asks for what it says, by the table of `/docs/reference/capco/`. That is a closed part of CAPCO: a mark that the table does
 * not have, stands elsewhere than it should, or contradicts another one is a fault, never passed over; and
 * each label has a classification, so none is empty.
 */
export function parseCapcoMarking(text: string): ParsedLabel {
  try {
    return parseLabelText(expressionOf(text));
  } catch (error) {
    if (!(error instanceof CapcoFault)) throw error;
    return {
      kind: 'fault',
      message: `${quoted(text)} is not a CAPCO mark that can be read: ${error.message}. The marks that can are in /docs/reference/capco/.`,
    };
  }
}
