interface AnyStep {
  readonly name: string;
  /**
   * How many seconds the step should take in a short run on two idle cores. Steps without a budget run only in a full
   * run.
   */
  readonly budget?: number;
}

/** A check that runs one script of package.json, and passes or fails as a whole. */
export interface CommandStep extends AnyStep {
  readonly kind: 'command';
  readonly script: string;
}

/** A check that runs test files and counts each test. */
export interface TestStep extends AnyStep {
  readonly kind: 'tests';
  readonly files: readonly string[];
  readonly without: readonly string[];
  /** Files that run only in a full run, because they take long for what an everyday change can break. */
  readonly fullOnly?: readonly string[];
  /** The files among these that run in a short run, too. */
  readonly shortToo?: readonly string[];
  /** The tests must cover every line, branch and function of these files. */
  readonly covers?: { readonly files: string; readonly entry: string };
  /** The metadata database of the tests. */
  readonly database?: 'pglite' | 'postgres';
  /** The files that need a process of their own. The others share a few processes and their engines. */
  readonly ownProcess?: readonly string[];
  /** The record engine of the tests; the embedded one by default. */
  readonly engine?: 'clickhouse';
  /** The files that need a browser. They are skipped if there is none and none can be installed. */
  readonly browser?: string;
  /** A program that builds what the tests use, unless it is current. It runs before the files. */
  readonly build?: string;
  /** Programs that the tests start; they are installed first if possible. */
  readonly programs?: readonly string[];
  /**
   * Whether the step runs in parallel with the other steps. Such steps run one after another, and often wait for
   * servers that start or stop.
   */
  readonly isParallel?: true;
  /** Whether the step runs after all others have ended: beside them, pages in a browser take minutes. */
  readonly isLast?: true;
  /** The number of files that run in parallel, two by default. Files that mostly wait can use more. */
  readonly lanes?: number;
  /** The files that start first because they take long for their size. */
  readonly long?: string;
}

export type Step = CommandStep | TestStep;

const labelTests = 'packages/labels/**/*.test.ts';
/** Tests of the server over HTTP: the tests of its features, and packages that test it from outside. */
const serverTests = ['apps/server/**/*.test.ts', 'testing/{access-walk,two-worlds}/src/*.test.ts'];
/**
 * Server tests in which the metadata database only stores who may do what, as in all tests: their results depend on the
 * record engine, on parsers or on pure functions. The walk over the access rules is among them, because the rules are
 * code. They run on one metadata engine.
 */
export const engineOnlyTests = [
  'testing/access-walk/src/*.test.ts',
  'testing/two-worlds/src/{label-changes,large-values,random-records,reads}.test.ts',
  'apps/server/src/features/records/{exact-counts,exact-return,highlights,hostile-sql,profiles}.test.ts',
  'apps/server/src/features/records/{range-reading,reading,response-formats,rows,schema,searching,summaries}.test.ts',
  'apps/server/src/features/records/{count-total,documents,label-changes,paths-of-records}.test.ts',
  'apps/server/src/features/records/{disconnect-signal,guard-formulas,record-batch,view-store,visibility-check}.test.ts',
  'apps/server/src/features/ingest/{columnar-uploads,file-options,mssql-ingest,mysql-ingest}.test.ts',
  'apps/server/src/features/ingest/{packed-files,previews,text-recognition}.test.ts',
  'apps/server/src/features/ingest/{pages,parser,sources/kafka,sources/s3}/*.test.ts',
  'apps/server/src/{reference/reference,features/label-parsers/label-parsers}.test.ts',
  'apps/server/src/features/{media/byte-range,workspaces/slug}.test.ts',
  'apps/server/src/platform/{config,outbound,site,stop,tls}/*.test.ts',
  'apps/server/src/platform/http/{answers,body,client-address,connections,refusal-audit}.test.ts',
  'apps/server/src/platform/{auth/{attempt-limiter,hash-queue,tokens},db/pglite-statements,files/object-store,subscriptions/concurrency-limiter}.test.ts',
];
/** Server tests that take minutes. */
const longServerTests = 'testing/two-worlds/src/{reads,two-worlds}.test.ts';

/**
 * Server tests of what depends on PostgreSQL itself: its pool, its driver, and several connections at once. They are
 * enough for a short run, which has all others on the embedded database.
 */
const postgresTests = [
  'apps/server/src/several-processes.test.ts',
  'apps/server/src/features/authentication/sign-in-races.test.ts',
  'apps/server/src/features/records/running-queries.repository.test.ts',
  'apps/server/src/platform/{audit,db,jobs}/*.test.ts',
];
/** Tests that start the server as a process, with embedded engines. */
const processTests = ['apps/server/src/process/*.test.ts', 'testing/soak/**/*.test.ts'];

/** Tests that mostly wait for a Kafka broker and for readers, which have a low priority. */
const kafkaTests = 'apps/server/src/features/ingest/kafka-{advertised,ingest}.test.ts';

/** Tests that compare SQL results with those of PostgreSQL. */
const sqlTests =
  'testing/sql-fuzzer/src/sql-{against-postgres,catalogue,scalars,sets,subqueries,values}.test.ts';

/** Tests that use all functions of the record engine, for a short run on a ClickHouse server. */
const engineTests = 'apps/server/src/features/records/*.test.ts';

/** The benchmark with little data: its queries run on all engines, and nothing is timed. */
const benchTests = 'bench/**/*.test.ts';

/** Tests of the documentation site: its build, its examples and its behaviour in a browser. */
const docsTests = 'apps/docs/**/*.test.ts';
const docsBrowserTests = 'apps/docs/test/browser/**';

/** Tests of the console and its components. */
const webTests = '{apps/web,packages/ui}/**/*.test.ts';

