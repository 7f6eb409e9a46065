import { withNode24 } from './setup/with-node24.mjs';

await withNode24('server', 'apps/server/src/redoubt.ts', process.argv.slice(2));
