import { formatValue } from './format-value.ts';

/** The formats in which cells can be copied. `sql` gives literals for an `IN (…)` list. */
export const copyFormats = ['tsv', 'tsv-header', 'csv', 'json', 'markdown', 'sql'] as const;
/** One of `copyFormats`. */
export type CopyFormat = (typeof copyFormats)[number];

/** Cells to copy: the names of their columns, and the values row by row. */
export interface CopiedCells {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The value as spreadsheets write it: in quotes if it contains tabs, newlines or quotes. */
const tsvValue = (value: unknown): string => {
  const text = formatValue(value);
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The value as in RFC 4180. Null is an empty cell, so empty text is quoted to differ from it. */
const csvValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = formatValue(value);
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const markdownValue = (value: unknown): string =>
  formatValue(value).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, ' ');

const sqlValue = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `'${formatValue(value).replaceAll("'", "''")}'`;
};

const markdownRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Formats cells for the clipboard. The format `sql` lists the distinct values of all cells, for `IN (…)`. */
export const formatCells = ({ names, rows }: CopiedCells, format: CopyFormat): string => {
  switch (format) {
    case 'tsv':
      return rows.map((row) => row.map(tsvValue).join('\t')).join('\n');
    case 'tsv-header':
      return [names, ...rows].map((row) => row.map(tsvValue).join('\t')).join('\n');
    case 'csv':
      return [names, ...rows].map((row) => `${row.map(csvValue).join(',')}\r\n`).join('');
    case 'json':
      return JSON.stringify(
        rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
        undefined,
        2,
      );
    case 'markdown':
      return [
        markdownRow(names.map(markdownValue)),
        markdownRow(names.map(() => '---')),
        ...rows.map((row) => markdownRow(row.map(markdownValue))),
      ].join('\n');
    case 'sql': {
      const values = new Set(rows.flatMap((row) => row.map(sqlValue)));
      return `(${[...values].join(', ')})`;
    }
  }
};
