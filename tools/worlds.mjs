import { withNode24 } from './setup/with-node24.mjs';

await withNode24('tools/checks/worlds-main.ts', process.argv.slice(2));
