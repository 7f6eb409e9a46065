import { withNode24 } from './setup/with-node24.mjs';

await withNode24('bench/src/main.ts', process.argv.slice(2));
