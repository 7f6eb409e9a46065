/**
 * Who may import whom: the map of the house as rules. There is no list of exceptions; a rule that is in the
 * way is a question about the map.
 */

// Each package, with the packages it may import.
const packages = {
  errors: [],
  contract: ['errors'],
  labels: ['errors', 'contract'],
  'file-formats': ['errors'],
  query: ['errors', 'contract', 'labels'],
  records: ['errors', 'contract', 'labels', 'query', 'file-formats'],
  'api-client': ['errors', 'contract'],
  'site-files': [],
  ui: [],
};

const product = [...Object.keys(packages), 'server'];

// Each package under testing/, with the packages of the product and of testing/ it may import.
const rigs = {
  kit: { product: ['errors', 'contract'], rigs: [] },
  'sql-fuzzer': { product: ['errors', 'contract', 'labels', 'query', 'records'], rigs: ['kit'] },
  'two-worlds': { product, rigs: ['kit', 'sql-fuzzer'] },
  'access-walk': { product, rigs: ['kit'] },
  soak: { product, rigs: ['kit'] },
};

const anyRoom = '^(packages|apps|testing|bench|tools)/';
const tests = '\\.test\\.ts$';
/** Files of src that are started or imported from outside: indexes, programs, worker threads and what writes generated files. */
const entries = [
  '^packages/[^/]+/src/index\\.ts$',
  // What the console loads of packages, without the rest of them.
  '^packages/ui/src/icons/index\\.ts$',
  '^packages/query/src/(lucene|rows)/index\\.ts$',
  '^apps/server/src/(main|redoubt)\\.ts$',
  '/src/.*-worker\\.ts$',
  '/src/.*/update\\.ts$',
];
const anyTesting = ['^testing/', '^(packages|apps)/[^/]+/testing/'];
const server = '^apps/server/src/';
const features = `${server}features/`;
const platform = `${server}platform/`;

const packageOrder = Object.entries(packages).map(([name, mayImport]) => ({
  name: `${name}-imports-only-what-is-below-it`,
  comment: `packages/${name} may import ${mayImport.join(', ') || 'no other package'}; its tests may import testing/kit too.`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: {
    path: anyRoom,
    pathNot: [...[...mayImport, name].map((allowed) => `^packages/${allowed}/`), '^testing/kit/'],
  },
}));

const rigOrder = Object.entries(rigs).map(([name, mayImport]) => ({
  name: `${name}-imports-only-what-is-below-it`,
  comment: `testing/${name} may import ${[...mayImport.product, ...mayImport.rigs].join(', ')}.`,
  severity: 'error',
  from: { path: `^testing/${name}/` },
  to: {
    path: anyRoom,
    pathNot: [
      ...mayImport.product.map((allowed) => `^(packages|apps)/${allowed}/`),
      ...[...mayImport.rigs, name].map((allowed) => `^testing/${allowed}/`),
    ],
  },
}));

const rooms = [
  ...Object.keys(packages).map((name) => `packages/${name}`),
  ...Object.keys(rigs).map((name) => `testing/${name}`),
  'apps/server',
  'apps/docs',
  'apps/web',
  'bench',
  'tools',
];

const site = '^apps/docs/';

const documentation = [
  {
    name: 'the-site-knows-the-contract-and-nothing-of-the-server',
    comment: 'Pages are made of what callers can see; its tests may start a server.',
    severity: 'error',
    from: { path: site, pathNot: [tests, `${site}(test|examples)/`] },
    to: { path: anyRoom, pathNot: [site, '^packages/(contract|errors|api-client|site-files)/'] },
  },
  {
    name: 'nobody-imports-the-site',
    comment: 'It is served as files.',
    severity: 'error',
    from: { path: anyRoom, pathNot: site },
    to: { path: site },
  },
];

const web = '^apps/web/';

