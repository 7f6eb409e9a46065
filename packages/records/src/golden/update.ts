import { writeFileSync } from 'node:fs';
import { clusterGoldenFile, clusterGoldenText, clusterStatements } from './cluster-statements.ts';

// Writes the golden files anew: run it after a change of the tables, and read the difference.
for (const [name, statement] of Object.entries(clusterStatements)) {
  writeFileSync(clusterGoldenFile(name), clusterGoldenText(statement));
}
