/** One row of SPEC.md. */
export interface SpecRow {
  readonly id: string;
  /** What is asked, as Markdown. */
  readonly asked: string;
  readonly state: string;
  /** The titles of the tests that show it. */
  readonly shownBy: readonly string[];
  /** Where the row stands, from 1. */
  readonly line: number;
}

export interface SpecTable {
  readonly rows: readonly SpecRow[];
  /** The later parts that a row may wait for, as `planned: <part>`. */
  readonly parts: readonly string[];
}

const rowHeader = ['Id', 'What is asked', 'State', 'Shown by'];
const partHeader = ['Part', 'What it brings'];

/**
 * Reads the tables of SPEC.md.
 * @throws Error naming the line of a row that does not have the form of its table
 */
export function parseSpec(markdown: string): SpecTable {
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
      throw new Error(`SPEC.md:${line} has ${cells.length} cells under ${header.length} headings: ${text}`);
    } else if (isRuler(cells)) continue;
    else if (isSame(header, rowHeader)) rows.push(rowOf(cells, line));
    else if (isSame(header, partHeader)) parts.push(cells[0] ?? '');
  }
  return { rows, parts };
}

/** The cells of a line; a pipe that is part of a text stands there as `\|`. */
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

function rowOf(cells: readonly string[], line: number): SpecRow {
  const [id = '', asked = '', state = '', shownBy = ''] = cells;
  const [, name] = /^`([^`]+)`$/.exec(id) ?? [];
  if (name === undefined) throw new Error(`SPEC.md:${line}: the id ${id} does not stand in backticks.`);
  if (asked === '') throw new Error(`SPEC.md:${line}: ${name} does not say what is asked.`);
  return { id: name, asked, state, shownBy: titlesOf(name, shownBy, line), line };
}

/** The titles in backticks, with a semicolon between them; `–` and nothing at all are none. */
function titlesOf(id: string, cell: string, line: number): string[] {
  if (cell === '' || cell === '–') return [];
  const titles = [...cell.matchAll(/(?<ticks>`+)(?<title>.+?)\k<ticks>(?!`)/g)];
  if (titles.map(([quoted]) => quoted).join(' ; ') !== cell) {
    throw new Error(`SPEC.md:${line}: ${id} is shown by ${cell}; write titles as \`one\` ; \`two\`.`);
  }
  return titles.map(({ groups }) => groups?.['title']?.trim() ?? '');
}
