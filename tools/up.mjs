import { withNode24 } from './setup/with-node24.mjs';

// `npm run up --demo`, without the second `--`, is parsed by npm, which passes it on in the environment.
const npmOptions = process.env.npm_config_demo === 'true' ? ['--demo'] : [];

/** A build that the server does not wait for, and uses as soon as it is there; none if the setting names a folder. */
const build = (script, setting) => (process.env[setting] ? [] : [[script, '--if-stale']]);

await withNode24('server', 'apps/server/src/main.ts', [...process.argv.slice(2), ...npmOptions], {
  first: build('apps/web/building/main.ts', 'CONSOLE_DIR'),
  // The site installs its packages first, and would slow down the start.
  later: [['apps/server/building/main.ts', '--if-stale'], ...build('tools/docs-build.mjs', 'DOCS_DIR')],
});
