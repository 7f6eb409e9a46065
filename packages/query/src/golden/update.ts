import { writeFileSync } from 'node:fs';
import { goldenCases, goldenFile, goldenText } from './golden-cases.ts';
import { sqlGoldenFile, sqlGoldenText } from './golden-sql.ts';
import { sqlCases } from './sql-cases.ts';

// Writes the golden files anew: run it after a change of the compiler, and read the difference.
for (const golden of goldenCases) writeFileSync(goldenFile(golden), goldenText(golden));
for (const [name, statement] of Object.entries(sqlCases)) {
  writeFileSync(sqlGoldenFile(name), await sqlGoldenText(statement));
}
