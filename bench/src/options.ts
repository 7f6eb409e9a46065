import { parseArgs } from 'node:util';
import { fullPace, quickPace, type Pace } from './pace.ts';

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
  /** How thorough the measurements are. */
  pace: Pace;
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

const usage = `Usage: npm run bench -- [--records 1000000] [--labels 6,10000] [--sql-labels 6,1000,100000] [--only ${partNames.join(',')}] [--runs 21] [--sql-runs 9] [--save] [--quick]\n--quick goes through all parts with little data and few repetitions; its figures mean nothing.`;

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

const usual = { records: '1000000', labels: '6,10000', sqlLabels: '6,1000,100000', runs: '21', sqlRuns: '9' };
/** Of these labels one reader sees few and another many, which are tested for in different ways. */
const little: typeof usual = { records: '2000', labels: '400', sqlLabels: '6', runs: '1', sqlRuns: '1' };

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      records: { type: 'string' },
      labels: { type: 'string' },
      'sql-labels': { type: 'string' },
      'sql-runs': { type: 'string' },
      only: { type: 'string', default: partNames.join(',') },
      runs: { type: 'string' },
      save: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  if (values.quick && values.save)
    throw new UsageError(
      `--save keeps figures, and those of --quick mean nothing: leave one of them out.\n${usage}`,
    );
  const defaults = values.quick ? little : usual;
  const wholeNumbers = (name: string, text: string): number[] =>
    text.split(',').map((one) => wholeNumber(name, one));
  return {
    pace: values.quick ? quickPace : fullPace,
    records: wholeNumber('records', values.records ?? defaults.records),
    labels: wholeNumbers('labels', values.labels ?? defaults.labels),
    sqlLabels: wholeNumbers('sql-labels', values['sql-labels'] ?? defaults.sqlLabels),
    parts: new Set(values.only.split(',').map(partOf)),
    runs: wholeNumber('runs', values.runs ?? defaults.runs),
    sqlRuns: wholeNumber('sql-runs', values['sql-runs'] ?? defaults.sqlRuns),
    save: values.save,
  };
}
