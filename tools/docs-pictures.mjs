import { withNode24 } from './setup/with-node24.mjs';

await withNode24('tests', 'apps/web/test/pictures/documentation.ts', process.argv.slice(2));
