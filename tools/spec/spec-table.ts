import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of the register of requirements. */
export interface SpecRow {
  readonly id: string;
  /** The requirement, as Markdown. */
  readonly requirement: string;
  readonly state: string;
  /** The titles of the tests that prove it. */
  readonly shownBy: readonly string[];
  /** The file of the row, relative to the repository. */
  readonly file: string;
  /** The line of the row, from 1. */
  readonly line: number;
}

export interface SpecTable {
  readonly rows: readonly SpecRow[];
  /** The later parts for which a row may be planned, as `planned: <part>`. */
  readonly parts: readonly string[];
}

const rowHeader = ['Id', 'What is asked', 'State', 'Shown by'];
const partHeader = ['Part', 'What it brings'];

/** The files of the register: SPEC.md, which explains it, and its sections. */
export const specFiles = (root: string): string[] => [
  'SPEC.md',
  ...globSync('docs/spec/*.md', { cwd: root }).toSorted(),
];

/** Reads all files of the register. */
export function readSpec(root: string): SpecTable {
  const tables = specFiles(root).map((file) => parseSpec(readFileSync(join(root, file), 'utf8'), file));
  return { rows: tables.flatMap(({ rows }) => rows), parts: tables.flatMap(({ parts }) => parts) };
}

/**
 * Reads the tables of one file of the register.
 * @throws Error naming the line of a row that does not have the form of its table
 */
export function parseSpec(markdown: string, file: string): SpecTable {
  const rows: SpecRow[] = [];
  const parts: string[] = [];
  let header: readonly string[] | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    if (!text.startsWith('|')) {
      header = undefined;
      continue;
    }
    const cells = cellsOf(text);
    if (header === undefined) header = cells;
    else if (cells.length !== header.length) {
      throw new Error(`${file}:${line} must have ${header.length} cells, got ${cells.length}: ${text}`);
    } else if (isRuler(cells)) continue;
    else if (isSame(header, rowHeader)) rows.push(rowOf(cells, file, line));
    else if (isSame(header, partHeader)) parts.push(cells[0] ?? '');
  }
  return { rows, parts };
}

/** The cells of a line; a pipe inside a cell is written as `\|`. */
const cellsOf = (text: string): string[] =>
  text
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));

const isRuler = (cells: readonly string[]): boolean => cells.every((cell) => /^:?-+:?$/.test(cell));

const isSame = (header: readonly string[], expected: readonly string[]): boolean =>
  header.length === expected.length && header.every((cell, index) => cell === expected[index]);

function rowOf(cells: readonly string[], file: string, line: number): SpecRow {
  const [id = '', requirement = '', state = '', shownBy = ''] = cells;
  const [, name] = /^`([^`]+)`$/.exec(id) ?? [];
  if (name === undefined) throw new Error(`${file}:${line}: the id must be in backticks, got ${id}.`);
  if (requirement === '')
    throw new Error(`${file}:${line}: ${name} must say what is asked, got an empty cell.`);
  return {
    id: name,
    requirement,
    state,
    shownBy: titlesOf(name, shownBy, `${file}:${line}`),
    file,
    line,
  };
}

/** The titles in backticks, separated by semicolons; `–` and an empty cell mean none. */
function titlesOf(id: string, cell: string, place: string): string[] {
  if (cell === '' || cell === '–') return [];
  const titles = [...cell.matchAll(/(?<ticks>`+)(?<title>.+?)\k<ticks>(?!`)/g)];
  if (titles.map(([quoted]) => quoted).join(' ; ') !== cell) {
    throw new Error(`${place}: the tests of ${id} must be written as \`one\` ; \`two\`, got ${cell}.`);
  }
  return titles.map(({ groups }) => groups?.['title']?.trim() ?? '');
}
