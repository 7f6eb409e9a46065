import type { Dialect } from '../file-format.ts';
import { createCsvTokenizer, type CellSyntax } from './csv-tokenizer.ts';
import { looksLikeHeader, type SampleRecord } from './detect-header.ts';

/** What can be inferred from the beginning of a text table. */
export interface CsvSample {
  readonly dialect: Dialect;
  readonly syntax: CellSyntax;
  /** The records before the header: 1 for a line such as "sep=;", otherwise 0. */
  readonly skip: number;
  /** The records of the sample that are complete, without those to skip and without blank lines. */
  readonly records: readonly SampleRecord[];
}

export interface GivenDialect {
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  readonly header?: boolean | undefined;
}

/** The delimiters to try. If several fit equally well, the first one is used. */
const delimiters = [',', '\t', ';', '|'];
const sniffedRecords = 200;
/** The number of records from which types are inferred. */
const typedRecords = 1000;
const sniffedCharacters = 64 * 1024;

/** Detects the dialect of a text table. Options that the request sets are not detected. */
export function sniffDialect(sample: string, isWhole: boolean, given: GivenDialect): CsvSample {
  const separator = /^sep=(.)\r?\n/.exec(sample)?.[1];
  const skip = separator === undefined || given.delimiter !== undefined ? 0 : 1;
  const table = skip === 0 ? sample : sample.slice(sample.indexOf('\n') + 1);
  const newline = newlineOf(table);
  const lineEnd = newline === '\r' ? '\r' : '\n';
  const short = table.slice(0, sniffedCharacters);
  const isShort = isWhole && short.length === table.length;
  const quote = given.quote ?? quoteOf(short);
  const delimiter = given.delimiter ?? separator ?? delimiterOf(short, isShort, quote, lineEnd);
  const escape = given.escape ?? escapeOf(short, isShort, { delimiter, quote, lineEnd });
  const syntax: CellSyntax = { delimiter, quote, escape, lineEnd };
  const { records } = readRecords(table, isWhole, syntax, typedRecords);
  const header = given.header ?? looksLikeHeader(records);
  return { dialect: { delimiter, quote, escape, header, newline }, syntax, skip, records };
}

function newlineOf(text: string): Dialect['newline'] {
  const at = text.indexOf('\n');
  if (at < 0) return text.includes('\r') ? '\r' : '\n';
  return text.charAt(at - 1) === '\r' ? '\r\n' : '\n';
}

/** The quote character is `"`, unless cells are enclosed only in `'`. */
function quoteOf(text: string): string {
  if (text.includes('"')) return '"';
  const around = text.match(/(?<=^|[,;\t|\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g)?.length ?? 0;
  const all = text.match(/'/g)?.length ?? 0;
  return around > 0 && around * 2 === all ? "'" : '"';
}

/** A backslash escapes quotes if otherwise more records cannot be read. */
function escapeOf(text: string, isWhole: boolean, syntax: Omit<CellSyntax, 'escape'>): string {
  if (!text.includes(`\\${syntax.quote}`)) return '';
  const [plain, escaped] = ['', '\\'].map(
    (escape) => readRecords(text, isWhole, { ...syntax, escape }, Infinity).unreadable,
  );
  return (escaped ?? 0) < (plain ?? 0) ? '\\' : '';
}

function delimiterOf(text: string, isWhole: boolean, quote: string, lineEnd: '\n' | '\r'): string {
  let best = ',';
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const syntax = { delimiter, quote, escape: '', lineEnd };
    const { records } = readRecords(text, isWhole, syntax, sniffedRecords);
    const score = scoreOf(records);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** Scores a delimiter: it fits if most records have as many cells as the first one, and more cells are better. */
function scoreOf(records: readonly SampleRecord[]): number {
  const width = records[0]?.cells.length ?? 0;
  if (width < 2) return 0;
  const alike = records.filter(({ cells }) => cells.length === width).length;
  return alike / records.length + Math.min(width, 100) / 10_000;
}

/** The first records of the text, without blank lines and unreadable records, and the number of the latter. */
function readRecords(
  text: string,
  isWhole: boolean,
  syntax: CellSyntax,
  max: number,
): { records: SampleRecord[]; unreadable: number } {
  const tokenizer = createCsvTokenizer(syntax);
  tokenizer.setText(text);
  const records: SampleRecord[] = [];
  let unreadable = 0;
  for (let at = 0; at < text.length && records.length < max; at = tokenizer.record.next) {
    if (!tokenizer.read(at, isWhole)) break;
    const { cells, quoted, problem } = tokenizer.record;
    if (problem !== undefined) unreadable++;
    else if (!isBlank(cells, quoted)) records.push({ cells, quoted });
  }
  return { records, unreadable };
}

/** Whether a record is an empty line. */
export const isBlank = (cells: readonly string[], quoted: readonly boolean[] | undefined): boolean =>
  cells.length === 1 && cells[0] === '' && quoted === undefined;
