import { withNode24 } from './setup/with-node24.mjs';

await withNode24('server', 'apps/web/building/main.ts', process.argv.slice(2));
