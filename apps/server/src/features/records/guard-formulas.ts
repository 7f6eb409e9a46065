const [quote, comma, newline, apostrophe] = Array.from(Buffer.from('",\n\''));
const carriageReturn = 13;

/** What a spreadsheet takes for the beginning of a formula. */
const formulaStarts: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'));

/**
 * Creates a function that puts an apostrophe before each text of a CSV file that a spreadsheet would run as a formula. It
 * takes the chunks of one file in their order. Only quoted values are texts: the engine writes numbers without quotes.
 */
export const guardFormulas = (): ((chunk: Uint8Array) => Buffer) => {
  let isQuoted = false;
  let isAtStart = true;
  /** The last byte was a quote inside a quoted value: its end, or half of an escaped quote. */
  let isAfterQuote = false;
  return (chunk) => {
    const guarded: number[] = [];
    for (const byte of chunk) {
      if (isQuoted && isAtStart && formulaStarts.has(byte)) guarded.push(apostrophe ?? 0);
      guarded.push(byte);
      if (isQuoted) {
        const isEscape = isAfterQuote && byte === quote;
        if (isAfterQuote && !isEscape) {
          isQuoted = false;
          isAtStart = byte === comma || byte === newline;
          isAfterQuote = false;
          continue;
        }
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
