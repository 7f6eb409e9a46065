import { readFileSync, writeFileSync } from 'node:fs';
import { fillPage, pageFiles } from './pages.ts';

// Writes into the pages of the documentation what they take from the code: run it after a change of that.
for (const file of pageFiles()) {
  const page = readFileSync(file, 'utf8');
  const filled = await fillPage(page);
  if (filled !== page) writeFileSync(file, filled);
}
