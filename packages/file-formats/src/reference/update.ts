import { readFileSync, writeFileSync } from 'node:fs';
import { formatPage, withFormatTable } from './format-table.ts';

// Writes the table anew: run it after a change of the formats.
writeFileSync(formatPage, withFormatTable(readFileSync(formatPage, 'utf8')));
