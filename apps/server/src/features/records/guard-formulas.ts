const [quote, comma, newline, apostrophe] = Array.from(Buffer.from('",\n\''));
const carriageReturn = 13;

/** Bytes that a spreadsheet takes for the beginning of a formula. */
const formulaStarts: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'));
/**
 * Bytes that begin another cell in a spreadsheet that separates cells by semicolons or tabs. Such a spreadsheet ignores
 * the quotes around a value.
 */
const breaks: ReadonlySet<number> = new Set(Buffer.from(';\t\r\n'));
/** Bytes that begin a formula in such a cell. */
const signs: ReadonlySet<number> = new Set(Buffer.from('=+-@'));

/**
 * Creates a function that puts an apostrophe before each text of a CSV file that a spreadsheet would run as a formula,
 * also inside a value in which the spreadsheet may see another cell. It takes the chunks of one file in order. Only
 * quoted values are texts: the engine writes numbers without quotes.
 */
export const guardFormulas = (): ((chunk: Uint8Array) => Buffer) => {
  let isQuoted = false;
  let isAtStart = true;
  /** The last byte was a quote inside a quoted value: its end, or half of an escaped quote. */
  let isAfterQuote = false;
  /** The last bytes inside a quoted value were a break, or a break and quotes. */
  let isAfterBreak = false;
  return (chunk) => {
    const guarded: number[] = [];
    for (const byte of chunk) {
      const isFormula = isAtStart ? formulaStarts.has(byte) : isAfterBreak && signs.has(byte);
      if (isQuoted && isFormula) guarded.push(apostrophe ?? 0);
      guarded.push(byte);
      if (isQuoted) {
        const isEscape = isAfterQuote && byte === quote;
        if (isAfterQuote && !isEscape) {
          isQuoted = false;
          isAtStart = byte === comma || byte === newline;
          isAfterQuote = false;
          isAfterBreak = false;
          continue;
        }
        isAfterBreak = breaks.has(byte) || (isAfterBreak && byte === quote);
        isAfterQuote = byte === quote && !isEscape;
        isAtStart = false;
        continue;
      }
      if (isAtStart && byte === quote) {
        isQuoted = true;
        continue;
      }
      isAtStart = byte === comma || byte === newline || (isAtStart && byte === carriageReturn);
    }
    return Buffer.from(guarded);
  };
};
