import { writeFileSync } from 'node:fs';
import { clusterGoldenFile, clusterGoldenText, clusterStatements } from './cluster-statements.ts';

// Generates the golden files: run it after a change of the tables and review the difference.
for (const [name, statement] of Object.entries(clusterStatements)) {
  writeFileSync(clusterGoldenFile(name), clusterGoldenText(statement));
}
