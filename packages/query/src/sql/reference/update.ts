import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { renderSqlReference, sqlReferencePath } from './sql-reference.ts';

// Regenerates the page. Run it after a change to the supported SQL.
mkdirSync(dirname(sqlReferencePath), { recursive: true });
writeFileSync(sqlReferencePath, renderSqlReference());
