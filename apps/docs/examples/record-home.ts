import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordHomeSearches } from './home-searches.ts';
import { openHouse } from './house.ts';

// Writes the answers of the home page anew: run it when its searches, the demo data or the search has changed.
const file = join(import.meta.dirname, '../src/home/recorded-searches.json');
const house = await openHouse();
try {
  writeFileSync(file, `${JSON.stringify(await recordHomeSearches(house), undefined, 1)}\n`);
} finally {
  await house.close();
}
