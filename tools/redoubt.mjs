import { withNode24 } from './setup/with-node24.mjs';

await withNode24('apps/server/src/redoubt.ts', process.argv.slice(2));
