import { parseArgs } from 'node:util';
import { fullPace, quickPace, type Pace } from './pace.ts';

export const partNames = ['write', 'search', 'single', 'read', 'ingest', 'sources', 'sql'] as const;
export type PartName = (typeof partNames)[number];

export interface Options {
  /** How thorough the measurements are. */
  pace: Pace;
  records: number;
  /** Numbers of distinct labels; the parts run once with each. */
  labels: readonly number[];
  /** The same for the part `sql`, which has its own records. */
  sqlLabels: readonly number[];
  parts: ReadonlySet<PartName>;
  /** Number of runs of a search; slow ones run less often. */
  runs: number;
  sqlRuns: number;
  /** Whether the tables are written to bench/last-run.md. */
  save: boolean;
}

const usage = `Usage: npm run bench -- [--records 1000000] [--labels 6,10000] [--sql-labels 6,1000,100000] [--only ${partNames.join(',')}] [--runs 21] [--sql-runs 9] [--save] [--quick]\n--quick runs all parts with little data and few repetitions; its measurements are meaningless.`;

/** Wrong arguments; the message includes the usage. */
export class UsageError extends Error {}

function positiveInteger(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`--${name} must be a positive whole number, got "${text}".\n${usage}`);
  return value;
}

function partOf(text: string): PartName {
  const found = partNames.find((name) => name === text);
  if (found === undefined)
    throw new UsageError(`--only must be one of ${partNames.join(', ')}, got "${text}".\n${usage}`);
  return found;
}

const fullDefaults = {
  records: '1000000',
  labels: '6,10000',
  sqlLabels: '6,1000,100000',
  runs: '21',
  sqlRuns: '9',
};
/** 400 labels, so that the reader of half of them has a short list of label ids and the reader of all a long one. */
const quickDefaults: typeof fullDefaults = {
  records: '2000',
  labels: '400',
  sqlLabels: '6',
  runs: '1',
  sqlRuns: '1',
};

/**
 * Parses the arguments of `npm run bench`.
 * @throws UsageError for an invalid value, TypeError for an unknown argument
 */
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
      `--save and --quick exclude each other, since the measurements of --quick are meaningless. Leave one of them out.\n${usage}`,
    );
  const defaults = values.quick ? quickDefaults : fullDefaults;
  const wholeNumbers = (name: string, text: string): number[] =>
    text.split(',').map((one) => positiveInteger(name, one));
  return {
    pace: values.quick ? quickPace : fullPace,
    records: positiveInteger('records', values.records ?? defaults.records),
    labels: wholeNumbers('labels', values.labels ?? defaults.labels),
    sqlLabels: wholeNumbers('sql-labels', values['sql-labels'] ?? defaults.sqlLabels),
    parts: new Set(values.only.split(',').map(partOf)),
    runs: positiveInteger('runs', values.runs ?? defaults.runs),
    sqlRuns: positiveInteger('sql-runs', values['sql-runs'] ?? defaults.sqlRuns),
    save: values.save,
  };
}
