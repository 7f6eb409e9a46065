import { writeFileSync } from 'node:fs';
import { accessPagePath } from './access-page-path.ts';
import { renderAccessPage } from './render-access-page.ts';

// Writes the page anew: run it after a change of the table of rules.
writeFileSync(accessPagePath, renderAccessPage());
