import { cpus, totalmem } from 'node:os';

/** A row of the result table. */
export interface ResultRow {
  what: string;
  ours: string;
  chdb?: string;
  duckDb?: string;
  postgres?: string;
  ratio?: string;
  target?: string;
  /** Whether the target was reached; absent without a target. */
  reached?: boolean;
}

export interface Report {
  add(row: ResultRow): void;
  /** Adds a line under the table, with details of a measurement. */
  note(text: string): void;
  text(): string;
}

const heads = ['what', 'ours', 'chdb alone', 'DuckDB', 'PostgreSQL', 'ratio', 'target', 'reached'];

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function createReport(title: string): Report {
  const rows: ResultRow[] = [];
  const notes: string[] = [];
  return {
    add(row) {
      rows.push(row);
      console.log(line(cellsOf(row)));
    },
    note(text) {
      notes.push(text);
      console.log(`  ${text}`);
    },
    text: () =>
      [
        title,
        '',
        `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node.js ${process.versions.node}.`,
        '',
        line(heads),
        line(heads.map(() => '---')),
        ...rows.map((row) => line(cellsOf(row))),
        '',
        ...notes.map((note) => `- ${note}`),
        '',
      ].join('\n'),
  };
}

const cellsOf = ({ what, ours, chdb, duckDb, postgres, ratio, target, reached }: ResultRow): string[] => [
  what,
  ours,
  chdb ?? '–',
  duckDb ?? '–',
  postgres ?? '–',
  ratio ?? '–',
  target ?? '–',
  reached === undefined ? '–' : reached ? 'yes' : '**no**',
];
