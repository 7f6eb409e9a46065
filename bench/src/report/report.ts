import { cpus, totalmem } from 'node:os';

/** One line of the table of results. */
export interface ResultRow {
  what: string;
  ours: string;
  chdb?: string;
  duckDb?: string;
  postgres?: string;
  ratio?: string;
  target?: string;
  /** Absent where nothing is promised. */
  reached?: boolean;
}

export interface Report {
  add(row: ResultRow): void;
  /** A line under the table: what was done, and what stands beside the promise. */
  note(text: string): void;
  text(): string;
}

const heads = ['what', 'ours', 'chdb alone', 'DuckDB', 'PostgreSQL', 'ratio', 'to reach', 'reached'];

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
