import { readFileSync, writeFileSync } from 'node:fs';
import { formatPage, withFormatTable } from './format-table.ts';

// Regenerates the table. Run it after a change to the registered formats.
writeFileSync(formatPage, withFormatTable(readFileSync(formatPage, 'utf8')));
