import { withNode24 } from './setup/with-node24.mjs';

// `npm run up --demo`, without the second `--`, is parsed by npm, which passes it on in the environment.
const npmOptions = process.env.npm_config_demo === 'true' ? ['--demo'] : [];

// The server does not wait for these builds, and uses each as soon as it is there.
const builds = [
  ['', 'apps/server/building/main.ts'],
  ['CONSOLE_DIR', 'apps/web/building/main.ts'],
  ['DOCS_DIR', 'apps/docs/building/main.ts'],
].flatMap(([setting, script]) => (process.env[setting] ? [] : [[script, '--if-stale']]));

await withNode24('apps/server/src/main.ts', [...process.argv.slice(2), ...npmOptions], builds);
