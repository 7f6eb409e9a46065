import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The line number of its opening fence, from 1. */
  readonly line: number;
  readonly text: string;
  /** The marks after the language: `status=404` has a value, `answer` has none. */
  readonly marks: ReadonlyMap<string, string>;
}

export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** The languages that are run, with their marks. */
const exampleMarks = {
  bash: ['status', 'norun'],
  sql: ['as', 'rows', 'error'],
  lucene: ['as', 'rows', 'error', 'dataset'],
  ts: [],
  python: ['norun'],
} as const;

export type ExampleKind = keyof typeof exampleMarks;
export const exampleKinds = Object.keys(exampleMarks) as ExampleKind[];

/** The languages that are not run, with their marks. */
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
/** The marks of the site's highlighter. */
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

/** Matches calls of the API. They are always run, since readers paste them. */
const callsTheApi = /\bcurl\b[\s\S]*(\$\{?REDOUBT\b|localhost:7600|127\.0\.0\.1:7600)/;

const parsesAsJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const problemsOf = (block: Block, before: Block | undefined): string[] => {
  const { language, marks, text } = block;
  const known = marksOf[language];
  if (known === undefined) {
    const choice = Object.keys(marksOf).join(', ');
    return [`the language must be one of ${choice}, got "${language}"`];
  }
  const problems = [...marks.keys()]
    .filter((mark) => !known.includes(mark) && !marksOfAll.has(mark))
    .map((mark) => `a block of ${language} must not have the mark "${mark}"`);
  if (marks.get('norun') === '') problems.push('norun must have a reason: norun="reason"');
  if (marks.has('norun') && callsTheApi.test(text))
    problems.push('calls of the API are always run. Remove norun');
  if (marks.has('as') && marks.get('as') !== 'reader')
    problems.push(`as must be "reader", got "${marks.get('as') ?? ''}"`);
  if (marks.has('rows') && marks.get('rows') !== '0')
    problems.push(`rows must be 0, got ${marks.get('rows') ?? ''}`);
  if (language === 'json' && !parsesAsJson(text)) problems.push('this is not valid JSON');
  if (marks.has('answer') && !(before !== undefined && isExample(before) && !before.marks.has('norun'))) {
    problems.push('an answer must directly follow its example');
  }
  return problems;
};

/** Matches lines that look like an opening fence. Each of them must be recognised as a block. */
const fence = /^[\s>]*(?:```+|~~~+)\S/;

const unseenFences = (lines: readonly string[], blocks: readonly Block[]): Problem[] => {
  const covered = new Set(
    blocks.flatMap(({ line, text }) =>
      Array.from({ length: text.split('\n').length + 1 }, (_none, index) => line + index),
    ),
  );
  return lines.flatMap((text, index) =>
    fence.test(text) && !covered.has(index + 1)
      ? [{ line: index + 1, message: 'this fence is not recognised as a block. Put an empty line before it' }]
      : [],
  );
};

/** Keeps the line numbers of the page. */
const withoutFrontMatter = (markdown: string): string =>
  markdown.replace(/^---\n[\s\S]*?\n---\n/, (matter) => '\n'.repeat(matter.split('\n').length - 1));

/** The fenced blocks of a page in order, and the problems of their notation. */
export const readBlocks = (markdown: string): { blocks: Block[]; problems: Problem[] } => {
  const body = withoutFrontMatter(markdown);
  const blocks: Block[] = [];
  collect(fromMarkdown(body), blocks);
  const problems = blocks.flatMap((block, index) =>
    problemsOf(block, blocks[index - 1]).map((message) => ({ line: block.line, message })),
  );
  return { blocks, problems: [...problems, ...unseenFences(body.split('\n'), blocks)] };
};
