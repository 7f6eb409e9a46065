import { withNode24 } from './setup/with-node24.mjs';

await withNode24('tests', 'tools/checks/long-sql-main.ts', process.argv.slice(2));