/**
 * Everything that must pass before a change lands: first the checks of the sources, the longest first, then the tests.
 * A short run has the steps with a budget; CI runs all.
 */
export const steps: readonly Step[] = [
  { kind: 'command', name: 'types', script: 'types', budget: 60 },
  { kind: 'command', name: 'format', script: 'format:check', budget: 5 },
  { kind: 'command', name: 'lint', script: 'lint', budget: 60 },
  { kind: 'command', name: 'structure', script: 'structure', budget: 25 },
  { kind: 'command', name: 'dead-code', script: 'dead-code', budget: 15 },
  { kind: 'command', name: 'prose', script: 'prose', budget: 25 },
  { kind: 'command', name: 'mutations', script: 'test:mutations' },
  {
    kind: 'tests',
    name: 'unit',
    files: ['{packages,testing,tools}/**/*.test.ts'],
    without: [labelTests, sqlTests, webTests, ...serverTests, ...processTests],
    fullOnly: [
      'packages/file-formats/src/{archives/archives,columnar/columnar,columnar/real-files}.test.ts',
      'packages/file-formats/src/{csv/sample-tables,sources/compressed}.test.ts',
      'packages/query/src/sql/statement-size.test.ts',
      'packages/records/src/{engine/memory-budget,formats/formats,search-oracle}.test.ts',
      'packages/records/src/store/{change-memory,changed-words,field-indexes,large-reads}.test.ts',
      'packages/records/src/store/summary-copies.test.ts',
      'testing/{kit/src/clickhouse/clickhouse-server,two-worlds/src/store/two-worlds-timing}.test.ts',
      'tools/{checks/long-scripts,checks/structure,checks/test-step,mutations/mutations}.test.ts',
    ],
    // The engine keeps the limits of the first that opens it in a process.
    ownProcess: ['packages/records/src/engine/*.test.ts', 'packages/records/src/store/change-memory.test.ts'],
    long: 'testing/two-worlds/src/store/two-worlds.test.ts',
    budget: 120,
  },
  {
    kind: 'tests',
    name: 'labels',
    files: [labelTests],
    without: [],
    // Labels decide who sees what, so they need full coverage. Loading the entry includes files that no test imports.
    covers: { files: 'packages/labels/src/**', entry: './packages/labels/src/index.ts' },
    budget: 15,
  },
  { kind: 'tests', name: 'sql', files: [sqlTests], without: [], database: 'postgres', isParallel: true },
  { kind: 'tests', name: 'bench', files: [benchTests], without: [], database: 'postgres', isParallel: true },
  {
    kind: 'tests',
    name: 'process',
    files: processTests,
    without: [],
    fullOnly: ['apps/server/src/process/!(crash|ingest-crash).test.ts', 'testing/soak/**/*.test.ts'],
    ownProcess: processTests,
    isParallel: true,
    budget: 90,
  },
  { kind: 'tests', name: 'kafka', files: [kafkaTests], without: [], database: 'pglite', isParallel: true },
  {
    kind: 'tests',
    name: 'http-pglite',
    files: serverTests,
    without: [...processTests, kafkaTests],
    // Tests of other systems, of large data and of programs that take long to start.
    fullOnly: [
      'apps/server/src/backup-uploads.test.ts',
      'apps/server/src/features/ingest/{columnar-uploads,connector-ingest,document-uploads}.test.ts',
      'apps/server/src/features/ingest/{kafka-refusals,mssql-ingest,mysql-ingest,s3-ingest}.test.ts',
      'apps/server/src/features/ingest/{parser/document-corpus,parser/parser-memory,text-recognition}.test.ts',
      'apps/server/src/features/media/{inner-documents,page-images}.test.ts',
      'testing/two-worlds/src/{large-values,random-records}.test.ts',
    ],
    long: longServerTests,
    database: 'pglite',
    programs: ['tesseract'],
    budget: 300,
  },
  {
    kind: 'tests',
    name: 'http-postgres',
    files: serverTests,
    without: [...processTests, kafkaTests, ...engineOnlyTests],
    fullOnly: serverTests,
    shortToo: postgresTests,
    long: longServerTests,
    database: 'postgres',
    budget: 40,
  },
  {
    kind: 'tests',
    name: 'http-clickhouse',
    files: [engineTests],
    without: [],
    database: 'pglite',
    engine: 'clickhouse',
    isParallel: true,
  },
  {
    kind: 'tests',
    name: 'docs',
    files: [docsTests],
    without: [docsBrowserTests],
    // Tests that build the site, or run its examples on a server.
    fullOnly: ['apps/docs/test/**', 'apps/docs/building/**'],
    shortToo: ['apps/docs/test/source-links.test.ts'],
    ownProcess: [docsTests],
    lanes: 4,
    long: 'apps/docs/test/examples-*.test.ts',
    programs: ['curl', 'jq'],
    isParallel: true,
    budget: 20,
  },
  {
    kind: 'tests',
    name: 'docs-browser',
    files: [`${docsBrowserTests}/*.test.ts`],
    without: [],
    ownProcess: [docsBrowserTests],
    browser: docsBrowserTests,
    lanes: 4,
    isLast: true,
  },
  {
    kind: 'tests',
    name: 'web',
    files: [webTests],
    without: [],
    fullOnly: ['apps/web/test/**'],
    shortToo: [
      'apps/web/test/{console,sign-in}.test.ts',
      'apps/web/test/{records/grid,workbench/workbench}.test.ts',
    ],
    ownProcess: [webTests],
    build: 'apps/web/building/main.ts',
    database: 'pglite',
    browser: 'apps/web/test/**',
    isLast: true,
    budget: 90,
  },
];
