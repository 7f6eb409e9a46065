import { writeFileSync } from 'node:fs';
import { accessPageFile } from './page-file.ts';
import { accessPage } from './page.ts';

// Writes the page anew: run it after a change of the table of rules.
writeFileSync(accessPageFile, accessPage());