const consoleRules = [
  {
    name: 'the-console-knows-the-contract-and-nothing-of-the-server',
    comment: 'It calls the API through the client, like any program. Its tests may start a server.',
    severity: 'error',
    from: { path: web, pathNot: `${web}test/` },
    to: {
      path: anyRoom,
      pathNot: [
        web,
        '^packages/(contract|errors|api-client|labels|ui|site-files)/',
        '^packages/query/src/(lucene|rows)/index\\.ts$',
      ],
    },
  },
  {
    name: 'features-of-the-console-import-no-feature-and-no-shell',
    comment: 'The shell in app/ puts features together.',
    severity: 'error',
    from: { path: `${web}src/features/([^/]+)/` },
    to: { path: `${web}src/(app|features)/`, pathNot: `${web}src/features/$1/` },
  },
  {
    name: 'nobody-imports-the-console',
    comment: 'It is served as files.',
    severity: 'error',
    from: { path: anyRoom, pathNot: web },
    to: { path: web },
  },
];

const publicDoors = rooms.map((room) => ({
  name: 'no-import-past-the-index-of-a-room',
  comment:
    'A package is imported by its name: src/index.ts, the options of file-formats without its parsers, the columns and icons of ui without its components, or for tests testing/index.ts and the requests, the browser and the S3 service of testing/kit.',
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: anyRoom,
    pathNot: [
      `^${room}/`,
      '^(packages|apps|testing)/[^/]+/(src|testing)/index\\.ts$',
      '^packages/file-formats/src/options/index\\.ts$',
      '^testing/kit/src/(requests/index|start-browser|start-s3-peer)\\.ts$',
      '^packages/ui/src/(columns|icons)/index\\.ts$',
      '^packages/query/src/(lucene|rows)/index\\.ts$',
    ],
  },
}));

const noWayOut = rooms.map((room) => ({
  name: 'no-relative-import-of-another-room',
  comment: 'Another room is imported by the name of its package, not by a path.',
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: anyRoom,
    pathNot: [`^${room}/`],
    dependencyTypes: ['local'],
    // A package that is imported by its name from the root of the house counts as local, too.
    dependencyTypesNot: ['aliased-workspace'],
  },
}));

const order = [
  {
    name: 'no-cycle',
    comment: 'Modules that import each other cannot be understood one at a time.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'A module that imports nothing and that nobody imports is left over.',
    severity: 'error',
    // Pages, theme parts and fixtures of the site are found by where they stand.
    from: {
      orphan: true,
      pathNot: [
        '\\.d\\.ts$',
        '^apps/docs/(src/(pages|theme|client)|test/fixtures)/',
        '^apps/docs/src/.*Page\\.tsx$',
      ],
    },
    to: {},
  },
  {
    name: 'no-unresolvable-import',
    comment: 'An import that leads nowhere; also one of a path that a package does not offer.',
    severity: 'error',
    from: {},
    // Docusaurus makes these names up while it builds.
    to: { couldNotResolve: true, pathNot: '^@(theme|theme-original|theme-init|site|generated|docusaurus)/' },
  },
  {
    name: 'nobody-imports-a-test',
    comment: 'A test stands by itself; what several tests share is not a test.',
    severity: 'error',
    from: {},
    to: { path: tests },
  },
  {
    name: 'only-tests-import-testing',
    comment: 'What helps tests stays out of the product, and so do the testing folders of its packages.',
    severity: 'error',
    from: {
      path: anyRoom,
      pathNot: [tests, ...anyTesting, '^bench/', '^apps/docs/(test|examples)/', '^apps/web/test/'],
    },
    to: { path: anyTesting },
  },
  {
    name: 'src-is-the-product',
    comment:
      'A file of src that only tests need belongs into the testing folder of its package, or into testing/.',
    severity: 'error',
    from: { path: entries },
    to: {
      path: '^(packages/[^/]+|apps/server)/src/',
      pathNot: [tests, ...entries],
      reachable: false,
    },
  },
  {
    name: 'only-rigs-import-rigs',
    comment:
      'Tests of a package import testing/kit, which imports no package that they test; nothing imports the rigs.',
    severity: 'error',
    from: { path: anyRoom, pathNot: '^testing/' },
    to: { path: '^testing/', pathNot: '^testing/kit/' },
  },
];

