/** The dialect of a text table. */
export interface CellSyntax {
  readonly delimiter: string;
  /** The quote character; the empty text if cells are not quoted. */
  readonly quote: string;
  /** The character that escapes itself and a quote in a quoted cell; the empty text if there is none. */
  readonly escape: string;
  /** What ends a line. A "\r" before "\n" belongs to the line end. */
  readonly lineEnd: '\n' | '\r';
}

/** The record that was read last. */
export interface CsvRecord {
  cells: string[];
  /** Which cells are quoted; undefined if none is. */
  quoted: boolean[] | undefined;
  /** Why the record cannot be split into cells; `cells` is then not valid. */
  problem: string | undefined;
  /** The offset after its last character. */
  end: number;
  /** The offset of the next record. */
  next: number;
}

export interface CsvTokenizer {
  readonly record: CsvRecord;
  /** Replaces the text. */
  setText(text: string): void;
  /**
   * Reads the record that begins at `from` into `record`.
   * @param isLast whether nothing follows the text
   * @returns false when the record may continue after the text
   */
  read(from: number, isLast: boolean): boolean;
}

/** Finds the next occurrence of `wanted` from increasing offsets. It searches each part of the text only once. */
function createFinder(wanted: string): { reset(text: string): void; find(from: number): number } {
  let text = '';
  let found = -1;
  return {
    reset(newText) {
      text = newText;
      found = -1;
    },
    find(from) {
      if (found < from) {
        found = wanted === '' ? Infinity : text.indexOf(wanted, from);
        if (found < 0) found = Infinity;
      }
      return found;
    },
  };
}

const carriageReturn = 13;

/** A regular expression for a character. */
const patternOf = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/**
 * Splits text into records and cells by RFC 4180, or with escaped quotes. In a cell that is not quoted, a quote is an ordinary character. After
 * the closing quote of a cell, anything except a delimiter or the end of the line makes the record unreadable.
 */
export function createCsvTokenizer({ delimiter, quote, escape, lineEnd }: CellSyntax): CsvTokenizer {
  const record: CsvRecord = { cells: [], quoted: undefined, problem: undefined, end: 0, next: 0 };
  const quotes = createFinder(quote);
  const delimiters = createFinder(delimiter);
  const lineEnds = createFinder(lineEnd);
  const escapedQuote = quote + quote;
  const [escapePattern, quotePattern] = [patternOf(escape), patternOf(quote)];
  const escapes = new RegExp(
    `${escapePattern}(${escapePattern}|${quotePattern})|${quotePattern}(${quotePattern})`,
    'gu',
  );
  const isNewline = lineEnd === '\n';
  let text = '';

  /** The end of a line's content, before its "\r". */
  const contentEnd = (from: number, end: number): number =>
    isNewline && end > from && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end;

  function finish(end: number, next: number): true {
    record.end = end;
    record.next = next;
    return true;
  }

  /** Ends an unreadable record at the end of the line that contains `at`. */
  function fail(from: number, at: number, isLast: boolean, problem: string): boolean {
    const end = lineEnds.find(at);
    if (end === Infinity && !isLast) return false;
    record.problem = problem;
    return end === Infinity
      ? finish(contentEnd(from, text.length), text.length)
      : finish(contentEnd(from, end), end + 1);
  }

  /** Whether an escape before it makes the quote at `at` part of the cell whose content begins at `from`. */
  function isEscaped(from: number, at: number): boolean {
    if (escape === '') return false;
    let start = at;
    while (start > from && text.startsWith(escape, start - 1)) start--;
    return (at - start) % 2 === 1;
  }

  /** The offset of the closing quote of a cell whose content begins at `from`; -1 if there is none. */
  function closingQuote(from: number): number {
    let at = quotes.find(from);
    for (;;) {
      if (at === Infinity) return -1;
      if (isEscaped(from, at)) at = quotes.find(at + 1);
      else if (text.startsWith(quote, at + 1)) at = quotes.find(at + 2);
      else return at;
    }
  }

  /** The text of a quoted cell without what only escapes. An escape before another character is kept. */
  function unescaped(content: string): string {
    if (escape !== '' && content.includes(escape)) return content.replaceAll(escapes, '$1$2');
    return content.includes(quote) ? content.replaceAll(escapedQuote, quote) : content;
  }

  function readQuoted(from: number, isLast: boolean): boolean {
    const cells: string[] = [];
    const quoted: boolean[] = [];
    record.cells = cells;
    record.quoted = quoted;
    for (let at = from; ;) {
      let end: number;
      if (quotes.find(at) === at) {
        const closing = closingQuote(at + 1);
        if (closing < 0) {
          if (!isLast) return false;
          record.problem = unclosed(cells.length);
          return finish(text.length, text.length);
        }
        const content = text.slice(at + 1, closing);
        cells.push(unescaped(content));
        quoted.push(true);
        end = closing + 1;
        // The next chunk may begin with a second quote, or with the rest of a line end.
        if (end >= text.length - 1 && !isLast) return false;
        if (isNewline && text.charCodeAt(end) === carriageReturn && text.startsWith(lineEnd, end + 1)) {
          return finish(end, end + 2);
        }
        const isEnd = end === text.length || text.startsWith(delimiter, end) || text.startsWith(lineEnd, end);
        if (!isEnd) return fail(from, end, isLast, misplaced(cells.length, text.charAt(end)));
      } else {
        const line = lineEnds.find(at);
        if (line === Infinity && !isLast) return false;
        end = Math.min(delimiters.find(at), line, text.length);
        cells.push(text.slice(at, end === line || end === text.length ? contentEnd(at, end) : end));
        quoted.push(false);
      }
      if (end === text.length) return finish(contentEnd(at, end), end);
      if (!text.startsWith(delimiter, end)) return finish(contentEnd(at, end), end + 1);
      at = end + delimiter.length;
    }
  }

  return {
    record,
    setText(newText) {
      text = newText;
      quotes.reset(text);
      delimiters.reset(text);
      lineEnds.reset(text);
    },
    read(from, isLast) {
      record.problem = undefined;
      const line = lineEnds.find(from);
      if (line === Infinity && !isLast) return false;
      const end = line === Infinity ? text.length : line;
      if (quotes.find(from) < end) return readQuoted(from, isLast);
      const content = contentEnd(from, end);
      record.cells = text.slice(from, content).split(delimiter);
      record.quoted = undefined;
      return finish(content, line === Infinity ? end : end + 1);
    },
  };
}

const unclosed = (cell: number): string =>
  `the quote at the beginning of cell ${String(cell + 1)} is never closed, so that the rest of the file belongs to it. Close it, or set "quote" to "" if the file does not quote its cells.`;

const misplaced = (cell: number, found: string): string =>
  `after the closing quote of cell ${String(cell)} comes ${JSON.stringify(found.toWellFormed())}, where a delimiter or the end of the line was expected. Write a quote inside a quoted cell twice, or set "escape" to "\\\\" if a backslash escapes it.`;
