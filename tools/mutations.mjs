import { withNode24 } from './setup/with-node24.mjs';

const ready = await withNode24('tests', 'tools/mutations/main.ts', process.argv.slice(2));
if (!ready) console.log('0 passed, 1 failed');
