import { readFileSync, writeFileSync } from 'node:fs';
import { fillPage, pageFiles } from './pages.ts';

// Updates the generated sections of all documentation pages.
for (const file of pageFiles()) {
  const page = readFileSync(file, 'utf8');
  const filled = await fillPage(page);
  if (filled !== page) writeFileSync(file, filled);
}
