import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sqlReferencePath } from './sql-reference-path.ts';
import { renderSqlReference } from './sql-reference.ts';

// Writes the page anew: run it after a change of what SQL is offered.
mkdirSync(dirname(sqlReferencePath), { recursive: true });
writeFileSync(sqlReferencePath, renderSqlReference());
