/** A check that is one command of package.json: it passes or fails as a whole. */
export interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly script: string;
}

/** A run of test files, which counts each of its tests. */
export interface TestStep {
  readonly kind: 'tests';
  readonly name: string;
  readonly files: readonly string[];
  readonly without: readonly string[];
  /** Every line, branch and function of these files has to be run by the tests. */
  readonly covers?: { readonly files: string; readonly entry: string };
  /** The metadata database that the tests run on. Files then share processes, and with them the engines. */
  readonly database?: 'pglite' | 'postgres';
  /** The record engine that the tests run on, unless it is the embedded one. */
  readonly engine?: 'clickhouse';
  /** These of its files need a browser. They are skipped where there is none and none can be installed. */
  readonly browser?: string;
  /** Programs that its files start; they are installed first where that is possible. */
  readonly programs?: readonly string[];
  /** Steps of this kind run in turn while the others do: those that keep little more than one core busy. */
  readonly beside?: true;
  /** How many of its files run side by side, unless two: more where they wait a lot. */
  readonly lanes?: number;
  /** These of its files take longer than larger ones, so they begin first. */
  readonly long?: string;
}

export type Step = CommandStep | TestStep;

const labelTests = 'packages/labels/**/*.test.ts';
const serverTests = 'apps/server/**/*.test.ts';
/** Tests that start the server as people run it, with its engines embedded. */
const processTests = 'apps/server/src/process/*.test.ts';

/** Tests that compare the answers of SQL with those of PostgreSQL. */
const sqlTests =
  'packages/records/src/sql-{against-postgres,catalogue,scalars,sets,subqueries,values}.test.ts';

/** Tests that ask everything of the record engine, for a short run on one that is asked over the network. */
const engineTests = 'apps/server/src/features/records/*.test.ts';

/** The benchmark in little: its queries are put to all its engines, and nothing is timed. */
const benchTests = 'bench/**/*.test.ts';

/** Tests of the documentation site: its build, its examples and what it does in a browser. */
const docsTests = 'apps/docs/**/*.test.ts';

/** Everything that has to hold before a change may land: the checks of the sources first, the longest of them at the head, then the tests. */
export const steps: readonly Step[] = [
  { kind: 'command', name: 'types', script: 'types' },
  { kind: 'command', name: 'format', script: 'format:check' },
  { kind: 'command', name: 'lint', script: 'lint' },
  { kind: 'command', name: 'structure', script: 'structure' },
  { kind: 'command', name: 'dead-code', script: 'dead-code' },
  { kind: 'command', name: 'prose', script: 'prose' },
  {
    kind: 'tests',
    name: 'unit',
    files: ['packages/**/*.test.ts', 'tools/**/*.test.ts'],
    without: [labelTests, sqlTests],
    long: 'packages/records/src/two-worlds.test.ts',
  },
  {
    kind: 'tests',
    name: 'labels',
    files: [labelTests],
    without: [],
    // Labels decide who sees what. The entry is loaded, as what no test imports would not count otherwise.
    covers: { files: 'packages/labels/src/**', entry: './packages/labels/src/index.ts' },
  },
  { kind: 'tests', name: 'sql', files: [sqlTests], without: [], database: 'postgres', beside: true },
  { kind: 'tests', name: 'bench', files: [benchTests], without: [], database: 'postgres', beside: true },
  { kind: 'tests', name: 'process', files: [processTests], without: [] },
  { kind: 'tests', name: 'http-pglite', files: [serverTests], without: [processTests], database: 'pglite' },
  {
    kind: 'tests',
    name: 'http-postgres',
    files: [serverTests],
    without: [processTests],
    database: 'postgres',
  },
  {
    kind: 'tests',
    name: 'http-clickhouse',
    files: [engineTests],
    without: [],
    database: 'pglite',
    engine: 'clickhouse',
  },
  {
    kind: 'tests',
    name: 'docs',
    files: [docsTests],
    without: [],
    browser: 'apps/docs/test/browser/**',
    lanes: 4,
    long: 'apps/docs/test/examples.test.ts',
    programs: ['curl', 'jq'],
  },
];
