import type { PageConcatenation } from './page-concatenation.ts';

/** Creates CSV by RFC 4180: the names of the columns in quotes, then the rows of all pages. */
export function prependCsvHeader(columns: readonly string[]): PageConcatenation {
  let header = `${columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\r\n`;
  return {
    add(page) {
      const text = header;
      header = '';
      return text === '' ? page : Buffer.concat([Buffer.from(text), page]);
    },
    end: () => Buffer.alloc(0),
  };
}