const insideTheServer = [
  {
    name: 'platform-knows-no-feature',
    comment:
      'Features import the platform, never back; the platform knows nothing of how the server is put together.',
    severity: 'error',
    from: { path: platform, pathNot: tests },
    to: { path: server, pathNot: platform },
  },
  {
    name: 'features-do-not-import-the-composition',
    comment: 'main.ts, app.ts and deps.ts put features together; only tests go through them.',
    severity: 'error',
    from: { path: features, pathNot: tests },
    to: { path: `${server}(main|app|deps)\\.ts$` },
  },
  {
    name: 'a-feature-is-imported-through-its-index-by-features',
    comment: 'A feature imports another only through its index.ts.',
    severity: 'error',
    from: { path: `${features}([^/]+)/` },
    to: { path: features, pathNot: [`${features}$1/`, `${features}[^/]+/index\\.ts$`] },
  },
  {
    name: 'a-feature-is-imported-through-its-index',
    comment: 'Whoever puts features together knows only their index.ts.',
    severity: 'error',
    from: { path: '.', pathNot: features },
    to: { path: features, pathNot: `${features}[^/]+/index\\.ts$` },
  },
  {
    name: 'routes-do-not-import-repositories',
    comment: 'routes -> service -> repository: what a caller may do is decided in the service.',
    severity: 'error',
    from: { path: '\\.routes\\.ts$' },
    to: { path: '\\.repository\\.ts$' },
  },
  {
    name: 'services-do-not-import-routes',
    comment: 'routes -> service -> repository.',
    severity: 'error',
    from: { path: '\\.service\\.ts$' },
    to: { path: '\\.routes\\.ts$' },
  },
  {
    name: 'repositories-import-neither-services-nor-routes',
    comment: 'routes -> service -> repository.',
    severity: 'error',
    from: { path: '\\.repository\\.ts$' },
    to: { path: '\\.(service|routes)\\.ts$' },
  },
];

const engines = [
  {
    name: 'only-repositories-import-kysely',
    comment: 'SQL for the metadata database stands in *.repository.ts and in platform/db.',
    severity: 'error',
    from: { path: anyRoom, pathNot: ['\\.repository\\.ts$', `${platform}db/`] },
    to: { path: 'node_modules/(@types/)?kysely/' },
  },
  {
    name: 'only-platform-db-imports-the-metadata-engines',
    comment:
      'pg and PGlite stand behind platform/db; tests create databases, the benchmark measures PostgreSQL, and a process of its own reads databases of other people.',
    severity: 'error',
    from: {
      path: anyRoom,
      pathNot: [
        `${platform}db/`,
        '^apps/server/src/features/ingest/sources/database/',
        ...anyTesting,
        '^bench/',
      ],
    },
    to: { path: 'node_modules/(@types/pg|pg|@electric-sql/pglite)/' },
  },
  {
    name: 'only-records-imports-the-record-engines',
    comment:
      'chdb and @clickhouse/client stand behind packages/records; testing/kit runs the library of chdb as a server.',
    severity: 'error',
    from: { path: anyRoom, pathNot: ['^packages/records/', '^testing/kit/src/clickhouse/'] },
    to: { path: 'node_modules/(chdb|@chdb/[^/]+|@clickhouse/[^/]+)/' },
  },
];

module.exports = {
  forbidden: [
    ...packageOrder,
    ...rigOrder,
    ...documentation,
    ...consoleRules,
    ...publicDoors,
    ...noWayOut,
    ...order,
    ...insideTheServer,
    ...engines,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Built and generated files of the site.
    exclude: { path: ['^apps/(docs|web)/build/', '/\\.docusaurus'] },
    // Imports of types count: they tie modules together as well as others do.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
