import { withNode24 } from './setup/with-node24.mjs';

// `npm run up --demo`, without the second `--`, is parsed by npm, which passes it on in the environment.
const npmOptions = process.env.npm_config_demo === 'true' ? ['--demo'] : [];

// The server does not wait for the documentation, and serves it as soon as it is built.
const servesDocs = !process.env.DOCS_DIR;
const docs = servesDocs ? ['apps/docs/building/main.ts', '--if-stale'] : undefined;

await withNode24('apps/server/src/main.ts', [...process.argv.slice(2), ...npmOptions], docs);
