import type { PageJoin } from './page-join.ts';

/** CSV after RFC 4180: the names of the columns in quotes, then the rows of all pages. */
export function csvHeader(columns: readonly string[]): PageJoin {
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
