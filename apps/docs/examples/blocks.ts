import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The line of the page on which its fence opens, from 1. */
  readonly line: number;
  readonly text: string;
  /** What stands after the language: `status=404` is a mark with a value, `answer` one without. */
  readonly marks: ReadonlyMap<string, string>;
}

export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** What is run, with the marks that each understands. */
const exampleMarks = {
  bash: ['status', 'norun'],
  sql: ['as', 'rows', 'error'],
  lucene: ['as', 'rows', 'error', 'dataset'],
  ts: [],
  python: ['norun'],
} as const;

export type ExampleKind = keyof typeof exampleMarks;
export const exampleKinds = Object.keys(exampleMarks) as ExampleKind[];

/** What is only read, with the marks that each understands. */
const shownMarks = {
  json: ['answer'],
  text: [],
  ebnf: [],
  csv: [],
  yaml: [],
  ini: [],
  nginx: [],
} as const;

const marksOf: Readonly<Record<string, readonly string[]>> = { ...exampleMarks, ...shownMarks };
/** Those of the site's own highlighter. */
const marksOfAll = new Set(['title', 'showLineNumbers']);

export const isExample = ({ language }: Block): boolean => Object.hasOwn(exampleMarks, language);

const markPattern = /(?<lines>\{[\d,-]+\})|(?<name>[\w-]+)(?:=(?:"(?<quoted>[^"]*)"|(?<plain>\S+)))?/g;

const readMarks = (meta: string): Map<string, string> => {
  const marks = new Map<string, string>();
  for (const { groups = {} } of meta.matchAll(markPattern)) {
    if (groups['name'] !== undefined) marks.set(groups['name'], groups['quoted'] ?? groups['plain'] ?? '');
  }
  return marks;
};

const collect = (node: Nodes, into: Block[]): void => {
  if (node.type === 'code') {
    into.push({
      language: node.lang ?? '',
      line: node.position?.start.line ?? 0,
      text: node.value,
      marks: readMarks(node.meta ?? ''),
    });
  } else if ('children' in node) {
    for (const child of node.children) collect(child, into);
  }
};

/** Calls of the platform's API are always run: they are what readers paste. */
const callsTheApi = /\bcurl\b[\s\S]*(\$\{?REDOUBT\b|localhost:7600|127\.0\.0\.1:7600)/;

const parsesAsJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const faultsOf = (block: Block, before: Block | undefined): string[] => {
  const { language, marks, text } = block;
  const known = marksOf[language];
  if (known === undefined) {
    const choice = Object.keys(marksOf).join(', ');
    return [`there is no language "${language}" for blocks; write one of ${choice}`];
  }
  const faults = [...marks.keys()]
    .filter((mark) => !known.includes(mark) && !marksOfAll.has(mark))
    .map((mark) => `a block of ${language} has no mark "${mark}"`);
  if (marks.get('norun') === '') faults.push('norun has to say why: norun="reason"');
  if (marks.has('norun') && callsTheApi.test(text)) faults.push('calls of the API are always run');
  if (marks.has('as') && marks.get('as') !== 'reader') faults.push('as= is only ever "reader"');
  if (marks.has('rows') && marks.get('rows') !== '0') faults.push('rows= is only ever 0');
  if (language === 'json' && !parsesAsJson(text)) faults.push('this is no JSON');
  if (marks.has('answer') && !(before !== undefined && isExample(before) && !before.marks.has('norun'))) {
    faults.push('an answer stands right after the example that gives it');
  }
  return faults;
};

/** Lines that look like the beginning of a fence; all of them have to be seen as blocks. */
const fence = /^[\s>]*(?:```+|~~~+)\S/;

const unseenFences = (lines: readonly string[], blocks: readonly Block[]): Fault[] => {
  const covered = new Set(
    blocks.flatMap(({ line, text }) =>
      Array.from({ length: text.split('\n').length + 1 }, (_none, index) => line + index),
    ),
  );
  return lines.flatMap((text, index) =>
    fence.test(text) && !covered.has(index + 1)
      ? [{ line: index + 1, message: 'this fence is not read as a block: put an empty line before it' }]
      : [],
  );
};

/** The lines stay where they are, so that blocks are found on the lines of the page. */
const withoutFrontMatter = (markdown: string): string =>
  markdown.replace(/^---\n[\s\S]*?\n---\n/, (matter) => '\n'.repeat(matter.split('\n').length - 1));

/** The fenced blocks of a page in their order, and what is wrong with how they are written. */
export const readBlocks = (markdown: string): { blocks: Block[]; faults: Fault[] } => {
  const body = withoutFrontMatter(markdown);
  const blocks: Block[] = [];
  collect(fromMarkdown(body), blocks);
  const faults = blocks.flatMap((block, index) =>
    faultsOf(block, blocks[index - 1]).map((message) => ({ line: block.line, message })),
  );
  return { blocks, faults: [...faults, ...unseenFences(body.split('\n'), blocks)] };
};
