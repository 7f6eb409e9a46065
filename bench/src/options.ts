import { parseArgs } from 'node:util';

export const partNames = [
  'write',
  'search',
  'single',
  'read',
  'words',
  'indexes',
  'columns',
  'summary',
  'change',
  'access',
  'sql',
] as const;
export type PartName = (typeof partNames)[number];

export interface Options {
  records: number;
  /** Numbers of distinct labels; the parts are measured with each. */
  labels: readonly number[];
  /** The same for the part `sql`, whose records are others. */
  sqlLabels: readonly number[];
  parts: ReadonlySet<PartName>;
  /** Runs of a search; what takes long runs less often. */
  runs: number;
  sqlRuns: number;
  /** Whether the tables are written to bench/last-run.md. */
  save: boolean;
}

const usage = `Usage: npm run bench -- [--records 1000000] [--labels 6,10000] [--sql-labels 6,1000,100000] [--only ${partNames.join(',')}] [--runs 21] [--sql-runs 9] [--save]`;

/** What to do is wrong: the message says how to ask. */
export class UsageError extends Error {}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`--${name} "${text}" is no whole number.\n${usage}`);
  return value;
}

function partOf(text: string): PartName {
  const found = partNames.find((name) => name === text);
  if (found === undefined) throw new UsageError(`There is no part "${text}".\n${usage}`);
  return found;
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string', default: '1000000' },
      labels: { type: 'string', default: '6,10000' },
      'sql-labels': { type: 'string', default: '6,1000,100000' },
      'sql-runs': { type: 'string', default: '9' },
      only: { type: 'string', default: partNames.join(',') },
      runs: { type: 'string', default: '21' },
      save: { type: 'boolean', default: false },
    },
  });
  return {
    records: wholeNumber('records', values.records),
    labels: values.labels.split(',').map((text) => wholeNumber('labels', text)),
    sqlLabels: values['sql-labels'].split(',').map((text) => wholeNumber('sql-labels', text)),
    parts: new Set(values.only.split(',').map(partOf)),
    runs: wholeNumber('runs', values.runs),
    sqlRuns: wholeNumber('sql-runs', values['sql-runs']),
    save: values.save,
  };
}
