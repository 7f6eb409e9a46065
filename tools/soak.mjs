import { withNode24 } from './setup/with-node24.mjs';

await withNode24('tests', 'testing/soak/src/main.ts', process.argv.slice(2));
