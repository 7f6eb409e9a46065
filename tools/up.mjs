import { withNode24 } from './setup/with-node24.mjs';

// `npm run up --demo`, without the second `--`, reaches npm instead of us; npm hands it on in the environment.
const swallowed = process.env.npm_config_demo === 'true' ? ['--demo'] : [];

await withNode24('apps/server/src/main.ts', [...process.argv.slice(2), ...swallowed]);
