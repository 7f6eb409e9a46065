import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordHomeSearches } from './home-searches.ts';
import { startExampleServer } from './example-server.ts';

// Records the responses of the home page. Run this after a change of its searches, of the demo data or of the search.
const file = join(import.meta.dirname, '../src/home/recorded-searches.json');
const server = await startExampleServer();
try {
  writeFileSync(file, `${JSON.stringify(await recordHomeSearches(server), undefined, 1)}\n`);
} finally {
  await server.close();
}
