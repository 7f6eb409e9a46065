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

/** Thrown and caught in this file only. */
class CapcoSyntaxError extends Error {}

/** The parts of a marking, separated by `//`, in their required order. */
const kinds = ['SCI', 'FGI', 'CUI', 'CUI category', 'dissemination'] as const;
type Kind = (typeof kinds)[number];

const spellings = (marks: readonly CapcoMarking[]): ReadonlyMap<string, CapcoMarking> =>
  new Map(marks.flatMap((mark) => mark.marks.map((spelling) => [spelling, mark] as const)));

const levels = new Map<string, number>(
  classifications.flatMap(({ marks }, level) => marks.map((mark) => [mark, level] as const)),
);
const markingsOfKind = new Map<Kind, ReadonlyMap<string, CapcoMarking>>([
  ['SCI', spellings(sciMarkings)],
  ['CUI', spellings([cuiMarking])],
  ['CUI category', spellings(cuiCategories)],
  ['dissemination', spellings(disseminationMarkings)],
]);

const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
const relTo = 'REL TO ';

function findKind(block: string): Kind {
  if (block === 'FGI' || block.startsWith('FGI ')) return 'FGI';
  if (block.startsWith(relTo)) return 'dissemination';
  const [first = ''] = block.split('/', 1);
  const kind = kinds.find((candidate) => markingsOfKind.get(candidate)?.has(first));
  if (kind === undefined) throw new CapcoSyntaxError(`${quote(first)} is not a known marking`);
  return kind;
}

function checkAllowed(mark: string, { lowest, highest }: AllowedClassifications, level: number): void {
  if (level >= lowest && level <= highest) return;
  throw new CapcoSyntaxError(`${quote(mark)} cannot be combined with ${classifications[level]?.marks[0]}`);
}

function requireDistinct(marks: readonly string[]): readonly string[] {
  if (new Set(marks).size === marks.length) return marks;
  throw new CapcoSyntaxError(`${quote(marks.join(' '))} contains a marking twice`);
}

/** Parses `REL TO USA, GBR, FVEY` to a label that requires any one of the attributes. */
function parseReleasableTo(entry: string): string {
  const codes = requireDistinct(entry.slice(relTo.length).split(/, ?/));
  if (codes[0] !== 'USA') throw new CapcoSyntaxError(`${quote(entry)} must name USA first`);
  const attributes = codes.flatMap((code) => {
    const members = releasableTo.get(code);
    if (members === undefined) throw new CapcoSyntaxError(`${quote(code)} is not a known country or group`);
    return members;
  });
  return `(${attributes.join('|')})`;
}

/** Parses `FGI GBR DEU`, or `FGI` alone, which means that the source is concealed. */
function parseForeignSources(block: string, level: number): string[] {
  checkAllowed('FGI', classified, level);
  if (block === 'FGI') return [concealedForeignSource];
  return requireDistinct(block.slice('FGI '.length).split(' ')).map((code) => {
    const attribute = foreignGovernmentSources.get(code);
    if (attribute === undefined) throw new CapcoSyntaxError(`${quote(code)} is not a known foreign source`);
    return attribute;
  });
}

/** Returns the label operands of one part; a reader must satisfy all of them. */
function parseBlock(block: string, kind: Kind, level: number): string[] {
  if (kind === 'FGI') return parseForeignSources(block, level);
  const entries = block.split('/');
  const markings = markingsOfKind.get(kind);
  const parsed = entries.map((entry) => {
    if (kind === 'dissemination' && entry.startsWith(relTo)) {
      return { name: 'REL TO', operands: [parseReleasableTo(entry)] };
    }
    const marking = markings?.get(entry);
    if (marking === undefined) throw new CapcoSyntaxError(`${quote(entry)} is not a known ${kind} marking`);
    checkAllowed(entry, marking.allowed, level);
    return { name: String(marking.marks[0]), operands: marking.attributes };
  });
  const names = requireDistinct(parsed.map(({ name }) => name));
  if (names.includes('REL TO') && names.includes(String(noforn.marks[0]))) {
    throw new CapcoSyntaxError(`${quote(block)} combines NOFORN with REL TO, which contradict each other`);
  }
  return parsed.flatMap(({ operands }) => operands);
}

/** Parses the classification. `last` is the index of the part in `kinds` that the classification includes, or -1. */
function parseClassification(head: string): { level: number; last: number; operands: string[] } {
  const isCui = cuiBanners.includes(head);
  const level = isCui ? 0 : levels.get(head);
  if (level === undefined) throw new CapcoSyntaxError(`${quote(head)} is not a known classification`);
  const cleared = classifications.slice(level).map(({ attribute }) => attribute);
  return {
    level,
    last: isCui ? kinds.indexOf('CUI') : -1,
    operands: [`(${cleared.join('|')})`, ...(isCui ? cuiMarking.attributes : [])],
  };
}

function toLabelText(text: string): string {
  if (text.length > maxLabelLength)
    throw new CapcoSyntaxError(`it has more than ${maxLabelLength} characters`);
  const inside = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
  const [head = '', ...blocks] = inside.split('//');
  const { level, last, operands } = parseClassification(head);
  let before = last;
  for (const block of blocks) {
    const kind = findKind(block);
    const index = kinds.indexOf(kind);
    if (index <= before) throw new CapcoSyntaxError(`${quote(block)} is repeated or out of order`);
    if (kind === 'CUI category' && before !== kinds.indexOf('CUI')) {
      throw new CapcoSyntaxError(`${quote(block)} must follow CUI`);
    }
    before = index;
    operands.push(...parseBlock(block, kind, level));
  }
  return operands.join('&');
}

/**
 * Converts a CAPCO banner (`TOP SECRET//SI/TK//NOFORN`) or portion (`(TS//SI/TK//NF)`) to the label it stands for,
 * by the tables on the page `/docs/reference/capco/`. Only these markings are supported: an unknown, misplaced
 * or contradictory marking is an error and is never ignored. Every result requires a classification, so it is never the
 * empty label.
 */
export function parseCapcoMarking(text: string): ParsedLabel {
  try {
    return parseLabelText(toLabelText(text));
  } catch (error) {
    if (!(error instanceof CapcoSyntaxError)) throw error;
    return {
      kind: 'error',
      predicate: `must be a supported CAPCO marking, got ${quote(text)}: ${error.message}. See /docs/reference/capco/ for the supported markings.`,
    };
  }
}
