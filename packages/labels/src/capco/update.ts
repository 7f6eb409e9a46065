import { writeFileSync } from 'node:fs';
import { capcoReferenceFile } from './capco-reference-file.ts';
import { capcoReference } from './capco-reference.ts';

// Writes the page anew: run it after a change of the table of marks.
writeFileSync(capcoReferenceFile, capcoReference());
