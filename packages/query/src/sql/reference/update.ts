import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sqlReferenceFile } from './sql-reference-file.ts';
import { sqlReference } from './sql-reference.ts';

// Writes the page anew: run it after a change of what SQL is offered.
mkdirSync(dirname(sqlReferenceFile), { recursive: true });
writeFileSync(sqlReferenceFile, sqlReference());
