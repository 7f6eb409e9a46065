import { withNode24 } from './setup/with-node24.mjs';

await withNode24('tests', 'tools/checks/bench-main.ts', process.argv.slice(2));
