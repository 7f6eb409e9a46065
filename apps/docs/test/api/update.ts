import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordCalls } from './record.ts';

// Writes the recordings of the API reference anew: run it when calls or their answers have changed.
const file = join(import.meta.dirname, '../../src/api/recorded.json');
writeFileSync(file, `${JSON.stringify(await recordCalls(), undefined, 1)}\n`);
// Engines that tests keep warm would keep the process alive.
process.exit(0);
