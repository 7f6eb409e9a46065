import { withNode24 } from './setup/with-node24.mjs';

await withNode24('packages/testkit/src/soak/main.ts', process.argv.slice(2));
