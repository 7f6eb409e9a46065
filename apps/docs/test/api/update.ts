import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordCalls } from './record.ts';

// Updates the recordings of the API reference. Run this after a change of calls or responses.
const file = join(import.meta.dirname, '../../src/api/recorded.json');
writeFileSync(file, `${JSON.stringify(await recordCalls(), undefined, 1)}\n`);
// Engines shared between tests would keep the process alive.
process.exit(0);
