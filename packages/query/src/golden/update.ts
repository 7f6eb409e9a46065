import { writeFileSync } from 'node:fs';
import { goldenCases, goldenFile, goldenText } from './golden-cases.ts';
import { sqlGoldenFile, sqlGoldenText } from './golden-sql.ts';
import { sqlCases } from './sql-cases.ts';

// Regenerates the golden files. Run it after a change to the compiler, and review the diff.
for (const golden of goldenCases) writeFileSync(goldenFile(golden), goldenText(golden));
for (const [name, statement] of Object.entries(sqlCases)) {
  writeFileSync(sqlGoldenFile(name), await sqlGoldenText(statement));
}
